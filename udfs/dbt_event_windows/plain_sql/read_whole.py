"""What is only joined, read whole as it stands at the refresh.

It may group, number and compare rows, as a view that is joined may. Refused is what can give other
rows each time it is read: within one refresh it is read several times.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from dbt_event_windows.plain_sql import refusals
from dbt_event_windows.plain_sql.clauses import BELOW, takes_all_rows, takes_no_rows
from dbt_event_windows.plain_sql.ctes import Cte, Ctes, ctes_of
from dbt_event_windows.plain_sql.expressions import kind_of_call, refused
from dbt_event_windows.plain_sql.functions import KEEP_ROWS, TAKE_ONE_ROW, Kind
from dbt_event_windows.plain_sql.naming import word_set
from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.references import below, call_name

# What a query may be made of besides expressions, by the names of sqlglot's classes.
_QUERIES = word_set(
    """
    CTE Cube Except Exists From Group GroupingSets Having Intersect Join Lateral Order Ordered
    Rollup Select SetOperation Star Subquery Table TableAlias Tuple Union Values Version Window
    WindowSpec
    """
)
_OTHER_ROWS = {
    "Limit": "LIMIT", "Offset": "OFFSET", "Pivot": "PIVOT", "Qualify": "QUALIFY",
    "TableSample": "TABLESAMPLE",
}  # fmt: skip
_SETTLED = (Kind.ROW, Kind.AGGREGATE, Kind.OVER, Kind.GENERATOR, Kind.GROUPING)

_LISTS = KEEP_ROWS | {"collect_set"}
# Of a list they give the same, whatever its order.
_OF_ANY_ORDER = word_set(
    "array_contains array_max array_min array_size array_sort cardinality size sort_array"
)
_OF_EACH_ELEMENT = word_set("exists forall")
# Of a list they give another one, with an order as open as its own.
_LISTS_OF_LISTS = word_set(
    "array_compact array_distinct array_except array_intersect array_remove array_union filter"
)

# A table, and what reads a CTE of its name, give the tables below it.
Table = Callable[[exp.Table, Ctes, str, Callable[[Cte], frozenset[str]]], frozenset[str]]


class WholeQuery:
    """Reads queries whole; `table` registers a table that one reads."""

    def __init__(self, reading: Reading, table: Table) -> None:
        self.reading = reading
        self._table = table

    def tables(self, node: exp.Expression, outer: Ctes, clause: str) -> frozenset[str]:
        """The tables below a query or a part of it, in subqueries of its expressions too."""
        ctes = ctes_of(self.reading, node, outer)
        words = _refused(node)
        if words is not None:
            self.reading.refuse(clause, node, words)
            return frozenset()
        found = frozenset[str]()
        if isinstance(node, exp.Table):
            found = self._table(node, ctes, clause, self._cte)
        for child in below(node):
            if not isinstance(child, exp.With | exp.Hint):
                found |= self.tables(child, ctes, clause)
        return found

    def _cte(self, cte: Cte) -> frozenset[str]:
        return self.tables(cte.query, cte.around, f"WITH {cte.name}")


def _refused(node: exp.Expression) -> refusals.Words | None:
    if isinstance(node, exp.Anonymous):
        return _refused_call(node)
    name = type(node).__name__
    if name in _OTHER_ROWS:
        return None if takes_no_rows(node) or takes_all_rows(node) else BELOW[_OTHER_ROWS[name]]
    is_star = isinstance(node, exp.Column) and bool(node.is_star)
    return None if name in _QUERIES or is_star or isinstance(node, exp.In) else refused(node)


def _refused_call(node: exp.Anonymous) -> refusals.Words | None:
    name, kind = call_name(node), kind_of_call(node)
    if kind not in _SETTLED:
        return refusals.function(kind, name)
    if name not in TAKE_ONE_ROW | _LISTS:
        return None
    around = _around(node)
    if isinstance(around, exp.WithinGroup) or (
        isinstance(around, exp.Window) and _has_order(around)
    ):
        return None
    if isinstance(around, exp.Window):
        around = _around(around)
    return None if name in _LISTS and _is_settled(node, around) else refusals.ANY_ORDER


def _is_settled(node: exp.Expression, around: exp.Expression) -> bool:
    """Whether what a list stands in, as its first argument, is the same whatever its order."""
    arguments = around.args.get("expressions") or []
    if not arguments or all(one is not node for one in arguments[0].walk()):
        return False
    call = call_name(around)
    lambdas = [one for one in arguments if isinstance(one, exp.Lambda)]
    if call in _LISTS_OF_LISTS:
        # of two names the second is the place of an element
        has_places = any(len(one.expressions) > 1 for one in lambdas)
        return not has_places and _is_settled(around, _around(around))
    return call in _OF_EACH_ELEMENT or (call in _OF_ANY_ORDER and not lambdas)


def _around(node: exp.Expression) -> exp.Expression:
    """What an expression stands in, but for what follows a call."""
    around = node.parent
    while isinstance(around, exp.Filter | exp.IgnoreNulls | exp.RespectNulls):
        around = around.parent
    return around if isinstance(around, exp.Expression) else exp.Null()


def _has_order(window: exp.Window) -> bool:
    """Whether OVER says an order, or the WINDOW clause does for its name."""
    select = window.find_ancestor(exp.Select)
    clause = select.args.get("windows") or [] if select is not None else []
    name = window.text("alias").lower()
    named = (one for one in clause if one is not window and one.name.lower() == name)
    return bool(window.args.get("order")) or (bool(name) and any(map(_has_order, named)))
