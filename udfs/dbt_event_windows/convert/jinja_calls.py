"""Calls in Jinja: their arguments, and the SQL of those that stand for SQL that is known."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

# dbt_utils takes this for null, so that keys of converted models stay what they were.
NULL_KEY = "_dbt_utils_surrogate_key_null_"

_KEY_OF_NULL = (
    "keys of dbt_utils are read as it makes them where the var "
    "surrogate_key_treat_nulls_as_empty_strings is not set"
)
_SECONDS = {"hour": 3600, "minute": 60, "second": 1}


_CONSTANTS = {"true": "True", "false": "False", "none": "None"}
# The text of an argument, or the texts of a list; none where the model does not say it.
Argument = str | tuple[str, ...] | None


@dataclass(frozen=True)
class Call:
    """A call in Jinja. Texts are without quotes, keywords as they are written."""

    name: str
    arguments: list[Argument] = field(default_factory=list)
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
    if any(_computes_with(item, values) for one in node.args for item in _items(one)):
        return None
    keywords = {name: ast.get_source_segment(words, value) or "" for name, value in _named(node)}
    return Call(ast.unparse(node.func), [_text(one, values) for one in node.args], keywords)


def _named(node: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    """The keywords of a call; those of `config({'tags': ...})` stand in a dictionary."""
    for one in node.args:
        for key, value in (
            zip(one.keys, one.values, strict=True) if isinstance(one, ast.Dict) else ()
        ):
            if isinstance(key, ast.Constant):
                yield str(key.value), value
    for keyword in node.keywords:
        if keyword.arg:
            yield keyword.arg, keyword.value


def _items(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.List | ast.Tuple):
        return [item for one in node.elts for item in _items(one)]
    return [node]


def _computes_with(node: ast.expr, values: Mapping[str, str]) -> bool:
    """Whether an argument is made of what is set in the model, and more than its name."""
    names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
    return not isinstance(node, ast.Name) and bool(names & values.keys())


def _text(node: ast.expr, values: Mapping[str, str]) -> Argument:
    if isinstance(node, ast.List | ast.Tuple):
        items = [_text(one, values) for one in node.elts]
        texts = tuple(one for one in items if isinstance(one, str))
        return texts if len(texts) == len(items) else None
    if isinstance(node, ast.Name):
        return values.get(node.id, _CONSTANTS.get(node.id))
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return None
    return str(value) if isinstance(value, str | int | float) else None


def written_out(call: Call, dialect: str) -> tuple[str, str]:
    """The SQL of a warehouse that a call stands for, and a note; both empty where not known."""
    known = _KNOWN.get(call.name)
    if known is None or call.keywords or not call.arguments or None in call.arguments:
        return "", ""
    return known(call.arguments, dialect)


def _surrogate_key(arguments: list[Argument], dialect: str) -> tuple[str, str]:
    return _hash_of(arguments, dialect, NULL_KEY), _KEY_OF_NULL


def _old_surrogate_key(arguments: list[Argument], dialect: str) -> tuple[str, str]:
    """That of dbt_utils before 1.0, for which null is the empty text."""
    return _hash_of(arguments, dialect, ""), ""


def _hash_of(arguments: list[Argument], dialect: str, null: str) -> str:
    columns = [
        one for given in arguments for one in ([given] if isinstance(given, str) else given or ())
    ]
    joined = ", '-', ".join(f"coalesce(cast({one} as string), '{null}')" for one in columns)
    hashed = f"md5(cast(concat({joined}) as string))"
    # md5 of BigQuery makes bytes
    return f"to_hex({hashed})" if dialect == "bigquery" else hashed


def _texts(arguments: list[Argument], count: int) -> list[str]:
    """The arguments, if they are so many texts; else none."""
    texts = [one for one in arguments if isinstance(one, str)]
    return texts if len(texts) == len(arguments) == count else []


def _datediff(arguments: list[Argument], dialect: str) -> tuple[str, str]:
    texts = _texts(arguments, 3)
    if not texts:
        return "", ""
    first, second, unit = texts
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


def _date_trunc(arguments: list[Argument], dialect: str) -> tuple[str, str]:
    texts = _texts(arguments, 2)
    if not texts:
        return "", ""
    unit, time = texts
    if dialect == "bigquery":
        return f"timestamp_trunc(cast({time} as timestamp), {unit})", ""
    return f"date_trunc('{unit}', {time})", ""


def _var(arguments: list[Argument], dialect: str) -> tuple[str, str]:
    texts = _texts(arguments, 2)
    if not texts:
        return "", ""
    name, value = texts
    return value, f"the value of var '{name}' is its default, {value}"


# By whole names: a macro of the user's own may have the last one of these.
_KNOWN: dict[str, Callable[[list[Argument], str], tuple[str, str]]] = {
    "dbt_utils.generate_surrogate_key": _surrogate_key,
    "dbt_utils.surrogate_key": _old_surrogate_key,
    "datediff": _datediff,
    "dbt.datediff": _datediff,
    "dbt_utils.datediff": _datediff,
    "date_trunc": _date_trunc,
    "dbt.date_trunc": _date_trunc,
    "dbt_utils.date_trunc": _date_trunc,
    "var": _var,
}
