"""Rollups that have no rows, like most of alerts: how far they follow is told all the same."""

from __future__ import annotations

import re
import time

import pytest

from tests.formats import FILE_FORMAT, set_back, version
from tests.harness import DbtProject, Statement, killed_after, recorded, watched
from tests.protocol.test_left_behind import held_back
from tests.rollups.chain import CLICKS, from_scratch, stored
from tests.session_models import at, session_model

TEXT = "select key, sum(total) as total from {{ ref('visits') }} group by key having sum(total) > 9"


@pytest.fixture(scope="module")
def alerts(project: DbtProject) -> DbtProject:
    project.create_source("clicks", [("a", at(0), 0, 1.0)], CLICKS)
    session = "event_windows.session(gap='30 minutes', grace='unbounded')"
    project.model("visits", session_model("clicks", session, aggregates={"total": "sum(amount)"}))
    project.model("alerts", "{{ config(materialized='rollup') }}" + TEXT)
    project.run()
    return project


def arrive(project: DbtProject, number: int, amount: float, key: str = "a") -> None:
    project.append("clicks", [(key, at(number), number, amount)])
    project.run("visits")


def run(project: DbtProject, rows: int) -> list[str | None]:
    """The steps that a run has written in; then the table is right, and a run has nothing to do."""
    with recorded() as sent:
        project.run("alerts")
    assert stored(project, "alerts") == from_scratch(project, TEXT)
    assert len(stored(project, "alerts")) == rows
    with recorded() as again:
        project.run("alerts")
    assert again.writes == []
    return [sql.step for sql in sent.writes if sql.step != "end"]


def test_built_without_rows(alerts: DbtProject) -> None:
    assert run(alerts, 0) == []
    arrive(alerts, 1, 2.0)
    assert run(alerts, 0) == ["merge"]
    arrive(alerts, 2, 8.0)
    assert run(alerts, 1) == ["merge"]


def test_emptied_and_back_at_what_it_was(alerts: DbtProject) -> None:
    """What has left and came back is no change of the model since the table had rows."""
    before = version(alerts, "visits")
    arrive(alerts, 3, -8.0)
    assert run(alerts, 0) == ["merge", "merge"]
    set_back(alerts, "visits", before)
    assert run(alerts, 1) in (["build"], ["merge"])
    alerts.run("visits", full_refresh=True)
    assert run(alerts, 0) == ["build", "build"]


def test_killed_before_it_says_so(alerts: DbtProject) -> None:
    arrive(alerts, 4, 8.0)
    alerts.run("alerts", full_refresh=True)
    arrive(alerts, 5, -8.0)
    with killed_after(1) as kill:
        alerts.run("alerts")
    assert kill.happened
    arrive(alerts, 6, 8.0)
    assert run(alerts, 1) == ["build"]


def test_set_back_to_what_another_build_gave(alerts: DbtProject) -> None:
    arrive(alerts, 7, -8.0)
    assert run(alerts, 0) == ["merge", "merge"]
    without = version(alerts, "alerts")
    arrive(alerts, 8, 8.0)
    alerts.run("alerts", full_refresh=True)
    set_back(alerts, "alerts", without)
    steps = run(alerts, 1)
    assert steps == (["build"] if FILE_FORMAT == "iceberg" else ["merge"])


def test_a_build_of_another_text_beside_a_run(alerts: DbtProject) -> None:
    """No row tells the run that its table was replaced; what it writes bears a former number."""
    arrive(alerts, 9, -20.0)
    other = TEXT.replace("> 9", "> 99")
    alerts.model("alerts", "{{ config(materialized='rollup') }}" + other)
    with recorded() as sent:
        alerts.run("alerts", full_refresh=True)
    [build] = [sql for sql in sent.writes if sql.step == "build" and sql.startswith("create")]
    number = re.findall(r"cast\((\d+) as bigint\) as _ew_refresh", build)[0]
    alerts.model("alerts", "{{ config(materialized='rollup') }}" + TEXT)
    alerts.run("alerts", full_refresh=True)
    arrive(alerts, 10, 40.0)
    # it has begun before the run, and ends beside it
    begun = str(time.time_ns() // 1000)

    def build_first(sql: Statement) -> None:
        if (sql.model, sql.step) == ("alerts", "merge") and sql.startswith("merge"):
            alerts.spark.sql(build.replace(number, begun))

    with watched(before=build_first):
        alerts.run("alerts")
    assert len(stored(alerts, "alerts")) == 1
    alerts.model("alerts", "{{ config(materialized='rollup') }}" + other)
    with recorded() as sent:
        alerts.run("alerts")
    assert stored(alerts, "alerts") == from_scratch(alerts, other)
    assert next(sql.step for sql in sent.writes) == "build"


def test_of_two_runs_one_where_the_other_leaves_no_row(alerts: DbtProject) -> None:
    """It had a group to write, which an empty table does not have: it was not its commit."""
    alerts.model("alerts", "{{ config(materialized='rollup') }}" + TEXT)
    alerts.run("alerts", full_refresh=True)
    arrive(alerts, 11, -900.0)
    emptying = held_back(alerts, "alerts", "merge")
    arrive(alerts, 12, 50.0, key="b")

    def empty_first(sql: Statement) -> None:
        if (sql.model, sql.step) == ("alerts", "merge") and sql.startswith("merge"):
            alerts.spark.sql(emptying)

    with watched(before=empty_first):
        outcome = alerts.run("alerts", expect_error=True)
    assert "another run has refreshed" in outcome.error
    assert not stored(alerts, "alerts")
    run(alerts, 1)
    arrive(alerts, 13, 900.0)
    run(alerts, 2)


def test_a_build_by_a_clock_that_is_behind(alerts: DbtProject) -> None:
    """Its number is above those that there are: a table that is set back shows lower ones."""
    arrive(alerts, 14, 400.0)
    alerts.model("alerts", "{{ config(materialized='rollup') }}" + TEXT)
    alerts.run("alerts", full_refresh=True)
    alerts.spark.sql(f"update {alerts.schema}.alerts set _ew_refresh = _ew_refresh + 900000000")
    [[before]] = alerts.rows("select max(_ew_refresh) from alerts")
    alerts.run("alerts", full_refresh=True)
    [[after]] = alerts.rows("select max(_ew_refresh) from alerts")
    assert after == before + 1
