"""Calls in Jinja: their arguments, and the SQL of those that stand for SQL that is known."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

# dbt_utils takes this for null, so that keys of converted models stay what they were.
NULL_KEY = "_dbt_utils_surrogate_key_null_"

_SECONDS = {"hour": 3600, "minute": 60, "second": 1}


@dataclass(frozen=True)
class Call:
    """A call in Jinja. Texts are without quotes, lists item by item; all else is as written."""

    name: str
    arguments: list[str] = field(default_factory=list)
    keywords: dict[str, str] = field(default_factory=dict)


def read_call(words: str, values: Mapping[str, str]) -> Call | None:
    """The call that `{{ ... }}` holds; a name alone is one too. None for anything else.

    Args:
        values: what is set in the model, by name.
    """
    try:
        node = ast.parse(words, mode="eval").body
    except SyntaxError:
        return None
    if isinstance(node, ast.Name):
        return Call(node.id)
    if not isinstance(node, ast.Call):
        return None
    items = [item for one in node.args for item in _items(one)]
    if any(_computes_with(one, values) for one in items):
        return None
    sources = {
        one.arg: ast.get_source_segment(words, one.value) or "" for one in node.keywords if one.arg
    }
    return Call(ast.unparse(node.func), [_text(one, values) for one in items], sources)


def _items(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.List | ast.Tuple):
        return [item for one in node.elts for item in _items(one)]
    return [node]


def _computes_with(node: ast.expr, values: Mapping[str, str]) -> bool:
    """Whether an argument is made of what is set in the model, and more than its name."""
    names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
    return not isinstance(node, ast.Name) and bool(names & values.keys())


def _text(node: ast.expr, values: Mapping[str, str]) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    return values.get(node.id, node.id) if isinstance(node, ast.Name) else ast.unparse(node)


def written_out(call: Call, dialect: str) -> tuple[str, str]:
    """The SQL of a warehouse that a call stands for, and a note; both empty where not known."""
    known = _KNOWN.get(call.name.rpartition(".")[2])
    return known(call, dialect) if known else ("", "")


def _surrogate_key(call: Call, dialect: str) -> tuple[str, str]:
    columns = [f"coalesce(cast({one} as string), '{NULL_KEY}')" for one in call.arguments]
    joined = ", '-', ".join(columns)
    hashed = f"md5(cast(concat({joined}) as string))"
    # md5 of BigQuery makes bytes
    return f"to_hex({hashed})" if dialect == "bigquery" else hashed, ""


def _datediff(call: Call, dialect: str) -> tuple[str, str]:
    if len(call.arguments) != 3:
        return "", ""
    first, second, unit = call.arguments
    if dialect in ("spark", "databricks"):
        return _datediff_of_spark(first, second, unit)
    note = (
        "datediff of dbt counts how often a new unit began, the converted model measures time: "
        "gaps within a unit of the limit can differ"
    )
    if dialect == "bigquery":
        return f"datetime_diff({second}, {first}, {unit})", note
    return f"datediff({unit}, {first}, {second})", note


def _datediff_of_spark(first: str, second: str, unit: str) -> tuple[str, str]:
    """What the macro of dbt-spark writes; nothing for units of which that is long."""
    note = "datediff of dbt is read as that of dbt-spark: --dialect names another warehouse"
    if unit == "day":
        return f"datediff({second}, {first})", note
    if unit == "year":
        return f"year({second}) - year({first})", note
    if unit not in _SECONDS:
        return "", ""
    units = f"(unix_timestamp({second}) - unix_timestamp({first})) / {_SECONDS[unit]}"
    return f"case when {first} < {second} then ceil({units}) else floor({units}) end", note


def _var(call: Call, dialect: str) -> tuple[str, str]:
    if len(call.arguments) != 2:
        return "", ""
    name, value = call.arguments
    return value, f"the value of var '{name}' is its default, {value}"


_KNOWN: dict[str, Callable[[Call, str], tuple[str, str]]] = {
    "generate_surrogate_key": _surrogate_key,
    "surrogate_key": _surrogate_key,
    "datediff": _datediff,
    "var": _var,
}
