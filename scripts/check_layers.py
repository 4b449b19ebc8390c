"""Who calls whom: macro folders lie in layers, and neither macro files nor modules call in circles.

A macro calls what is in its own folder or in a layer below. Window types and table formats lie
behind an interface: from outside only files `_x.sql` at the top of windows/ and formats/ are
called. These find the macros of a type or a format by name, and nobody outside asks which it is.
Prints the layers, and what breaks these rules.
"""

from __future__ import annotations

import ast
import re
import sys
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from pathlib import Path

from jinja2 import Environment

ROOT = Path(__file__).resolve().parents[1]

# From the top; folders of one layer do not call each other. docs/architecture.md shows them.
TOP = "windowed"  # the files in macros/ itself
LAYERS = (
    (TOP, "generic_tests", "report", "explain"),
    ("rollup",),
    ("run",),
    ("queries",),
    ("tables",),
    ("plain_sql",),
    ("config", "steps"),
    ("windows",),
    ("aggregates", "formats"),
    ("sql", "checks"),
)
INTERFACES = ("windows", "formats")

Token = tuple[int, str, str]  # line, kind, text
Calls = dict[str, dict[str, str]]  # file to file, with the name that is called

_JINJA = Environment(extensions=["jinja2.ext.do"])
_UNREAD = {"whitespace", "comment", "comment_begin", "comment_end"}


def tokens(path: Path) -> list[Token]:
    """What Jinja reads of a file, without comments."""
    return [token for token in _JINJA.lex(path.read_text()) if token[1] not in _UNREAD]


def _folder(file: str) -> str:
    return file.split("/")[0] if "/" in file else TOP


def _defined(read: list[Token]) -> list[str]:
    heads = zip(read, read[1:], read[2:], strict=False)
    return [
        "test_" * (kind[2] == "test") + name[2]
        for begin, kind, name in heads
        if begin[1] == "block_begin" and kind[2] in ("macro", "test", "materialization")
    ]


def _called(read: list[Token]) -> set[str]:
    """Names that may be calls: event_windows.x, dispatch('x'), x(...)."""
    names = set()
    padded = [(0, "", "")] * 2 + read + [(0, "", "")]
    for place, (_, kind, text) in enumerate(read):
        before, after = [token[2] for token in padded[place : place + 2]], padded[place + 3][2]
        qualified, alone = before == ["event_windows", "."], before[1] != "." and after == "("
        if kind == "name" and (qualified or alone):
            names.add(text)
        elif kind == "string" and before == ["dispatch", "("]:
            names |= {f"{where}__{text[1:-1]}" for where in ("default", "spark")}
    return names


def macro_calls(files: dict[str, list[Token]]) -> Calls:
    """Which macro files call which others."""
    homes = {name: file for file, read in files.items() for name in _defined(read)}
    return {
        file: {homes[name]: name for name in sorted(_called(read)) if homes.get(name, file) != file}
        for file, read in files.items()
    }


def imports(folder: Path) -> Calls:
    """Which modules of a package import which others."""
    package = folder.name
    paths = {
        re.sub(r"/?__init__$", "", path.relative_to(folder).with_suffix("").as_posix()): path
        for path in sorted(folder.rglob("*.py"))
    }
    found: Calls = {}
    for module, path in paths.items():
        names = []
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                names += [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names += [f"{node.module}.{alias.name}" for alias in node.names]
        inside = [name.split(".")[1:] for name in names if name.split(".")[0] == package]
        # the longest part that is a module; the rest is a name in it
        tried = [["/".join(name[:end]) for end in range(len(name), -1, -1)] for name in inside]
        imported = [next(part for part in parts if part in paths) for parts in tried]
        found[module] = {name: name for name in imported if name != module}
    return {
        name or "__init__": {to or "__init__": to for to in calls} for name, calls in found.items()
    }


def circles(calls: Calls) -> list[str]:
    """Circles, one line each; as many as have to be broken."""
    graph = {caller: set(called) for caller, called in calls.items()}
    found = []
    while True:
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            round_trip = error.args[1][::-1]
            texts = [f"{to} ({calls[by][to]})" for by, to in pairwise(round_trip)]
            found.append(f"circle: {round_trip[0]} -> " + " -> ".join(texts))
            graph[round_trip[0]].discard(round_trip[1])
        else:
            return found


def wrong_arrows(calls: Calls) -> list[str]:
    """Calls to a layer above or beside, and calls behind an interface."""
    height = {folder: -place for place, layer in enumerate(LAYERS) for folder in layer}
    unplaced = sorted({_folder(file) for file in calls} - height.keys())
    wrong = [
        f"{folder}/: is in no layer, see LAYERS in {Path(__file__).name}" for folder in unplaced
    ]
    for caller, called in calls.items():
        for file, name in called.items():
            by, to = _folder(caller), _folder(file)
            if by == to or {by, to} & set(unplaced):
                continue
            if height[by] <= height[to]:
                wrong.append(f"{caller}: calls {name} in {file}, and {to} is not below {by}")
            if to in INTERFACES and not re.fullmatch(rf"{to}/_\w+\.sql", file):
                wrong.append(f"{caller}: calls {name} in {file}, behind the interface of {to}")
    return wrong


def kinds_by_name(files: dict[str, list[Token]]) -> list[str]:
    """Where a window type or a format is known by name outside of its folder."""
    inner = [file.split("/") for file in files if file.count("/") > 1]
    formats = {parts[1] for parts in inner if parts[0] == "formats"}
    types = {parts[1].lstrip("_") for parts in inner if parts[0] == "windows"}
    for file, read in files.items():
        if re.fullmatch(r"windows/[a-z]\w*\.sql", file):
            types |= {name for name in _defined(read) if not re.match(r"_|\w+?__", name)}
    a_format = re.compile(rf"(?i)(?<![a-z])({'|'.join(formats) or '(?!)'})(?![a-z])")
    wrong = []
    for file, read in files.items():
        for line, kind, text in read:
            if _folder(file) != "windows" and kind == "string" and text[1:-1] in types:
                wrong.append(
                    f"{file}:{line}: knows window type {text} by name: ask a hook or a trait"
                )
            found = a_format.search(text) if kind in ("string", "data") else None
            if _folder(file) != "formats" and found:
                wrong.append(f"{file}:{line}: knows format '{found[1]}' by name: ask a hook")
    return wrong


def check_macros(folder: Path) -> list[str]:
    """What is wrong with the macros below a folder."""
    paths = sorted(folder.rglob("*.sql"))
    files = {path.relative_to(folder).as_posix(): tokens(path) for path in paths}
    calls = macro_calls(files)
    return circles(calls) + wrong_arrows(calls) + kinds_by_name(files)


def check_modules(package: Path) -> list[str]:
    """What is wrong with the modules of a package."""
    return circles(imports(package))


def module_layers(calls: Calls) -> list[list[str]]:
    """Modules, each above all that it imports and as low as it can be."""
    height: dict[str, int] = {}
    for module in TopologicalSorter({by: set(to) for by, to in calls.items()}).static_order():
        height[module] = max((height[to] + 1 for to in calls[module]), default=0)
    return [
        sorted(module for module in height if height[module] == level)
        for level in sorted(set(height.values()), reverse=True)
    ]


if __name__ == "__main__":
    macros, package = ROOT / "macros", ROOT / "udfs" / "dbt_event_windows"
    problems = check_macros(macros) + (broken := check_modules(package))
    for name, layers in (
        ("macros", LAYERS),
        ("dbt_event_windows", [] if broken else module_layers(imports(package))),
    ):
        print(f"{name}:", *(", ".join(layer) for layer in layers), sep="\n    ")
    print("\n".join(problems), end="\n" * bool(problems))
    sys.exit(bool(problems))
