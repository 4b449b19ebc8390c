"""Every public macro and generic test is described in yml, with the arguments that it takes.

For those who read the macro instead, a comment stands above it.
Public is what a user may call: not a name that starts with `_`, and not the `default__` or
`spark__` body behind one. dbt knows the generic test `x` as the macro `test_x`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]  # its stubs are a package of their own

ROOT = Path(__file__).resolve().parents[1]

_HEAD = re.compile(r"\{%-?\s*(macro|test)\s+(\w+)\s*\(")
_COMMENT = re.compile(r"\{#.*?#\}", re.DOTALL)
_PRIVATE = re.compile(r"_|\w+?__")


def _arguments(text: str) -> list[str]:
    """The names in the signature that `text` starts with, up to its closing parenthesis."""
    depth, quote, parts = 0, "", [""]
    for letter in text:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter == ")" and depth == 0:
            break
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
        elif letter == "," and depth == 0:
            parts.append("")
            continue
        parts[-1] += letter
    return [part.partition("=")[0].strip() for part in parts if part.strip()]


def signatures(folder: Path) -> dict[str, list[str]]:
    """The public macros below a folder, with the names of their arguments."""
    found = {}
    for path in sorted(folder.rglob("*.sql")):
        text = _COMMENT.sub("", path.read_text())
        for head in _HEAD.finditer(text):
            kind, name = head.groups()
            if not _PRIVATE.match(name):
                found["test_" * (kind == "test") + name] = _arguments(text[head.end() :])
    return found


def bare(folder: Path) -> list[str]:
    """The public macros without a comment directly above them."""
    found = []
    for path in sorted(folder.rglob("*.sql")):
        text = path.read_text()
        ends = {comment.end() for comment in _COMMENT.finditer(text)}
        # a macro within a comment is none
        code = _COMMENT.sub(lambda comment: " " * len(comment[0]), text)
        for head in _HEAD.finditer(code):
            above = len(text[: head.start()].rstrip(" "))
            if not _PRIVATE.match(head[2]) and above - 1 not in ends:
                found.append(f"{path}: {head[2]} has no comment above it that says what it is")
    return found


def _entries(folder: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    for path in sorted(folder.rglob("*.yml")):
        for entry in (yaml.safe_load(path.read_text()) or {}).get("macros", []):
            yield path, entry


def check(folder: Path) -> list[str]:
    """What the yml files below `folder` leave out, get wrong or describe in vain."""
    macros = signatures(folder)
    wrong = []
    described = set()
    for path, entry in _entries(folder):
        name = entry["name"]
        if name in described:
            wrong.append(f"{path}: {name} is described twice")
        described.add(name)
        if name not in macros:
            wrong.append(f"{path}: {name} is described, but there is no such public macro")
            continue
        documented = [argument["name"] for argument in entry.get("arguments", [])]
        if documented != macros[name]:
            wrong.append(f"{path}: {name} takes {macros[name]}, the yml says {documented}")
        missing = [
            f"{name}.{argument['name']}"
            for argument in entry.get("arguments", [])
            if not (argument.get("description") and argument.get("type"))
        ]
        if not entry.get("description"):
            missing.insert(0, name)
        wrong += [f"{path}: {what} has no description or type" for what in missing]
    wrong += [f"{folder}: {name} has no entry in a yml" for name in macros if name not in described]
    return wrong + bare(folder)


if __name__ == "__main__":
    problems = check(ROOT / "macros")
    print("\n".join(problems), end="\n" * bool(problems))
    sys.exit(bool(problems))
