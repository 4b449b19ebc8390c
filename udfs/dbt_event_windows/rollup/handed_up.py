"""Under which name a SELECT has a column of the model, through the CTEs and subqueries between."""

from __future__ import annotations

from sqlglot import exp

from dbt_event_windows.plain_sql.reads import left_out
from dbt_event_windows.plain_sql.references import Parts, parts_of
from dbt_event_windows.rollup.refused import is_star
from dbt_event_windows.rollup.relations import Path, Relation, Step


def handed_up(path: Path, column: str) -> str | None:
    """The name that a column of the model has in what the last SELECT reads, if it surely has."""
    name: str | None = column
    for step in reversed(path[1:]):
        name = shown_as(step, name) if name is not None else None
    return name


def shown_as(step: Step, name: str) -> str | None:
    """The name under which a SELECT shows a column of one of its relations, if it surely does."""
    relation, first = step.relation, step.place == 0
    using = name.lower() in in_using(step.layer.select)
    for item in step.layer.select.expressions:
        node = item.unalias()
        if is_star(node):
            table = node.args.get("table") if isinstance(node, exp.Column) else None
            of_model = first or not using if table is None else _is(relation, table.name)
            if of_model and not any(_changes(parts, name, relation) for parts in left_out(node)):
                return name
            continue
        parts = parts_of(node)
        if parts is None or parts[-1].lower() != name.lower():
            continue
        alone = len(parts) == 1 and (first or not using)
        if alone or (len(parts) == 2 and _is(relation, parts[0])):
            return item.alias if isinstance(item, exp.Alias) else parts[-1]
    return None


def in_using(select: exp.Select) -> set[str]:
    """The columns that joins with USING put together, in lower case."""
    return {
        one.name.lower()
        for join in select.args.get("joins") or []
        for one in join.args.get("using") or []
        if isinstance(one, exp.Identifier)
    }


def _is(relation: Relation, name: str) -> bool:
    return relation.name.lower() == name.lower()


def _changes(parts: Parts, name: str, relation: Relation) -> bool:
    """Whether EXCEPT takes a column of the relation, or a field of it."""
    of_relation = len(parts) == 1 or parts[-2] == relation.name.lower()
    return (parts[-1] == name.lower() and of_relation) or parts[0] == name.lower()
