"""Names in GROUP BY: columns, or aliases of the SELECT list.

Spark takes a name as a column where there is one, else as an alias. Which columns a table has no
text says. But Spark is asked whether the text is valid, and of most texts only one reading is.
Where both are, the text is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Set

from sqlglot import exp

from dbt_event_windows.plain_sql.functions import AGGREGATES, TIME_WINDOWS, Kind, kind_of
from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.references import (
    Canonical,
    Parts,
    Scope,
    below,
    call_name,
    parts_of,
    references,
)
from dbt_event_windows.plain_sql.statement import Item, Statement
from dbt_event_windows.plain_sql.text import Span, nodes

_CLAUSE = "GROUP BY"


class Aliases:
    """Says what names in GROUP BY mean, and refuses those that can mean two things."""

    def __init__(self, reading: Reading, statement: Statement, scope: Scope) -> None:
        self.reading = reading
        self.statement = statement
        self.scope = scope

    def item(self, parts: Parts, span: Span) -> Item | None:
        """The item whose alias a name in GROUP BY is; none where it is a column."""
        name = parts[0].lower()
        items = [one for one in self.statement.items if (one.alias or "").lower() == name]
        if len(parts) != 1 or not items:
            return None
        item = items[0]
        if not _is_new_name(item, name):
            return item  # `v.user_id as user_id`: the same column either way
        if self.scope.columns is not None:
            return None if name in self.scope.columns else item
        if name in self._known_columns() or has_aggregate(item.node):
            return None  # an aggregate cannot be grouped by
        if names_a_window(item.node):
            self.reading.refuse_span(_CLAUSE, span, part_of_the_window(parts))
        elif self._follows_from_the_others(item.node, parts):
            words = (
                f"'{parts[0]}' can be a column or the name of a SELECT item, and both would be "
                "valid",
                "leave it out: it follows from what else is grouped by; or give the item another "
                "name",
            )
            self.reading.refuse_span(_CLAUSE, span, words)
        return item

    def refuse_inside(self, node: exp.Expression) -> None:
        """Refuse names in a grouped expression that may be those of SELECT items."""
        known = self._known_columns()
        for reference, parts in references(node):
            name = parts[0].lower()
            aliases = [
                item
                for item in self.statement.items
                if _is_new_name(item, name) and _can_be_grouped_by(item.node)
            ]
            if len(parts) == 1 and aliases and name not in known:
                words = (
                    f"'{parts[0]}' can be a column or the name of a SELECT item",
                    "write the expression itself, or give the item another name",
                )
                self.reading.refuse(_CLAUSE, reference, words)

    def refuse_before(self, item: Item) -> None:
        """Refuse names in a grouped item that may be those of an item before it."""
        before = self.statement.items[: self.statement.items.index(item)]
        known = self._known_columns()
        for node, parts in references(item.node):
            name = parts[0].lower()
            aliases = [one for one in before if _is_new_name(one, name)]
            if self.statement.group_all is None:
                # grouped by the name of an aggregate it would not be valid
                aliases = [one for one in aliases if not has_aggregate(one.node)]
            if aliases and name not in known:
                words = (
                    f"'{parts[0]}' can be a column or the name of an item before it, and rows are "
                    "grouped by what it means",
                    "write the expression itself, or give the item before it another name",
                )
                self.reading.refuse("SELECT", node, words)

    def _follows_from_the_others(self, node: exp.Expression, parts: Parts) -> bool:
        """Whether an item is made of what else is grouped by, and so is valid beside a column."""
        others = set()
        for other, _ in self.statement.groups:
            number = position(other)
            if number is not None and 1 <= number <= len(self.statement.items):
                other = self.statement.items[number - 1].node
            if parts_of(plain(other)) != parts:
                others.add(self.scope.canonical_of(other))
        return _is_made_of(node, others, self.scope)

    def _known_columns(self) -> Set[str]:
        """All columns where the text says them, else those that the text uses as columns."""
        columns = self.scope.columns
        return columns if columns is not None else set(self._used_columns())

    def _used_columns(self) -> Iterator[str]:
        """Names that stand where Spark reads columns only, never aliases of the SELECT list."""
        where = self.statement.select.args.get("where")
        places = [where] if isinstance(where, exp.Expression) else []
        places += self.statement.select.args.get("joins") or []
        aliases: set[str] = set()
        for item in self.statement.items:
            places += _inside_aggregates(item.node)
            # an item sees the aliases before it, not its own
            if not aliases & {parts[0].lower() for _, parts in references(item.node)}:
                places.append(item.node)
            aliases.add((item.alias or "").lower())
        for place in places:
            for _, parts in references(place):
                if len(parts) == 1:
                    yield parts[0].lower()


def has_aggregate(node: exp.Expression) -> bool:
    """Whether an expression calls an aggregate, or what can only be a user's own one."""
    calls = (call_name(one) for one in nodes(node))
    return any(kind_of(name) in (Kind.AGGREGATE, Kind.UNKNOWN) for name in calls if name)


def plain(node: exp.Expression) -> exp.Expression:
    """An expression without brackets around it."""
    return plain(node.this) if isinstance(node, exp.Paren) else node


def position(node: exp.Expression) -> int | None:
    """The number in `group by 1`."""
    if isinstance(node, exp.Neg):
        inner = position(node.this)
        return None if inner is None else -inner
    if isinstance(node, exp.Literal) and not node.is_string and str(node.this).isdigit():
        return int(str(node.this))
    return None


def names_a_window(node: exp.Expression) -> bool:
    """Whether an expression is a time window or a bound of it by its name, `window.start`."""
    parts = parts_of(plain(node))
    return parts is not None and parts[0].lower() in TIME_WINDOWS


def part_of_the_window(parts: Parts) -> tuple[str, str]:
    return (
        f"'{'.'.join(parts)}' is a part of the time window",
        "group by the window itself, with its arguments",
    )


def _can_be_grouped_by(node: exp.Expression) -> bool:
    """Whether Spark takes the name of an item in GROUP BY, where the window is not known yet."""
    named = any(parts[0].lower() in TIME_WINDOWS for _, parts in references(node))
    return not named and not has_aggregate(node)


def _is_new_name(item: Item, name: str) -> bool:
    """Whether an item has a name by its alias that is not that of its column anyway."""
    own = parts_of(item.node)
    return (item.alias or "").lower() == name and (own is None or own[-1].lower() != name)


def _is_made_of(node: exp.Expression, made: Set[Canonical], scope: Scope) -> bool:
    """Whether each column in an expression stands in one of some expressions, or is one."""
    if scope.canonical_of(node) in made:
        return True
    if parts_of(node) is not None:
        return False
    return all(_is_made_of(child, made, scope) for child, _ in below(node))


def _inside_aggregates(node: exp.Expression) -> list[exp.Expression]:
    if call_name(node) in AGGREGATES:
        return list(node.expressions)
    return [found for child, _ in below(node) for found in _inside_aggregates(child)]
