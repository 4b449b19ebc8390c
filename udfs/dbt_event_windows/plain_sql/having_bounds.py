"""HAVING over the bounds of sessions, which Spark asks of each row.

Spark moves a condition without an aggregate below the GROUP BY, where each row has bounds of its
own: it then leaves out rows of a session, not sessions. It finds such a condition wherever it can
make it one that must hold by itself: `(n > 1 and c) = true` is `n > 1 and c`.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from dbt_event_windows.plain_sql import refusals
from dbt_event_windows.plain_sql.aliases import has_aggregate, item_name, plain
from dbt_event_windows.plain_sql.bounds import Bounds
from dbt_event_windows.plain_sql.functions import Kind, kind_of
from dbt_event_windows.plain_sql.naming import word_set
from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.references import below, call_name, parts_of, references
from dbt_event_windows.plain_sql.statement import Statement
from dbt_event_windows.plain_sql.text import nodes

_CHOICES = word_set("coalesce if ifnull nullif nvl nvl2")

_BOUNDS_OF_ROWS: refusals.Words = (
    "Spark can ask this of the bounds that each row alone has, before rows are joined to sessions",
    f"leave it out here and {refusals.READS_ON}",
)


def refuse_bounds_of_rows(reading: Reading, statement: Statement, bounds: Bounds) -> None:
    """Refuse the conditions of HAVING on the bounds of sessions alone."""
    if statement.having is None or bounds.window.type != "session":
        return

    def is_bound(node: exp.Expression) -> bool:
        return bounds.of(node, "SELECT") is not None

    for condition in _of_no_aggregate(statement.having[0], statement, True):
        asked = _asked_whether_null(condition, statement)
        if asked and all(map(is_bound, asked)):
            continue  # each row has bounds as its session has
        pieces = [condition, *_items_named_in(condition, statement)]
        if any(is_bound(one) for piece in pieces for one in nodes(piece)):
            reading.refuse("HAVING", condition, _BOUNDS_OF_ROWS)


def _of_no_aggregate(
    node: exp.Expression, statement: Statement, is_condition: bool
) -> Iterator[exp.Expression]:
    """The conditions without an aggregate: what AND, OR and NOT put together, and comparisons.

    They may stand anywhere in a condition that has one.
    """

    def aggregates(*parts: exp.Expression) -> bool:
        named = (item for part in parts for item in _items_named_in(part, statement))
        return any(map(has_aggregate, [*parts, *named]))

    is_logic = isinstance(node, exp.And | exp.Not | exp.Or | exp.Paren)
    was_condition = is_condition
    is_condition = not is_logic and (is_condition or isinstance(node, exp.Predicate))
    asked = [[node]]
    if isinstance(node, exp.Between):
        asked = [[node.this, node.args[end]] for end in ("low", "high")]  # a >= low and a <= high
    if is_condition and not all(aggregates(*whole) for whole in asked):
        yield node
    elif not isinstance(node, exp.Filter) and kind_of(call_name(node)) is not Kind.AGGREGATE:
        hands_on = is_logic or (was_condition and _is_choice(node)) or _is_compared_with_truth(node)
        for child in below(node):
            yield from _of_no_aggregate(child, statement, hands_on)


def _is_choice(node: exp.Expression) -> bool:
    """Whether it gives one of its parts: Spark makes `if(n > 1, c, false)` `n > 1 and c`."""
    return isinstance(node, exp.Case | exp.If) or call_name(node) in _CHOICES


def _is_compared_with_truth(node: exp.Expression) -> bool:
    return isinstance(node, exp.Binary | exp.Is) and any(
        isinstance(plain(one), exp.Boolean) for one in below(node)
    )


def _items_named_in(node: exp.Expression, statement: Statement) -> list[exp.Expression]:
    names = {parts[0].lower() for _, parts in references(node)}
    return [item.node for item in statement.items if (item_name(item) or "").lower() in names]


def _asked_whether_null(condition: exp.Expression, statement: Statement) -> list[exp.Expression]:
    """What `... is null` asks of, by itself or by the name of an item; nothing for another one."""
    if not (isinstance(condition, exp.Is) and isinstance(condition.expression, exp.Null)):
        return []
    asked = plain(condition.this)
    named = _items_named_in(asked, statement) if parts_of(asked) is not None else []
    return [plain(one) for one in named or [asked]]
