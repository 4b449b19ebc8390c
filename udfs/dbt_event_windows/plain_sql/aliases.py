"""Names in GROUP BY: columns, or names of the SELECT list.

As in Spark a name is a column where there is one, whatever an item is called.
"""

from __future__ import annotations

from sqlglot import exp

from dbt_event_windows.plain_sql.functions import Kind, kind_of
from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.references import Parts, call_name, parts_of, plain, references
from dbt_event_windows.plain_sql.scope import Scope
from dbt_event_windows.plain_sql.statement import Item, Statement
from dbt_event_windows.plain_sql.text import nodes

_CLAUSE = "GROUP BY"


class Aliases:
    """Says what names in GROUP BY mean, and refuses those whose meaning stands elsewhere."""

    def __init__(self, reading: Reading, statement: Statement, scope: Scope) -> None:
        self.reading = reading
        self.statement = statement
        self.scope = scope

    def item(self, parts: Parts) -> Item | None:
        """The item that a name in GROUP BY is; none where it is a column."""
        if len(parts) != 1 or self.scope.resolve(parts) is not None:
            return None
        name = parts[0].lower()
        items = (item for item in self.statement.items if (item_name(item) or "").lower() == name)
        return next(items, None)

    def refuse_inside(self, node: exp.Expression) -> None:
        """Refuse names of SELECT items within a grouped expression."""
        for reference, parts in references(node):
            if self.item(parts) is not None:
                words = (
                    f"'{parts[0]}' is no column of what is read here but the name of a SELECT item",
                    "write the expression itself",
                )
                self.reading.refuse(_CLAUSE, reference, words)

    def refuse_before(self, item: Item) -> None:
        """Refuse names of items before it in an item that is grouped by, as Spark does."""
        before = self.statement.items[: self.statement.items.index(item)]
        names = {(item_name(one) or "").lower() for one in before}
        for node, parts in references(item.node):
            if parts[0].lower() in names and self.scope.resolve(parts) is None:
                words = (
                    f"'{parts[0]}' is the name of an item before it, which Spark does not take in "
                    "an item that is grouped by",
                    "write the expression itself",
                )
                self.reading.refuse("SELECT", node, words)


def item_name(item: Item) -> str | None:
    """The name that Spark gives an item by which it can be named; none for other expressions."""
    parts = parts_of(plain(item.node))
    return item.alias or (parts[-1] if parts else None)


def has_aggregate(node: exp.Expression) -> bool:
    """Whether an expression calls an aggregate, or what can only be a user's own one."""
    calls = (call_name(one) for one in nodes(node))
    return any(kind_of(name) in (Kind.AGGREGATE, Kind.UNKNOWN) for name in calls if name)


def position(node: exp.Expression) -> int | None:
    """The number in `group by 1`."""
    if isinstance(node, exp.Neg):
        inner = position(node.this)
        return None if inner is None else -inner
    if isinstance(node, exp.Literal) and not node.is_string and str(node.this).isdigit():
        return int(str(node.this))
    return None
