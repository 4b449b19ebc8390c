"""One version: pyproject.toml has it; dbt_project.yml and the README's install lines repeat it.

`check_versions.py` compares them, `check_versions.py --write` mends them.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# file, and what stands before and after each version in it
PLACES = [
    ("dbt_project.yml", re.compile(r"(?m)^(version:\s*[\"']?)([^\"'\s]+)")),
    (
        "README.md",
        re.compile(r"(dbt-event-windows==|repository>@v|revision:\s*[\"']?v?)(\d[\w.]*\w)"),
    ),
]


def check(root: Path, write: bool = False) -> list[str]:
    """What disagrees with pyproject.toml, one line each; with `write` it is mended as well."""
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    version = project["version"]
    wrong = []
    for name, pattern in PLACES:
        path = root / name
        if not path.exists():
            continue
        text = path.read_text()
        found = [match[2] for match in pattern.finditer(text)]
        if name == "dbt_project.yml" and not found:
            wrong.append(f"{name}: no version, pyproject.toml has {version}")
        wrong += [f"{name}: {v}, pyproject.toml has {version}" for v in found if v != version]
        if write:
            path.write_text(pattern.sub(rf"\g<1>{version}", text))
    return wrong


if __name__ == "__main__":
    writing = sys.argv[1:] == ["--write"]
    problems = check(ROOT, writing)
    for problem in problems:
        print(problem, "(mended)" if writing else "(mend it: scripts/check_versions.py --write)")
    sys.exit(bool(problems) and not writing)
