"""What the rows are grouped by: the key and the one time window."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlglot import exp

from dbt_event_windows.plain_sql import refusals
from dbt_event_windows.plain_sql.aliases import (
    Aliases,
    has_aggregate,
    item_name,
    position,
)
from dbt_event_windows.plain_sql.expressions import check_row_by_row, refused_call
from dbt_event_windows.plain_sql.functions import OWN_WINDOWS, SPARK_WINDOWS, Kind, kind_of
from dbt_event_windows.plain_sql.notes import note_zone
from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.references import Parts, call_name, parts_of, plain, references
from dbt_event_windows.plain_sql.scope import Scope
from dbt_event_windows.plain_sql.statement import Item, Statement
from dbt_event_windows.plain_sql.text import Span, nodes
from dbt_event_windows.plain_sql.time_windows import (
    TimeWindow,
    is_time_window,
    is_window_again,
    read_time_window,
)

_CLAUSE = "GROUP BY"
_PART: refusals.Words = (
    "this is a part of the time window",
    "group by the window itself, with its arguments",
)
_OF_SESSIONS: refusals.Words = (
    "Spark groups by the bounds that each row alone has, before rows are joined to sessions",
    "group by session_window(...) itself, and write this in the SELECT list",
)
_IN_AN_EXPRESSION: refusals.Words = (
    "the time window stands inside an expression",
    "group by the window itself, and write the expression in the SELECT list",
)
_AGGREGATE: refusals.Words = (
    "an aggregate cannot be grouped by, in Spark neither",
    f"take it out of the GROUP BY, or {refusals.READS_ON}",
)
_SECOND: refusals.Words = (
    "there is a second time window, and a row here has one window",
    "write one model for each window",
)
_UNCLEAR: refusals.Words = (
    "with GROUP BY ALL this can be a part of the time window or a column",
    "list what to group by: GROUP BY the key and the time window",
)


@dataclass(frozen=True)
class Key:
    """One column of the key: its expression, where that stands, and the name it is selected by."""

    node: exp.Expression
    span: Span
    parts: Parts | None
    alias: str | None


@dataclass
class Grouping:
    """The key and the window; `complete` unless some of GROUP BY is refused.

    `window_at`: where in GROUP BY the window or a bound of it is written, numbered or named.
    """

    keys: list[Key] = field(default_factory=list)
    window: TimeWindow | None = None
    window_at: list[Span] = field(default_factory=list)
    complete: bool = True


class GroupingReader:
    """Reads GROUP BY; what is wrong with it is refused."""

    def __init__(self, reading: Reading, statement: Statement, scope: Scope) -> None:
        self.reading = reading
        self.statement = statement
        self.scope = scope
        self.aliases = Aliases(reading, statement, scope)
        self.grouping = Grouping()
        self._seen: set[object] = set()
        self._of_the_window: list[tuple[exp.Expression, Span]] = []

    def read(self) -> Grouping:
        before = len(self.reading.problems.found)
        self._read()
        self.grouping.complete = len(self.reading.problems.found) == before
        return self.grouping

    def _read(self) -> None:
        if self.statement.group_all is not None:
            self._all()
        for node, span in self.statement.groups:
            self._group(plain(node), span)
        for node, span in self._of_the_window:
            self._check_follows(node, span)
        if self.grouping.window is None and not self.reading.problems:
            self._refuse_no_window()

    # items

    def _all(self) -> None:
        """GROUP BY ALL: each item without an aggregate."""
        for item in self.statement.items:
            if has_aggregate(item.node):
                continue
            self.aliases.refuse_before(item)
            self._add(item.node, item.span, item.alias, item.span)

    def _group(self, node: exp.Expression, span: Span) -> None:
        """One item of GROUP BY: a number, a name or an expression."""
        parts = parts_of(node)
        item = self._numbered(node, span)
        if item is None and parts is not None:
            item = self.aliases.item(parts)
        if item is not None:
            self.aliases.refuse_before(item)
            self._add(item.node, item.span, item.alias, span)
        elif position(node) is None:
            if parts is None:
                self.aliases.refuse_inside(node)
            self._add(node, span, self._selected_as(node), span)

    def _numbered(self, node: exp.Expression, span: Span) -> Item | None:
        number = position(node)
        if number is None:
            return None
        if not 1 <= number <= len(self.statement.items):
            words = (f"there is no item {number} in the SELECT list", "name what to group by")
            self.reading.refuse_span(_CLAUSE, span, words)
            return None
        return self.statement.items[number - 1]

    def _selected_as(self, node: exp.Expression) -> str | None:
        """The alias under which an expression stands in the SELECT list."""
        canonical = self.scope.canonical_of(node)
        items = (item for item in self.statement.items if item.alias)
        same = (item.alias for item in items if self.scope.canonical_of(item.node) == canonical)
        return next(same, None)

    def _add(self, node: exp.Expression, span: Span, alias: str | None, at: Span) -> None:
        """Group by an expression of the SELECT list or of GROUP BY, where `at` stands for it."""
        node = plain(node)
        call = _window_of(node)
        if any(kind_of(call_name(one)) is Kind.AGGREGATE for one in nodes(node)):
            self.reading.refuse_span(_CLAUSE, at, _AGGREGATE)
        elif call is not None:
            if self.statement.group_all is None:
                self.grouping.window_at.append(at)
            self._add_window(call, node, span)
        elif self._has_the_window(node):
            self._of_the_window.append((node, at))
        elif isinstance(node, exp.Tuple):
            words = ("columns in brackets are one struct for Spark", "leave out the brackets")
            self.reading.refuse_span(_CLAUSE, at, words)
        else:
            self._add_key(node, span, alias)

    def _add_key(self, node: exp.Expression, span: Span, alias: str | None) -> None:
        is_fine = self._check(node)
        canonical = self.scope.canonical_of(node)
        # A constant makes no groups.
        is_constant = next(references(node), None) is None
        if is_fine and not is_constant and canonical not in self._seen:
            self._seen.add(canonical)
            self.grouping.keys.append(Key(node, span, parts_of(node), alias))

    def _add_window(self, call: exp.Expression, node: exp.Expression, span: Span) -> None:
        """Group by a time window, or by a bound of it (`node`), which says as much of `window`."""
        if call is not node and call_name(call) == "session_window":
            # a bound of a row's own session, before Spark joins it to others
            words = (
                "grouped by a bound of session_window, rows are not joined to windows",
                "group by session_window(...) itself, and select the bound",
            )
            self.reading.refuse_span(_CLAUSE, span, words)
            return
        at = self.reading.text.span(call) or span
        window = read_time_window(self.reading, call, at, _CLAUSE)
        known = self.grouping.window
        if window is None:
            return
        if known is not None:
            if known.same(self.scope) != window.same(self.scope):
                self.reading.refuse_span(_CLAUSE, at, _SECOND)
            return
        self.grouping.window = window
        for expression in filter(None, (window.time, window.gap)):
            self._check(expression)
            self.aliases.refuse_inside(expression)
        if next(references(window.time), None) is None:
            words = ("the time of a window must be a column", "give the column of the event time")
            self.reading.refuse_span(_CLAUSE, at, words)
        if self.scope.has_relation(window.struct) or self.scope.resolve((window.struct,)):
            words = (
                f"a table or a column is named {window.struct} too, so that {window.struct}.start "
                "has two meanings",
                "give it another name",
            )
            self.reading.refuse_span(_CLAUSE, at, words)

    def _has_the_window(self, node: exp.Expression) -> bool:
        """Whether an expression holds a time window or names one."""
        return any(is_time_window(one) for one in nodes(node)) or any(
            self._names_a_window(parts) for _, parts in references(node)
        )

    def _names_a_window(self, parts: Parts) -> bool:
        named = parts[0].lower() in SPARK_WINDOWS | OWN_WINDOWS
        return named and self.scope.resolve(parts) is None

    def _check_follows(self, node: exp.Expression, span: Span) -> None:
        """Refuse an expression over the window, unless it is the same for all rows of a group."""
        window = self.grouping.window
        if window is None or (window.type == "session" and not self.statement.group_all):
            parts = parts_of(node)
            words = _PART if parts is not None else _IN_AN_EXPRESSION
            if window is not None:
                words = _OF_SESSIONS
            self.reading.refuse_span(_CLAUSE, span, words)
        elif window.type == "session":
            self.reading.refuse_span("SELECT", span, _UNCLEAR)
        elif not self._is_made_of_groups(node, window):
            self.reading.refuse_span(_CLAUSE, span, _IN_AN_EXPRESSION)
        else:
            self._check(node, window)

    def _is_made_of_groups(self, node: exp.Expression, window: TimeWindow) -> bool:
        keys = [self.scope.resolve(key.parts) for key in self.grouping.keys if key.parts]
        for found in nodes(node):
            if not is_time_window(found):
                continue
            if not is_window_again(self.reading, self.scope, found, window, _CLAUSE):
                return False
        inside = {id(one) for call in nodes(node) if is_time_window(call) for one in nodes(call)}
        for reference, parts in references(node):
            column = self.scope.resolve(parts)
            is_bound = column is None and parts[0].lower() == window.struct
            is_key = column is not None and any(key and column.within(key) for key in keys)
            if not (is_bound or is_key or id(reference) in inside):
                return False
        return True

    def _check(self, node: exp.Expression, window: TimeWindow | None = None) -> bool:
        """Whether an expression is row by row, beside a window; if not, it is refused."""

        def call(one: exp.Expression) -> refusals.Words | None:
            return None if window is not None and is_time_window(one) else refused_call(one)

        before = len(self.reading.problems.found)

        def refuse(found: exp.Expression, words: refusals.Words) -> None:
            self.reading.refuse(_CLAUSE, found, words)

        # the names of items have words of their own
        others = [(item_name(item) or "").lower() for item in self.statement.items]
        others += [window.struct] if window is not None else []
        check_row_by_row(node, refuse, call, self.scope, others)
        note_zone(self.reading, node, self.scope)
        return len(self.reading.problems.found) == before

    def _refuse_no_window(self) -> None:
        items = self.statement.items
        selected = [one for item in items for one in nodes(item.node) if is_time_window(one)]
        if selected:
            words = ("the time window is not in the GROUP BY", "group by it, as it stands here")
            self.reading.refuse("SELECT", selected[0], words)
            return
        groups = [span for _, span in self.statement.groups]
        whole = self.statement.group_all or (groups[0][0], groups[-1][1])
        words = (
            "there is no time window in the GROUP BY, and only windows can be kept up to date",
            "group by session_window(time, gap), window(time, size) or calendar_window(time, "
            "'day') too; without a window use another materialization",
        )
        self.reading.refuse_span(_CLAUSE, whole, words)


def _window_of(node: exp.Expression) -> exp.Expression | None:
    """The call in `window(...)` and in `window(...).start`; none for anything else."""
    if isinstance(node, exp.Dot) and isinstance(node.expression, exp.Identifier):
        # several cumulating windows have one start
        bounds = ("end",) if call_name(node.this) == "cumulate_window" else ("start", "end")
        is_bound = node.expression.name.lower() in bounds
        node = node.this if is_bound else node
    return node if isinstance(node, exp.Expression) and is_time_window(node) else None
