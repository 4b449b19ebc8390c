"""Running again with nothing new changes nothing; a full refresh ends with the same tables."""

from __future__ import annotations

import pytest

from tests.harness import DbtProject, recorded, sampled, selected
from tests.session_models import EVENTS, disordered, ledger, public, session_model, version

WINDOW = "event_windows.session(gap='30 minutes', grace='20 minutes')"
ROWS = disordered(11, 90)
AGGREGATES = {
    "n": "count(*)",
    "total": "sum(value)",
    "mean": "avg(value)",
    "first_value": "min_by(value, event_time)",
}
TABLES = ["{}", "{}__stream_time", "{}__dropped"]
WRITTEN = ["{}", "{}__ew_clocks", "{}__dropped"]
# Both drop rows: by the clock of each key, and by everybody's.
ALL = {
    "kept": session_model("clicks", WINDOW, aggregates=AGGREGATES),
    "kept_global": session_model("clicks", WINDOW, aggregates=AGGREGATES, stream_time="global"),
}


Names = set[str]


@pytest.fixture(scope="module", autouse=True)
def models(request: pytest.FixtureRequest, project: DbtProject) -> Names:
    """Those of the tests that will run, after two refreshes."""
    found = selected(request, "model") | {"kept"}
    project.create_source("clicks", ROWS[:30], EVENTS)
    for name in found:
        project.model(name, ALL[name])
    project.run()
    project.append("clicks", ROWS[30:])
    project.run()
    for model in found:
        last = ledger(project, model)[-1]
        assert last.rows_late
        assert last.rows_null
    return found


@pytest.fixture(scope="module")
def idle(project: DbtProject, models: Names) -> dict[str, tuple[int, int]]:
    """Versions of every table before and after a run with nothing new."""
    tables = [table.format(model) for model in models for table in WRITTEN]
    tables.append("event_windows_runs")
    before = {table: version(project, table) for table in tables}
    with recorded() as statements:
        project.run()
    assert not [sql for sql in statements.writes if not sql.startswith("drop ")]
    return {table: (before[table], version(project, table)) for table in tables}


@pytest.mark.parametrize("model", sampled(ALL, ["kept"]))
def test_an_idle_run_commits_nothing(idle: dict[str, tuple[int, int]], model: str) -> None:
    """dbt-labs/segment changes 291 sessions of the sensors then (PEERS)."""
    for table in WRITTEN:
        before, after = idle[table.format(model)]
        assert after == before


def test_an_idle_run_leaves_the_ledger(
    project: DbtProject, models: Names, idle: dict[str, tuple[int, int]]
) -> None:
    before, after = idle["event_windows_runs"]
    assert after == before
    assert [len(ledger(project, model)) for model in models] == [2] * len(models)


@pytest.mark.slow
@pytest.mark.usefixtures("idle")
def test_a_full_refresh_equals_the_incremental_tables(project: DbtProject, models: Names) -> None:
    tables = [table.format(model) for model in models for table in TABLES]
    before = {table: public(project, table, without=["run_id"]) for table in tables}
    assert all(before.values())
    project.run(full_refresh=True)
    after = {table: public(project, table, without=["run_id"]) for table in tables}
    for table in tables:
        assert after[table] == before[table]
    for model in models:
        *parts, whole = ledger(project, model)
        for column in ["rows_read", "rows_late", "rows_null"]:
            assert whole[column] == sum(part[column] for part in parts)
    # and the refresh after it begins where it ended
    project.run()
    for table in tables:
        assert public(project, table, without=["run_id"]) == before[table]
