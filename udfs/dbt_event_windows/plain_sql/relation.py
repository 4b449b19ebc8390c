"""The relation below the windows: the user's FROM and WHERE, and the columns that are needed."""

from __future__ import annotations

from collections.abc import Sequence

from dbt_event_windows.plain_sql.columns import Column
from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.statement import Statement


def relation_sql(
    reading: Reading, statement: Statement, columns: Sequence[Column], conditions: Sequence[str]
) -> str:
    """A SELECT in brackets: the columns, over what the text reads, where its conditions hold.

    `conditions` come beside the user's own WHERE.
    """
    text = reading.text
    lines = []
    if statement.with_ is not None:
        lines.append(text.slice(statement.with_))
    hint = f" {text.slice(statement.hint)}" if statement.hint is not None else ""
    lines.append(f"select{hint}")
    lines.append(",\n".join(f"    {column.item}" for column in columns))
    lines.append(text.slice(statement.from_))
    where = [text.slice(statement.where)] if statement.where is not None else []
    if conditions:
        where = [f"({one})" for one in [*where, *conditions]]
    if where:
        lines.append("where " + " and ".join(where))
    return "(\n" + "\n".join(lines) + "\n)"
