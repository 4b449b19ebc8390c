"""Which columns of the result tell its groups apart."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlglot import exp

from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.statement import Item, Statement
from dbt_event_windows.rollup.refused import has_aggregate

_NOTHING = (
    "GROUP BY ALL finds nothing to group by: every column is an aggregate",
    "show what tells the rows of the result apart",
)


@dataclass(frozen=True)
class Group:
    """A group expression: the place of the item that shows it, or its text, to be added."""

    place: int | None
    hidden: str | None = None


def groups_of(reading: Reading, statement: Statement, inputs: Collection[str]) -> list[Group]:
    """The groups of a SELECT; `inputs` are the names of the columns of its FROM."""
    items = statement.items
    if statement.group_all is not None:
        shown = [place for place, item in enumerate(items) if not has_aggregate(item.node)]
        if not shown:
            reading.refuse_span("GROUP BY", statement.group_all, _NOTHING)
        return [Group(place) for place in shown]
    names = {name.lower() for name in inputs}
    groups = []
    for node, span in statement.groups:
        place = _place(node, items, names)
        groups.append(Group(place, None if place is not None else reading.text.slice(span)))
    return list(dict.fromkeys(groups))


def _place(node: exp.Expression, items: list[Item], inputs: Collection[str]) -> int | None:
    """The item that is a group expression, as Spark resolves it; none if no item surely is."""
    if isinstance(node, exp.Literal) and not node.is_string and str(node.this).isdigit():
        return int(node.this) - 1
    for place, item in enumerate(items):
        if item.node == node:
            return place
    # a name is a column of FROM, and only where there is none of that name an alias
    if isinstance(node, exp.Column) and not node.table and node.name.lower() not in inputs:
        found = [
            place
            for place, item in enumerate(items)
            if item.alias is not None and item.alias.lower() == node.name.lower()
        ]
        return found[0] if len(found) == 1 else None
    return None
