"""Which columns of the result tell apart what is kept up to date: groups, or rows of the model."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from dbt_event_windows.plain_sql.naming import quoted
from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.references import parts_of
from dbt_event_windows.plain_sql.statement import Item, Statement
from dbt_event_windows.rollup.refused import has_aggregate, is_star
from dbt_event_windows.rollup.relations import Relation
from dbt_event_windows.rollup.times import time_of

_NOTHING = (
    "GROUP BY ALL finds nothing to group by: every column is an aggregate",
    "show what tells the rows of the result apart, or leave GROUP BY ALL out",
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
    reading: Reading, statement: Statement, relation: Relation, inputs: Sequence[str]
) -> Groups:
    """The groups of a SELECT; `inputs` are the names of the columns of its FROM."""
    items = statement.items
    lowered = [name.lower() for name in inputs]
    in_using = _in_using(statement)
    alone = {name for name in lowered if lowered.count(name) == 1 and name not in in_using}
    if statement.group_all is not None:
        told: list[tuple[int | str, exp.Expression]] = [
            (place, item.node) for place, item in enumerate(items) if not has_aggregate(item.node)
        ]
        if not told:
            reading.refuse_span("GROUP BY", statement.group_all, _NOTHING)
        return Groups([group for group, _ in told], times=_times(told, relation, alone))
    groups, told = Groups(), []
    for node, span in statement.groups:
        place, sql = _place(node, items, set(lowered)), reading.text.slice(span)
        if place is not None and place not in groups.shown:
            groups.shown.append(place)
            told.append((place, items[place].node if 0 <= place < len(items) else node))
        elif place is None and sql not in groups.hidden:
            groups.hidden.append(sql)
            told.append((hidden_name(len(groups.hidden)), node))
    groups.times = _times(told, relation, alone)
    return groups


def hidden_name(number: int) -> str:
    """The name of a column that the text does not show, counted from 1."""
    return f"_ew_group_{number}"


def _times(
    groups: Sequence[tuple[int | str, exp.Expression]], relation: Relation, alone: Collection[str]
) -> list[tuple[int | str, str, int]]:
    found = ((group, time_of(node, relation, alone)) for group, node in groups)
    return [(group, *time) for group, time in found if time is not None]


def all_rows() -> Groups:
    """Of aggregates without GROUP BY: one row, whatever the model has."""
    return Groups(hidden=["true"])


def rows_of(
    statement: Statement, relation: Relation, first: bool, identity: Sequence[tuple[str, bool]]
) -> Groups:
    """The columns of the model that tell its rows apart, in a SELECT without GROUP BY.

    `identity` has their names, each with whether it must be compared as text; `first` is whether
    FROM begins with the model.
    """
    groups = Groups(several=True)
    for name, as_text in identity:
        column = f"{quoted(relation.name)}.{quoted(name)}"
        shown = None if as_text else _shown_as(statement, relation, first, name)
        sql = f"to_json(struct({column}))" if as_text else column
        if shown is not None:
            groups.shown.append(shown)
        else:
            groups.hidden.append(sql)
            shown = hidden_name(len(groups.hidden))
        groups.of_a_row.append((sql, quoted(shown)))
        if not as_text:
            groups.times.append((shown, name, 0))
    return groups


def _in_using(statement: Statement) -> set[str]:
    """The columns that joins with USING put together, in lower case."""
    return {
        one.name.lower()
        for join in statement.select.args.get("joins") or []
        for one in join.args.get("using") or []
        if isinstance(one, exp.Identifier)
    }


def _shown_as(statement: Statement, relation: Relation, first: bool, name: str) -> str | None:
    """The name under which the result has a column of the model, if it surely has."""
    in_using = name.lower() in _in_using(statement)
    for item in statement.items:
        if is_star(item.node):
            table = item.node.args.get("table") if isinstance(item.node, exp.Column) else None
            star = item.node.this if isinstance(item.node, exp.Column) else item.node
            of_model = first or not in_using if table is None else _is(relation, table.name)
            if of_model and not star.args.get("except") and not star.args.get("except_"):
                return name
            continue
        parts = parts_of(item.node)
        if parts is None or parts[-1].lower() != name.lower():
            continue
        alone = len(parts) == 1 and (first or not in_using)
        if alone or (len(parts) == 2 and _is(relation, parts[0])):
            return item.alias if item.alias is not None else parts[-1]
    return None


def _is(relation: Relation, name: str) -> bool:
    return relation.name.lower() == name.lower()


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
