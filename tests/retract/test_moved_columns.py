"""A column that takes the name of another one: rows that were read change, and no log says so."""

from __future__ import annotations

import pytest

from tests.harness import FILE_FORMAT, DbtProject
from tests.session_models import EVENTS, events, session_model

pytestmark = pytest.mark.skipif(
    FILE_FORMAT != "delta", reason="the log of an Iceberg table does not tell (docs/changes.md)"
)
LOGS = {"feed": "delta.enableChangeDataFeed", "tracked": "delta.enableRowTracking"}
MOVES = {
    "renamed": ["rename column value to other", "add column value bigint"],
    "dropped": ["drop column value", "add column value bigint"],
}


@pytest.mark.parametrize("log", LOGS)
@pytest.mark.parametrize("move", MOVES)
def test_a_column_under_the_name_of_another(project: DbtProject, log: str, move: str) -> None:
    table = f"{move}_{log}"
    project.create_source(table, events([("a", 0), ("b", 5)]), EVENTS)
    project.rows(
        f"alter table {table} set tblproperties ('{LOGS[log]}' = 'true', "
        "'delta.columnMapping.mode' = 'name')"
    )
    project.model(
        f"{table}_m",
        session_model(
            table, config={"source_changes": "retract"}, aggregates={"total": "sum(value)"}
        ),
    )
    project.run(f"{table}_m")
    for change in MOVES[move]:
        project.rows(f"alter table {table} {change}")
    error = project.run(f"{table}_m", expect_error=True).error
    assert "columns of it were renamed or dropped since" in error
    assert "--full-refresh" in error
    project.run(f"{table}_m", full_refresh=True)
    assert [row.total for row in project.rows(f"select total from {table}_m")] == [None, None]
