"""No line of a macro, a model or a page has over 120 columns; rows of Markdown tables may."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("macros", "models", "docs")
KINDS = (".sql", ".yml", ".md", ".py")
MOST = 120


def check(root: Path) -> list[str]:
    """Lines that are too long, by file and number."""
    wrong = []
    paths = [path for folder in FOLDERS for path in sorted((root / folder).rglob("*"))]
    for path in paths:
        if path.suffix in KINDS:
            wrong += [
                f"{path.relative_to(root)}:{number}: {len(line)} columns, {MOST} are allowed"
                for number, line in enumerate(path.read_text().splitlines(), start=1)
                if len(line) > MOST and not (path.suffix == ".md" and line.lstrip().startswith("|"))
            ]
    return wrong


if __name__ == "__main__":
    problems = check(ROOT)
    print("\n".join(problems), end="\n" * bool(problems))
    sys.exit(bool(problems))
