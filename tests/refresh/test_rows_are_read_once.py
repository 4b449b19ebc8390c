"""A refresh reads its new rows once, and which ones they are is settled before it reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.harness import DbtProject, watched
from tests.session_models import (
    EVENTS,
    SESSIONS,
    disordered,
    ledger,
    public,
    session_model,
    windowed,
)

Row = tuple[Any, ...]
SLIDING = "event_windows.sliding(difference='30 minutes', grace='1 day')"


def test_new_rows_are_read_once(project: DbtProject, tmp_path: Path) -> None:
    log = str(tmp_path / "rows")

    def noted(arrival: int) -> int:
        with open(log, "a") as lines:
            lines.write(f"{arrival}\n")
        return arrival

    project.spark.udf.register("noted", noted, "bigint")
    rows = [row for row in disordered(3, 60) if row[0] and row[1]]
    project.create_source("read_once", rows[:30], EVENTS)
    relation = f"'(select *, noted(arrival_seq) as seen from {project.schema}.read_once)'"
    call = windowed(relation, aggregates={"n": "count(*)", "newest": "max(seen)"})
    project.model("read_once_sessions", "{{ config(materialized='windowed') }}\n" + call)
    project.run("read_once_sessions")
    Path(log).unlink()
    project.append("read_once", rows[30:])
    project.run("read_once_sessions")
    seen = [int(line) for line in Path(log).read_text().split()]
    assert sorted(seen) == [row[2] for row in rows[30:]]
    assert project.rows("select sum(n) as n from read_once_sessions")[0].n == len(rows)


@pytest.mark.parametrize(
    ("point", "window"),
    [
        ("merge into", SESSIONS),
        pytest.param("cache lazy table", SESSIONS, marks=pytest.mark.slow),
        pytest.param("create or replace table", SLIDING, marks=pytest.mark.slow),
        pytest.param("merge into", SLIDING, marks=pytest.mark.slow),
    ],
)
def test_rows_that_arrive_meanwhile_are_the_next_refreshs(
    project: DbtProject, point: str, window: str
) -> None:
    """Also where Spark has lost what it had cached, and reads again."""
    source = f"busy_{point.split()[0]}_{'sliding' in window}".lower()
    model = f"{source}_windows"
    rows = [row for row in disordered(5, 90) if row[0] and row[1]]
    waiting: list[list[Row]] = []

    def arrive(statement: str) -> None:
        if waiting and statement.startswith(point):
            project.append(source, waiting.pop())
            project.spark.catalog.clearCache()

    project.create_source(source, rows[:20], EVENTS)
    project.model(model, session_model(source, window))
    reached = []
    met = 0
    for there, meanwhile in [(rows[20:25], rows[25:30]), (rows[30:45], rows[45:50]), ([], [])]:
        if there:
            project.append(source, there)
        waiting[:] = [meanwhile] if meanwhile else []
        with watched(before=arrive):
            project.run(model)
        reached.append(ledger(project, model)[-1].arrival_to)
        met += bool(meanwhile and not waiting)
        if waiting:  # there was no such statement
            project.append(source, waiting.pop())
    assert met
    assert reached == [rows[24][2], rows[44][2], rows[49][2]]
    found = public(project, model)
    project.run(model, full_refresh=True)
    assert public(project, model) == found
