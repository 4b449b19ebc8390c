"""What names mean in the SELECTs of a text, from the columns of the tables that it reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlglot import exp

from dbt_event_windows.plain_sql.reads import left_out
from dbt_event_windows.plain_sql.references import Parts, lowered, parts_of
from dbt_event_windows.plain_sql.scope import Relation as Named
from dbt_event_windows.plain_sql.scope import Scope
from dbt_event_windows.plain_sql.spark_types import fields_of
from dbt_event_windows.rollup.handed_up import in_using
from dbt_event_windows.rollup.refused import is_star
from dbt_event_windows.rollup.relations import Layer, Relation

# Names with their types, empty where a SELECT does not say them.
Columns = Sequence[tuple[str, str]]

# Of tables by the parts of their names, in lower case.
Tables = Mapping[tuple[str, ...], Columns]


def tables_of(given: Sequence[Any]) -> Tables:
    """From pairs of a name in parts and its columns."""
    return {
        lowered(tuple(parts)): [(name, type_) for name, type_ in columns]
        for parts, columns in given
    }


def scope_of(layer: Layer, tables: Tables, of_joins: bool = False) -> Scope | None:
    """What names mean in a SELECT, or in the conditions of its joins; none if not all is known."""
    relations, visible = [], []
    using = in_using(layer.select)
    for place, relation in enumerate(layer.relations):
        columns = _columns_of(relation, tables)
        if columns is None:
            return None
        if relation.kind in ("semi", "anti") and not of_joins:
            continue
        qualifiers = frozenset({(relation.name.lower(),)} if relation.name else ())
        types = {name.lower(): type_ for name, type_ in columns}
        relations.append(Named(qualifiers=qualifiers, columns=types))
        visible += [one for one in columns if place == 0 or one[0].lower() not in using]
    return Scope(tuple(relations), tuple(visible))


def _columns_of(relation: Relation, tables: Tables) -> Columns | None:
    if relation.below is None:
        return tables.get(lowered(tuple(relation.parts)))
    scope = scope_of(relation.below, tables)
    return None if scope is None else list(_shown(relation.below.select, scope))


def _shown(select: exp.Select, scope: Scope) -> Iterator[tuple[str, str]]:
    """The columns of a SELECT, but for expressions without a name."""
    for item in select.expressions:
        node = item.unalias()
        if is_star(node):
            table = node.args.get("table") if isinstance(node, exp.Column) else None
            every = scope.visible if table is None else _of_relation(scope, table.name)
            yield from _without(every, left_out(node), scope)
            continue
        parts = parts_of(node)
        column = scope.resolve(parts) if parts is not None else None
        name = item.alias if isinstance(item, exp.Alias) else _own_name(node)
        if name:
            yield name, (column.type if column is not None else None) or ""


def _without(columns: Columns, excepts: Sequence[Parts], scope: Scope) -> Columns:
    """The columns but for those after EXCEPT; one that loses a field stays, as something else."""
    gone = set()
    for parts in excepts:
        # the schema may stand in front of the table
        meant = (scope.resolve(parts[place:]) for place in range(len(parts)))
        column = next((one for one in meant if one is not None), None)
        if column is not None and column.fields:
            continue
        places = [place for place, one in enumerate(columns) if one[0].lower() == parts[-1]]
        if len(places) > 1 and column is not None:
            owners = [at for at, one in enumerate(scope.relations) if parts[-1] in one.columns]
            places = [places[owners.index(column.relation)]]
        gone.update(places)
    return [one for place, one in enumerate(columns) if place not in gone]


def _of_relation(scope: Scope, name: str) -> Columns:
    """What `name.*` stands for: the columns of a relation or, where none is called so, fields."""
    found = [one.columns for one in scope.relations if (name.lower(),) in one.qualifiers]
    column = scope.resolve((name,)) if not found else None
    fields = fields_of(column.type or "") if column is not None else ()
    return [*(one for columns in found for one in columns.items()), *fields]


def _own_name(node: exp.Expression) -> str:
    """The name that Spark gives to a column, or to a cast of one."""
    if isinstance(node, exp.Paren | exp.Cast):
        return _own_name(node.this)
    return (parts_of(node) or ("",))[-1]
