"""Every call of a macro can be bound to its signature: Jinja fills what is missing, and is silent.

A macro takes what it names; more only where its body reads `varargs` or `kwargs`. What has no
default must be given. Calls of a hook (`_of_format`, `_of_window`) and of a dispatched macro are
bound to each macro that may be behind them. Prints the calls that fit none, and what stands outside
of macros: dbt passes it over, and is silent, too.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from dbt_common.clients.jinja import MaterializationExtension, TestExtension
from jinja2 import Environment, nodes

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "event_windows"
# Who calls a hook: where its macros are, which argument names it, and how many are not handed on.
HOOKS = {"_of_format": ("formats", 1, 2), "_of_window": ("windows", 0, 1)}
# What dbt puts before the name of a test and of a materialization.
_PREFIX = re.compile(r"dbt_macro__")

_JINJA = Environment(extensions=["jinja2.ext.do", MaterializationExtension, TestExtension])


class Signature(NamedTuple):
    """What a macro takes."""

    file: str
    names: tuple[str, ...]
    required: frozenset[str]
    more: bool  # positional arguments that it does not name
    others: bool  # keywords that it does not name

    def problem(self, positional: int, keywords: list[str]) -> str | None:
        """Why a call does not fit; none if it does."""
        if positional > len(self.names) and not self.more:
            return f"takes {len(self.names)} arguments and gets {positional}"
        given = self.names[:positional]
        for name in keywords:
            if name in given or keywords.count(name) > 1:
                return f"gets {name} twice"
            if name not in self.names and not self.others:
                return f"takes no {name}"
        missing = [name for name in self.names if name in self.required - {*given, *keywords}]
        return f"lacks {', '.join(missing)}" if missing else None


def parsed(folder: Path) -> dict[str, nodes.Template]:
    """The files below a folder as Jinja reads them."""
    paths = sorted(folder.rglob("*.sql"))
    return {path.relative_to(folder).as_posix(): _JINJA.parse(path.read_text()) for path in paths}


def signatures(files: dict[str, nodes.Template]) -> dict[str, Signature]:
    """All macros, by name; the generic test `x` is `test_x`."""
    found = {}
    for file, tree in files.items():
        for macro in tree.find_all(nodes.Macro):
            names = [argument.name for argument in macro.args if isinstance(argument, nodes.Name)]
            read = {name.name for name in macro.find_all(nodes.Name)}
            required = frozenset(names[: len(names) - len(macro.defaults)])
            found[_PREFIX.sub("", macro.name)] = Signature(
                file, tuple(names), required, "varargs" in read, "kwargs" in read
            )
    return found


def _owners(macros: dict[str, Signature], folder: str) -> set[str]:
    """What hooks may begin with: formats, or types of windows and their families."""
    inside = {name: macro.file.split("/") for name, macro in macros.items()}
    kinds = {parts[1].lstrip("_") for parts in inside.values() if parts[0] == folder}
    return {kind.removesuffix(".sql") for kind in kinds}


def _behind(call: nodes.Call, macros: dict[str, Signature]) -> tuple[list[str], int]:
    """Names of the macros that a call may reach, and how many arguments it does not hand on."""
    called = call.node
    if isinstance(called, nodes.Call) and isinstance(called.node, nodes.Getattr):
        # adapter.dispatch('x', ...)(...)
        if called.node.attr != "dispatch" or not isinstance(called.args[0], nodes.Const):
            return [], 0
        behind = [f"{where}__{called.args[0].value}" for where in ("default", "spark")]
        return [name for name in behind if name in macros] or behind[:1], 0
    if isinstance(called, nodes.Name):
        return [called.name] if called.name in macros else [], 0
    if not isinstance(called, nodes.Getattr) or not isinstance(called.node, nodes.Name):
        return [], 0
    if called.node.name != PACKAGE:
        return [], 0
    if called.attr in HOOKS:
        folder, place, kept = HOOKS[called.attr]
        hook = call.args[place] if place < len(call.args) else None
        if isinstance(hook, nodes.Const):
            behind = [f"_{owner}_{hook.value}" for owner in _owners(macros, folder)]
            found = sorted(name for name in behind if name in macros)
            return found or [f"_<of {folder}>_{hook.value}"], kept
    return [called.attr], 0


def problems_of(call: nodes.Call, macros: dict[str, Signature]) -> Iterator[str]:
    """Why a call does not fit the macros that it may reach."""
    behind, kept = _behind(call, macros)
    for name in behind:
        if name not in macros:
            yield f"there is no macro {name}"
        elif call.dyn_args is None and call.dyn_kwargs is None:
            keywords = [keyword.key for keyword in call.kwargs]
            problem = macros[name].problem(len(call.args) - kept, keywords)
            if problem:
                yield f"{name} {problem}"


def outside(tree: nodes.Template) -> Iterator[int]:
    """The lines at which something begins that is in no macro and no comment."""
    for node in tree.body:
        parts: list[nodes.Node] = [*node.nodes] if isinstance(node, nodes.Output) else [node]
        for part in parts:
            text = part.data if isinstance(part, nodes.TemplateData) else "x"
            if text.strip() and not isinstance(part, nodes.Macro):
                yield part.lineno + text[: -len(text.lstrip())].count("\n")


def check(folder: Path) -> list[str]:
    """The calls below a folder that do not fit, and what no macro has, one line each."""
    files = parsed(folder)
    macros = signatures(files)
    stray = [
        f"{file}:{line}: in no macro, so that dbt leaves it out"
        for file, tree in files.items()
        for line in outside(tree)
    ]
    return stray + [
        f"{file}:{call.lineno}: {problem}"
        for file, tree in files.items()
        for call in tree.find_all(nodes.Call)
        for problem in problems_of(call, macros)
    ]


if __name__ == "__main__":
    found = check(ROOT / "macros")
    print("\n".join(found), end="\n" * bool(found))
    sys.exit(bool(found))
