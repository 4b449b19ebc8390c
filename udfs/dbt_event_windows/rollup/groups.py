"""Which columns of the result tell apart what is kept up to date: groups, or rows of the model."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from dbt_event_windows.plain_sql import refusals
from dbt_event_windows.plain_sql.aliases import position
from dbt_event_windows.plain_sql.naming import quoted
from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.references import lowered, plain, references
from dbt_event_windows.plain_sql.statement import Item, Statement
from dbt_event_windows.rollup.handed_up import handed_up, in_using, shown_as
from dbt_event_windows.rollup.refused import has_aggregate
from dbt_event_windows.rollup.relations import Path, Relation
from dbt_event_windows.rollup.times import time_of

_NOTHING = (
    "GROUP BY ALL finds nothing to group by: every column is an aggregate",
    "show what tells the rows of the result apart, or leave GROUP BY ALL out",
)
_A_COLUMN = (
    "a column that is read here is called all, and Spark groups by that",
    "name what to group by, with its table in front of it where that is the column",
)
_NO_PLACE = (
    "this number is the place of no item that could be a group, and a constant to a session with "
    "spark.sql.groupByOrdinal=false",
    "give the place, or the name, of an item that is no aggregate",
)
_AN_ALIAS = (
    "the name of an item stands in this expression, which changes are followed by without the item",
    "write out what the name stands for, or show the expression and group by its name",
)


@dataclass
class Groups:
    """`shown` are items, by their place or by the name of their column; `hidden` are to be added.

    With `several` they are those of a row of the model, of which the result may have several rows;
    `of_a_row` says them in SQL over the model alone, by the names that they have in the result.
    `times` are those that are the time of a column of the model: (group, column, see time_of).
    """

    shown: list[int | str] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    several: bool = False
    of_a_row: list[tuple[str, str]] = field(default_factory=list)
    times: list[tuple[int | str, str, int]] = field(default_factory=list)


def groups_of(
    reading: Reading,
    statement: Statement,
    path: Path,
    inputs: Sequence[str],
    identity: Sequence[tuple[str, bool]],
) -> Groups:
    """The groups of a SELECT; `inputs` are the names of the columns of its FROM.

    `path` leads to the model; `identity` is as in rows_of.
    """
    items, groups = statement.items, Groups()
    columns = [name.lower() for name in inputs]
    tables = {relation.name.lower() for relation in path[0].layer.relations}
    told: list[tuple[int | str, exp.Expression]] = []
    if statement.group_all is not None:
        if "all" in columns:
            reading.refuse_span("GROUP BY", statement.group_all, _A_COLUMN)
        told = [
            (place, item.node) for place, item in enumerate(items) if not has_aggregate(item.node)
        ]
        groups.shown = [group for group, _ in told]
        if not told:
            reading.refuse_span("GROUP BY", statement.group_all, _NOTHING)
    for node, span in statement.groups:
        place, sql = _place(node, items, set(columns)), reading.text.slice(span)
        if place is None:
            if _has_alias(node, items, set(columns), tables):
                reading.refuse_span("GROUP BY", span, _AN_ALIAS)
            if sql not in groups.hidden:
                groups.hidden.append(sql)
                told.append((hidden_name(len(groups.hidden)), node))
        elif not 0 <= place < len(items) or has_aggregate(items[place].node):
            reading.refuse_span("GROUP BY", span, _NO_PLACE)
        elif place not in groups.shown:
            groups.shown.append(place)
            told.append((place, items[place].node))
    groups.times = _times(told, path, columns, identity)
    return groups


def hidden_name(number: int) -> str:
    """The name of a column that the text does not show, counted from 1."""
    return f"_ew_group_{number}"


def _times(
    groups: Sequence[tuple[int | str, exp.Expression]],
    path: Path,
    inputs: Sequence[str],
    identity: Sequence[tuple[str, bool]],
) -> list[tuple[int | str, str, int]]:
    """Which of the groups are the time of a column of the model."""
    using = in_using(path[0].layer.select)
    alone = {name for name in inputs if inputs.count(name) == 1 and name not in using}
    named = [(handed_up(path, name), name) for name, _ in identity]
    of_model = {up.lower(): name for up, name in named if up is not None}
    times = []
    for group, node in groups:
        found = time_of(node, path[0].relation, alone)
        if found is not None and found[0].lower() in of_model:
            times.append((group, of_model[found[0].lower()], found[1]))
    return times


def all_rows() -> Groups:
    """Of aggregates without GROUP BY: one row, whatever the model has."""
    return Groups(hidden=["true"])


def rows_of(reading: Reading, path: Path, identity: Sequence[tuple[str, bool]]) -> Groups:
    """The columns of the model that tell its rows apart, in a SELECT without GROUP BY.

    `path` leads to the model. `identity` has their names, each with whether it must be compared as
    text.
    """
    groups = Groups(several=True)
    top, model = path[0].relation, path[-1].relation
    for name, as_text in identity:
        up = handed_up(path, name)
        shown = None if as_text or up is None else shown_as(path[0], up)
        if up is None or (shown is None and not top.name):
            reading.refuse("FROM", top.table, _not_handed_up(name))
            continue
        if shown is not None:
            groups.shown.append(shown)
        else:
            groups.hidden.append(_of_a_row(top, up, name, as_text))
            shown = hidden_name(len(groups.hidden))
        groups.of_a_row.append((_of_a_row(model, name, name, as_text), quoted(shown)))
        if not as_text:
            groups.times.append((shown, name, 0))
    return groups


def _of_a_row(relation: Relation, column: str, name: str, as_text: bool) -> str:
    sql = f"{quoted(relation.name)}.{quoted(column)}"
    # in the text stands the name of the field
    named = "" if column == name else f" as {quoted(name)}"
    return f"to_json(struct({sql}{named}))" if as_text else sql


def _not_handed_up(name: str) -> refusals.Words:
    return (
        f"without GROUP BY rows are followed by the column {name} of the model, too, which is not "
        "handed up from here",
        "name it in each CTE and subquery between, each with an alias, or read the model itself",
    )


def _place(node: exp.Expression, items: list[Item], inputs: Collection[str]) -> int | None:
    """The item that is a group expression, as Spark resolves it; none if no item surely is."""
    node = plain(node)
    number = position(node)
    if number is not None:
        return number - 1
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


def _has_alias(
    node: exp.Expression, items: list[Item], inputs: Collection[str], tables: Collection[str]
) -> bool:
    """Whether Spark takes a name in a group expression for that of an item.

    Behind the name of one of the `tables` in FROM comes a column of it before a field of an item.
    """
    aliases = {item.alias.lower() for item in items if item.alias is not None} - set(inputs)
    return any(
        first in aliases and not (first in tables and set(others[:1]) & set(inputs))
        for first, *others in (lowered(parts) for _, parts in references(node))
    )
