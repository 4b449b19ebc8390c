"""The scope of the last SELECT, from what Spark says of its FROM."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from dbt_event_windows.plain_sql.aliases import has_aggregate
from dbt_event_windows.plain_sql.functions import TIME_WINDOWS, Kind, kind_of
from dbt_event_windows.plain_sql.guessed_scope import GuessedScope
from dbt_event_windows.plain_sql.questions import Described
from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.references import Parts, call_name, references, variables_of
from dbt_event_windows.plain_sql.scope import Relation, Scope
from dbt_event_windows.plain_sql.statement import Statement
from dbt_event_windows.plain_sql.text import nodes


def scope_of(
    reading: Reading,
    statement: Statement,
    relations: Sequence[Relation],
    others: Sequence[str] = (),
) -> Scope:
    """The relations with their columns; `others` is what will be asked next, all at once.

    Raises:
        UnansweredError: Spark was not asked yet.
    """
    if reading.questions.answers is None:
        items = frozenset((item.alias or "").lower() for item in statement.items)
        surely = taken_by_aggregates(statement) | _taken_by_the_window(statement)
        return GuessedScope(tuple(relations), items=items - surely)
    named = [one for one in relations if one.qualifiers]
    queries = [
        reading.query_of(statement.with_, f"{_longest(one)}.*", statement.from_) for one in named
    ]
    every = reading.query_of(statement.with_, "*", statement.from_)
    asked = [every, *queries]
    visible, *columns = reading.questions.columns(*asked, *others)[: len(asked)]
    known = {
        one.qualifiers: _columns_of_one_name(described)
        for one, described in zip(named, columns, strict=True)
    }
    return Scope(
        tuple(replace(one, columns=known.get(one.qualifiers, {})) for one in relations),
        tuple((column.name, column.type) for column in visible),
    )


def _columns_of_one_name(described: Sequence[Described]) -> dict[str, str]:
    """The columns that a name can mean: none that others have too, in whatever letters."""
    names = Counter(column.name.lower() for column in described)
    return {
        column.name.lower(): column.type for column in described if names[column.name.lower()] == 1
    }


def _taken_by_the_window(statement: Statement) -> frozenset[str]:
    """The names of columns that time windows take: no item that is a bound of one can be meant."""
    bounds = {
        (item.alias or "").lower()
        for item in statement.items
        if any(parts[0].lower() in TIME_WINDOWS for _, parts in references(item.node))
    }
    taken = {
        parts[-1].lower()
        for group, _ in statement.groups
        for call in nodes(group)
        if call_name(call) in TIME_WINDOWS
        for _, parts in references(call)
    }
    return frozenset(bounds & taken)


def _longest(relation: Relation) -> str:
    """The name of a relation in full, which tells it from one of another schema."""
    parts: Parts = max(relation.qualifiers, key=len)
    return ".".join("`" + part.replace("`", "``") + "`" for part in parts)


def taken_by_aggregates(statement: Statement) -> frozenset[str]:
    """The names of columns that aggregates take."""
    return frozenset(
        parts[-1].lower()
        for expression in _outputs(statement)
        for call in nodes(expression)
        if call_name(call) and kind_of(call_name(call)) in (Kind.AGGREGATE, Kind.UNKNOWN)
        for _, parts in references(call)
    )


def variables_over_columns(statement: Statement) -> frozenset[str]:
    """The variables of lambdas in which columns or aggregates are named too."""
    expressions = [*_outputs(statement), *(node for node, _ in statement.groups)]
    return frozenset(
        name
        for expression in expressions
        for function in nodes(expression)
        if isinstance(function, exp.Lambda)
        and (next(references(function.this), None) is not None or has_aggregate(function.this))
        for name in variables_of(function)
    )


def _outputs(statement: Statement) -> list[exp.Expression]:
    having = [statement.having[0]] if statement.having is not None else []
    return [*(item.node for item in statement.items), *having]
