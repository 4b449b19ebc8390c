"""The scope of the last SELECT, from what Spark says of its FROM."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dbt_event_windows.plain_sql.functions import Kind, kind_of
from dbt_event_windows.plain_sql.guessed_scope import GuessedScope
from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.references import Parts, call_name, references
from dbt_event_windows.plain_sql.scope import Relation, Scope
from dbt_event_windows.plain_sql.statement import Statement
from dbt_event_windows.plain_sql.text import nodes


def scope_of(reading: Reading, statement: Statement, relations: Sequence[Relation]) -> Scope:
    """The relations with their columns.

    Raises:
        UnansweredError: Spark was not asked yet.
    """
    if reading.questions.answers is None:
        items = frozenset((item.alias or "").lower() for item in statement.items)
        return GuessedScope(tuple(relations), items=items - taken_by_aggregates(statement))
    named = [one for one in relations if one.qualifiers]
    queries = [
        reading.query_of(statement.with_, f"{_longest(one)}.*", statement.from_) for one in named
    ]
    every = reading.query_of(statement.with_, "*", statement.from_)
    visible, *columns = reading.questions.columns(every, *queries)
    known = {
        one.qualifiers: {column.name.lower(): column.type for column in described}
        for one, described in zip(named, columns, strict=True)
    }
    return Scope(
        tuple(replace(one, columns=known.get(one.qualifiers, {})) for one in relations),
        tuple((column.name, column.type) for column in visible),
    )


def _longest(relation: Relation) -> str:
    """The name of a relation in full, which tells it from one of another schema."""
    parts: Parts = max(relation.qualifiers, key=len)
    return ".".join("`" + part.replace("`", "``") + "`" for part in parts)


def taken_by_aggregates(statement: Statement) -> frozenset[str]:
    """The names of columns that aggregates take."""
    expressions = [item.node for item in statement.items]
    expressions += [statement.having[0]] if statement.having is not None else []
    return frozenset(
        parts[-1].lower()
        for expression in expressions
        for call in nodes(expression)
        if call_name(call) and kind_of(call_name(call)) in (Kind.AGGREGATE, Kind.UNKNOWN)
        for _, parts in references(call)
    )
