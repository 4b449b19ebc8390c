"""Read each yaml and toml file given, and say which cannot be read and why."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import yaml  # type: ignore[import-untyped]  # its stubs are a package of their own


def problem(path: Path) -> str | None:
    """Why a file cannot be read, or none."""
    try:
        if path.suffix == ".toml":
            tomllib.loads(path.read_text())
        else:
            list(yaml.safe_load_all(path.read_text()))
    except (tomllib.TOMLDecodeError, yaml.YAMLError) as error:
        return f"{path}: {error}"
    return None


if __name__ == "__main__":
    problems = [found for name in sys.argv[1:] if (found := problem(Path(name)))]
    print("\n".join(problems), end="\n" * bool(problems))
    sys.exit(bool(problems))
