"""The aggregate calls of a text: each once, over columns of the relation, under a name."""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from dbt_event_windows.plain_sql import notes, refusals
from dbt_event_windows.plain_sql.call import Call, orders, puts_nulls_elsewhere, take_apart
from dbt_event_windows.plain_sql.columns import WINDOW_COLUMNS, Columns
from dbt_event_windows.plain_sql.expressions import check_row_by_row, counts_rows, refused_call
from dbt_event_windows.plain_sql.functions import KEEP_ROWS, TAKE_ONE_ROW, Kind, kind_of
from dbt_event_windows.plain_sql.key_columns import KeyColumns
from dbt_event_windows.plain_sql.naming import Names, from_sql, quoted, stored
from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.references import (
    WRAPPERS,
    Canonical,
    call_name,
    is_captured,
    is_field,
    references,
)
from dbt_event_windows.plain_sql.statement import Item
from dbt_event_windows.plain_sql.text import Span, nodes
from dbt_event_windows.plain_sql.time_windows import is_time_window

_COUNT_ALL: Call = {
    "function": "count",
    "distinct": False,
    "arguments": ["*"],
    "columns": [None],
    "filter": None,
    "nulls": None,
    "order": None,
    "text": "count(*)",
}


class _NotFoundError(Exception):
    """A piece of a call is not found in the text."""


class Aggregates:
    """Collects aggregates; `struct` is the name of the time window.

    `calls` has each call by its name, `own` the calls of a user's own aggregates.
    """

    def __init__(self, reading: Reading, columns: Columns, keys: KeyColumns, struct: str) -> None:
        self.reading = reading
        self.columns = columns
        self.scope = columns.scope
        self.keys = keys
        self.struct = struct
        self.calls: dict[str, Call] = {}
        self.own: list[exp.Expression] = []
        self._names = Names([*WINDOW_COLUMNS, *keys.names, *columns.variables])
        self._name_of: dict[Canonical, str] = {}

    def name_items(self, items: Iterable[Item]) -> None:
        """Let an item that is one call give it its name, wherever else the call stands."""
        for item in items:
            if item.alias and self.call_of(item.node) is not None:
                self._name(item.node, stored(item.alias))

    def all(self) -> dict[str, Call]:
        """The aggregates; a windows table has at least one."""
        return self.calls or {self._names.take("count_all"): _COUNT_ALL}

    def call_of(self, node: exp.Expression) -> exp.Expression | None:
        """The call in `fn(...) [ignore nulls] [within group ...] [filter ...]` if it aggregates."""
        call = node
        while isinstance(call, WRAPPERS):
            call = call.this
        kind = kind_of(call_name(call)) if call_name(call) else Kind.ROW
        aggregates = kind is Kind.AGGREGATE or (kind is Kind.UNKNOWN and self._is_own(call))
        return call if aggregates else None

    def _is_own(self, call: exp.Expression) -> bool:
        """Whether an unknown function must be a user's aggregate: it takes columns of rows."""
        if any(kind_of(call_name(one)) is Kind.AGGREGATE for one in nodes(call)):
            return False
        takes_all = any(isinstance(argument, exp.Star) for argument in call.expressions)
        of_rows = [parts for _, parts in references(call) if parts[0].lower() != self.struct]
        return takes_all or any(self.keys.column(parts) is None for parts in of_rows)

    def add(self, node: exp.Expression, call: exp.Expression, clause: str) -> str | None:
        """The name of the column for an aggregate; none if something in it is refused."""
        known = self._name_of.get(self.scope.canonical_of(node))
        if known in self.calls:
            return known
        before = len(self.reading.problems.found)
        self._check(node, call, clause)
        if len(self.reading.problems.found) > before:
            return None
        taken_apart = self._over_the_relation(node, call, clause)
        if taken_apart is None:
            return None
        name = known or self._name(node, from_sql(taken_apart["text"]))
        self.calls[name] = taken_apart
        self._note(node, call)
        if kind_of(call_name(call)) is Kind.UNKNOWN:
            self.own.append(call)
        return name

    def _name(self, node: exp.Expression, wish: str) -> str:
        canonical = self.scope.canonical_of(node)
        if canonical not in self._name_of:
            self._name_of[canonical] = self._names.take(wish)
        return self._name_of[canonical]

    def _over_the_relation(
        self, node: exp.Expression, call: exp.Expression, clause: str
    ) -> Call | None:
        """The call with the names that its columns have in the relation; none if it is refused."""
        replaced = self._replaced(node, clause)

        def written(piece: exp.Expression) -> str:
            span = self.reading.text.span(piece)
            if span is None or replaced is None:
                raise _NotFoundError
            inside = [one for one in replaced if span[0] <= one[0][0] <= span[1]]
            return self.reading.text.spliced(span, inside)

        try:
            return take_apart(node, call, written)
        except _NotFoundError:
            self.reading.refuse(clause, node, refusals.NOT_UNDERSTOOD)
            return None

    def _replaced(self, node: exp.Expression, clause: str) -> list[tuple[Span, str]] | None:
        """Where a column has another name in the relation, and this name."""
        text = self.reading.text
        replaced = []
        for reference, parts in references(node):
            at = text.span(reference)
            if at is None:
                return None
            sql = text.slice(at)
            name = self.columns.column(sql, parts)
            if name.lower() == parts[-1].lower():
                name = parts[-1]  # Spark names the fields of a struct as the text writes them
            elif is_field(reference):
                self.reading.refuse(clause, reference, refusals.FIELD_WITHOUT_A_NAME)
            if is_captured(reference, quoted(name)):
                self.reading.refuse(clause, reference, refusals.CAPTURED)
            if quoted(name) != sql:
                replaced.append((at, quoted(name)))
        return replaced

    def _check(self, node: exp.Expression, call: exp.Expression, clause: str) -> None:
        def judge(inner: exp.Expression) -> refusals.Words | None:
            if inner is call:
                return None
            if kind_of(call_name(inner)) is Kind.AGGREGATE:
                return refusals.NESTED
            return refusals.WINDOW_IN_AGGREGATE if is_time_window(inner) else refused_call(inner)

        def refuse(found: exp.Expression, words: refusals.Words) -> None:
            if not (found.parent is call and counts_rows(call)):
                self.reading.refuse(clause, found, words)

        check_row_by_row(node, refuse, judge, self.scope, [self.struct])
        by = orders(node)
        if node.find(exp.WithinGroup) and not by:
            self.reading.refuse(clause, node, refusals.NOT_UNDERSTOOD)
        if len(by) > 1 or any(map(puts_nulls_elsewhere, by)):
            self.reading.refuse(clause, node, refusals.ORDER_WITHIN_GROUP)
        for reference, parts in references(node):
            if parts[0].lower() == self.struct:
                self.reading.refuse(clause, reference, refusals.WINDOW_IN_AGGREGATE)

    def _note(self, node: exp.Expression, call: exp.Expression) -> None:
        name = call_name(call)
        if name in TAKE_ONE_ROW:
            self.reading.note(notes.TAKES_ONE_ROW.format(name=name))
        if name in KEEP_ROWS and not node.find(exp.WithinGroup):
            self.reading.note(notes.KEEPS_ROWS.format(name=name))
