"""The scope of the last SELECT, from what Spark says of its FROM."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dbt_event_windows.plain_sql.aliases import item_name
from dbt_event_windows.plain_sql.guessed_scope import GuessedScope
from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.references import Parts
from dbt_event_windows.plain_sql.scope import Relation, Scope
from dbt_event_windows.plain_sql.statement import Statement


def scope_of(reading: Reading, statement: Statement, relations: Sequence[Relation]) -> Scope:
    """The relations with their columns.

    Raises:
        UnansweredError: Spark was not asked yet.
    """
    if reading.questions.answers is None:
        items = (item_name(item) for item in statement.items if item.alias)
        return GuessedScope(tuple(relations), items=frozenset(str(one).lower() for one in items))
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
