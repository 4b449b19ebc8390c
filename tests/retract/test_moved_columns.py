"""Columns of a source that change: rows that were read are others, and no log says so."""

from __future__ import annotations

import pytest

from tests.harness import FILE_FORMAT, DbtProject
from tests.retract.test_any_change import BOTH_VERSIONS
from tests.session_models import EVENTS, events, session_model

LOGS = {"feed": "delta.enableChangeDataFeed", "tracked": "delta.enableRowTracking"}
MOVES = {
    "renamed": ["rename column value to other", "add column value bigint"],
    "dropped": ["drop column value", "add column value bigint"],
}


@pytest.mark.skipif(
    FILE_FORMAT != "delta", reason="the log of an Iceberg table does not tell (docs/changes.md)"
)
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


@pytest.mark.skipif(FILE_FORMAT != "iceberg", reason="Delta reads a version with the names of now")
def test_two_columns_that_changed_names_after_the_last_row(project: DbtProject) -> None:
    """No commit of rows tells that; a full refresh must not read them as they were."""
    rows = [(*event, 1000) for event in events([("a", 0), ("a", 5)])]
    project.create_source("swapped", rows, f"{EVENTS}, other bigint")
    of_values = {"total": "sum(value)"}
    config = {"source_changes": "retract"}
    project.model("swapped_m", session_model("swapped", config=config, aggregates=of_values))
    project.run("swapped_m")
    for old, new in [("value", "kept"), ("other", "value"), ("kept", "other")]:
        project.rows(f"alter table swapped rename column {old} to {new}")
    project.run("swapped_m", full_refresh=True)
    assert [row.total for row in project.rows("select total from swapped_m")] == [2000]


def test_a_struct_that_has_another_field(project: DbtProject) -> None:
    rows = [(*event, ("ios",)) for event in events([("a", 0), ("a", 20), ("b", 5)])]
    project.create_source("devices", rows, f"{EVENTS}, device struct<os: string>")
    properties = ", ".join(f"'{k}' = '{v}'" for k, v in BOTH_VERSIONS.items())
    project.rows(f"alter table devices set tblproperties ({properties})")
    project.model("devices_m", session_model("devices", config={"source_changes": "retract"}))
    project.run("devices_m")
    project.rows("alter table devices add columns (device.version string)")
    project.rows("delete from devices where arrival_seq = 1")
    error = project.run("devices_m", expect_error=True).error
    assert "has other fields than it had at the last refresh" in error
    assert "--full-refresh" in error
    project.run("devices_m", full_refresh=True)
    assert [row.n for row in project.rows("select n from devices_m")] == [1, 1]
