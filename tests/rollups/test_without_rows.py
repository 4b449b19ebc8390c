"""Rollups that have no rows, like most of alerts: how far they follow is told all the same."""

from __future__ import annotations

import pytest

from tests.formats import FILE_FORMAT, set_back, version
from tests.harness import DbtProject, killed_after, recorded
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
