"""Tables whose making was killed: their files are there, and the catalogue does not know them."""

from __future__ import annotations

import shutil

import pytest

from dbt_event_windows import statements
from tests.harness import FILE_FORMAT, DbtProject
from tests.protocol.clicks import FIRST, build_due, tables_of
from tests.session_models import ledger


def half_made(project: DbtProject, name: str) -> None:
    """Leave what a kill between a table's first commit and its entry in the catalogue leaves."""
    folder = project.folder / name
    project.rows(f"create table {name} (other int) using {FILE_FORMAT}")
    kept = shutil.copytree(folder, folder.with_name("kept_aside"))
    project.rows(f"drop table {name} purge")
    shutil.rmtree(folder, ignore_errors=True)
    kept.rename(folder)


@pytest.mark.slow
@pytest.mark.parametrize("emit", ["updates", "final"])
def test_a_build_where_the_making_of_each_table_was_killed(
    project: DbtProject, monkeypatch: pytest.MonkeyPatch, emit: str
) -> None:
    name = f"killed_{emit}"
    build_due(project, name, emit)
    for suffix in ["", "__state", "__dropped", "__ew_clocks"]:
        half_made(project, name + suffix)
    if not project.spark.catalog.tableExists(f"{project.schema}.event_windows_runs"):
        half_made(project, "event_windows_runs")
    monkeypatch.setattr(statements, "TRIES", 2)
    project.run(name)
    found = tables_of(project, name)
    project.run(name, full_refresh=True)
    assert found == tables_of(project, name)
    assert [row.rows_read for row in ledger(project, name)] == [FIRST, FIRST]


@pytest.mark.slow
def test_builds_at_once_over_a_ledger_of_another_version(project: DbtProject) -> None:
    names = [f"widening_{number}" for number in range(4)]
    for name in names:
        build_due(project, name, "updates")
    project.rows("drop table if exists event_windows_runs")
    project.rows(
        "create table event_windows_runs (run_id string, model string, keys_tracked bigint) "
        f"using {FILE_FORMAT}"
    )
    project.run(*names, full_refresh=True, threads=4)
    for name in names:
        assert [row.rows_read for row in ledger(project, name)] == [FIRST]
