"""An aggregate call taken apart, so that the macros need not read its text again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import exp

from dbt_event_windows.plain_sql.references import call_name, references

# In the words of macros/aggregates/_given_call.sql.
Call = dict[str, Any]

_NULLS = {exp.IgnoreNulls: "ignore", exp.RespectNulls: "respect"}


def take_apart(
    node: exp.Expression, call: exp.Expression, written: Callable[[exp.Expression], str]
) -> Call:
    """`call` with what stands around it in `node`; `written` gives the SQL of a piece."""
    arguments = [_plain(argument) for argument in _arguments(call)]
    filtered = node.find(exp.Filter)
    ordered = next(iter(orders(node)), None)
    return {
        "function": call_name(call),
        "distinct": call.find(exp.Distinct) is not None,
        "arguments": [written(argument) for argument in arguments],
        "columns": [_first_column(argument, written) for argument in arguments],
        "filter": written(filtered.expression.this) if filtered else None,
        "nulls": next((word for kind, word in _NULLS.items() if node.find(kind)), None),
        "order": ordered
        and {"by": written(ordered.this), "descending": bool(ordered.args.get("desc"))},
        "text": written(node),
    }


def orders(node: exp.Expression) -> list[exp.Expression]:
    """What WITHIN GROUP orders by."""
    group = node.find(exp.WithinGroup)
    return list(group.expression.expressions) if group and group.expression else []


def puts_nulls_elsewhere(ordered: exp.Expression) -> bool:
    """Whether an order says other than Spark does by itself: nulls first, or last if descending."""
    return bool(ordered.args.get("desc")) == bool(ordered.args.get("nulls_first"))


def _arguments(call: exp.Expression) -> list[exp.Expression]:
    first = next(iter(call.expressions), None)
    return list(first.expressions if isinstance(first, exp.Distinct) else call.expressions)


def _plain(argument: exp.Expression) -> exp.Expression:
    inner = argument.this if isinstance(argument, tuple(_NULLS)) else argument
    assert isinstance(inner, exp.Expression)
    return inner


def _first_column(argument: exp.Expression, written: Callable[[exp.Expression], str]) -> str | None:
    return next((written(reference) for reference, _ in references(argument)), None)
