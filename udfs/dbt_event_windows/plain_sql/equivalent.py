"""The text as Spark alone can read it, so that Spark can say whether it is valid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlglot import exp

from dbt_event_windows.plain_sql.aliases import item_name
from dbt_event_windows.plain_sql.functions import OWN_WINDOWS
from dbt_event_windows.plain_sql.grouping import Grouping
from dbt_event_windows.plain_sql.naming import quoted
from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.references import (
    WRAPPERS,
    call_name,
    lowered,
    parts_of,
    plain,
    references,
)
from dbt_event_windows.plain_sql.scope import Scope
from dbt_event_windows.plain_sql.statement import Item, Statement
from dbt_event_windows.plain_sql.text import Span, nodes
from dbt_event_windows.plain_sql.time_windows import TimeWindow


def spark_text(
    reading: Reading,
    statement: Statement,
    grouping: Grouping,
    own_aggregates: Sequence[exp.Expression],
) -> str:
    """The text with what is not Spark's own replaced, so that it gives columns of the same names.

    Our own windows become `window(time, '1 day')`, whose struct has the same fields; in GROUP BY
    their bounds do, too, since by one of them Spark knows no other. A user's
    aggregate becomes the function that ends it, which is there for itself and has its type; one
    that the session does not have becomes `any_value(column)`, and is refused by the macros.
    """
    text = reading.text
    window = grouping.window
    assert window is not None
    last = max(
        span[1]
        for span in [
            statement.from_,
            *(span for _, span in statement.groups),
            statement.group_all or (0, 0),
            statement.having[1] if statement.having else (0, 0),
        ]
    )
    replaced: dict[Span, str] = {}
    known = reading.questions.python_aggregates() if own_aggregates else []
    for call in own_aggregates:
        span = text.span(call)
        assert span is not None
        if call_name(call) in known:
            whole = text.span(_with_clauses(call))
            assert whole is not None
            clauses = text.spliced(whole, [(span, "any_value(null)")])
            replaced[whole] = f"{quoted(call_name(call) + '__finish')}({clauses})"
        else:
            replaced[span] = _any_value(reading, call)
    if window.struct in OWN_WINDOWS:
        for node in _expressions(statement):
            replaced |= dict(_windows_replaced(reading, node, window))
        for place in grouping.window_at:
            for span, _ in _within(place, replaced):
                del replaced[span]
            replaced[place] = _sparks_window(reading, window.time)
        for item in statement.items:
            inside = _within(item.span, replaced)
            name = own_name(item, window)
            if item.alias is None and inside and name is not None:
                sql = text.spliced(item.span, inside)
                for span, _ in inside:
                    del replaced[span]
                replaced[item.span] = f"{sql} as {quoted(name)}"
    return text.spliced((0, last), replaced.items())


def refuse_window_as_a_name(
    reading: Reading, statement: Statement, scope: Scope, grouping: Grouping
) -> None:
    """Refuse `window` as a name that Spark would confuse with that for a window of our own."""
    window = grouping.window
    if window is None or window.struct not in OWN_WINDOWS:
        return
    for node in _names_behind(statement, window, window.struct):
        words = (
            f"{window.struct} is the name of an item before it, which Spark would take here",
            "give the item another name",
        )
        reading.refuse("SELECT", node, words)
    named = [parts for node in _expressions(statement) for _, parts in references(node)]
    put = [("window", *parts[1:]) for parts in named if parts[0].lower() == window.struct]
    # in the SELECT list the name of an item goes before the struct, behind it the struct does
    having = [statement.having[0]] if statement.having is not None else []
    groups = [node for node, span in statement.groups if span not in grouping.window_at]
    behind = [*groups, *having]
    names_an_item = any(
        (item_name(item) or "").lower() == "window" and not _is_the_window(item, window)
        for item in statement.items
    )
    is_item = names_an_item and any(
        parts[0].lower() == "window" and scope.resolve(parts) is None
        for node in behind
        for _, parts in references(node)
    )
    is_item = is_item or any(_names_behind(statement, window, "window"))
    if is_item or any(scope.resolve(parts) is not None for parts in put):
        words = (
            "a table, a column or an item is named window too, and by this name Spark is asked "
            f"about {window.struct}",
            "give it another name",
        )
        reading.refuse_span("GROUP BY", window.span, words)


def _names_behind(statement: Statement, window: TimeWindow, name: str) -> Iterator[exp.Expression]:
    """Where items name the window behind an item of this name that is not the window."""
    is_behind = False
    for item in statement.items:
        for node, parts in references(item.node) if is_behind else ():
            if parts[0].lower() == window.struct:
                yield node
        is_named = (item_name(item) or "").lower() == name
        is_behind = is_behind or (is_named and not _is_the_window(item, window))


def _is_the_window(item: Item, window: TimeWindow) -> bool:
    node = plain(item.node)
    return call_name(node) == window.struct or lowered(parts_of(node) or ()) == (window.struct,)


def own_name(item: Item, window: TimeWindow) -> str | None:
    """The name of an item without an alias that is a window of our own or a bound of it."""
    node = plain(item.node)
    parts = parts_of(node)
    if parts is not None:
        return parts[-1]
    if call_name(node) == window.struct:
        return window.struct
    if isinstance(node, exp.Dot) and call_name(node.this) == window.struct:
        return f"{window.struct}.{node.expression.name}"
    return None


def is_sparks(item: Item, window: TimeWindow, own_aggregates: Sequence[exp.Expression]) -> bool:
    """Whether Spark can read an item as it stands."""
    if window.struct in OWN_WINDOWS:
        calls = any(call_name(one) == window.struct for one in nodes(item.node))
        if calls or any(parts[0].lower() == window.struct for _, parts in references(item.node)):
            return False
    own = {id(call) for call in own_aggregates}
    return not any(id(one) in own for one in nodes(item.node))


def _within(span: Span, replaced: dict[Span, str]) -> list[tuple[Span, str]]:
    return [(at, new) for at, new in replaced.items() if span[0] <= at[0] and at[1] <= span[1]]


def _expressions(statement: Statement) -> Iterator[exp.Expression]:
    yield from (item.node for item in statement.items)
    yield from (node for node, _ in statement.groups)
    if statement.having is not None:
        yield statement.having[0]


def _windows_replaced(
    reading: Reading, node: exp.Expression, window: TimeWindow
) -> Iterator[tuple[Span, str]]:
    text = reading.text
    for call in nodes(node):
        span = text.span(call) if call_name(call) == window.struct else None
        if span is not None:
            yield span, _sparks_window(reading, call.expressions[0])
    for reference, parts in references(node):
        span = text.span(reference) if parts[0].lower() == window.struct else None
        if span is not None:
            yield (span[0], span[0]), "window"


def _sparks_window(reading: Reading, time: exp.Expression) -> str:
    span = reading.text.span(time)
    assert span is not None
    return f"window({reading.text.slice(span)}, '1 day')"


def _with_clauses(call: exp.Expression) -> exp.Expression:
    """A call with what follows it, such as its filter."""
    while isinstance(call.parent, WRAPPERS):
        call = call.parent
    return call


def _any_value(reading: Reading, call: exp.Expression) -> str:
    for reference, _ in references(call):
        span = reading.text.span(reference)
        if span is not None:
            return f"any_value({reading.text.slice(span)})"
    return "any_value(1)"
