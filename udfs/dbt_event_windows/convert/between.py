"""The SELECTs between the one that groups and what it reads."""

from __future__ import annotations

from sqlglot import exp

from dbt_event_windows.convert.layers import Layer, inlined
from dbt_event_windows.convert.problems import BEFORE, NotUnderstoodError, not_understood
from dbt_event_windows.plain_sql.functions import GENERATORS

_BETWEEN = {"with", "expressions", "from", "where", "windows"}


def readable(layers: list[Layer], at: int) -> list[int]:
    """The SELECTs below one that could be put into it; the last of them may join."""
    found = []
    for place in range(at + 1, len(layers)):
        if layers[place].select.args.get("group"):
            break
        found.append(place)
    return found


def check_between(layers: list[Layer], at: int, last: int) -> None:
    """Refuse what cannot be put into the SELECT that groups.

    Raises:
        NotUnderstoodError: a SELECT in between makes several rows of one.
    """
    for place in range(at + 1, last + 1):
        known = _BETWEEN | ({"joins", "laterals", "hint"} if place == last else set())
        layer = layers[place]
        for item in layer.select.expressions:
            _refuse_generators(item)
        layer.refuse_clauses(known)


def refuse_filters(layers: list[Layer], at: int, last: int) -> None:
    """Refuse filters above the lowest SELECT: rows that they take away hold sessions together.

    Raises:
        NotUnderstoodError: there is one.
    """
    for layer in layers[at:last]:
        if layer.where is not None:
            raise _late_filter(layer.where)


def filters_between(layers: list[Layer], at: int, last: int) -> list[exp.Expression]:
    """The filters above the lowest SELECT, over what it reads."""
    return [
        inlined(where, layers[place : last + 1])
        for place in reversed(range(at, last))
        if (where := layers[place].where) is not None
    ]


def _late_filter(where: exp.Expression) -> NotUnderstoodError:
    problem = (
        "this filter takes rows away after the sessions are made, so that rows which are not "
        "counted still hold sessions together"
    )
    mend = "filter before lag(), or in the aggregates: count(*) filter (where ...)"
    return not_understood("WHERE", where, problem, mend)


def _refuse_generators(item: exp.Expression) -> None:
    for call in item.find_all(exp.Anonymous, exp.UDTF, exp.Explode):
        name = str(call.this).lower() if isinstance(call, exp.Anonymous) else call.key
        if name in GENERATORS or isinstance(call, exp.UDTF | exp.Explode):
            problem = f"{name} makes several rows of one, beside the sessions"
            raise not_understood("SELECT", item, problem, BEFORE)
