"""What a run has cached is what its statements read: nothing is computed twice."""

from __future__ import annotations

import re

import pytest

from tests.harness import DbtProject, Statement, watched
from tests.session_models import EVENTS, disordered, session_model, windowed

# so many that the late ones of a refresh are kept in the session, and not as text
ROWS = disordered(12, 900)
FIRST = 25  # rows of the build
SESSION = "event_windows.session(gap='30 minutes', grace='20 minutes')"
MODELS = {
    "session": session_model("clicks", SESSION),
    "in_sql": session_model("clicks", SESSION, config={"replay": "sql"}),
    "sliding": session_model(
        "clicks", "event_windows.sliding(difference='30 minutes', grace='20 minutes')"
    ),
    "tumbling": session_model(
        "clicks", "event_windows.tumbling(size='30 minutes', grace='20 minutes')"
    ),
    "of_all": session_model("clicks", SESSION, stream_time="global"),
    # a partition beside the key, for which rows are judged apart
    "apart": "{{ config(materialized='windowed') }}\n"
    + windowed(
        "'(select *, concat(key, 1) as home from ' ~ source('raw', 'clicks') ~ ')'",
        SESSION,
        partition="home",
    ),
}
CACHED = re.compile(r"\b(\w+__ew_(slices|late)_\w+)")


Found = dict[tuple[str, str], bool]


def _run(project: DbtProject) -> Found:
    """Run all; of the views of each model that its statements name, which Spark finds cached."""
    found: Found = {}

    def look(sql: Statement) -> None:
        if sql.model and sql.step in ("dropped_rows", "windows"):
            for view, what in set(CACHED.findall(sql)):
                [plan] = project.rows(f"explain select * from {view}")
                found[sql.model, what] = "In-memory table" in plan.plan

    with watched(before=look):
        project.run()
    return found


@pytest.fixture(scope="module")
def in_the_build(project: DbtProject) -> Found:
    project.create_source("clicks", ROWS[:FIRST], EVENTS)
    for name, sql in MODELS.items():
        project.model(name, sql)
    return _run(project)


def test_a_build_reads_what_is_cached(in_the_build: Found) -> None:
    """A view is text to Spark: of a query that is not the same each time it finds no cache."""
    _check(in_the_build, "slices")


@pytest.mark.slow
@pytest.mark.usefixtures("in_the_build")
def test_a_refresh_reads_what_is_cached(project: DbtProject) -> None:
    project.append("clicks", ROWS[FIRST:])
    _check(_run(project), "late", "slices")


def _check(found: Found, *wanted: str) -> None:
    assert {one for one in found if one[1] in wanted} >= {(m, w) for m in MODELS for w in wanted}
    assert [one for one, is_cached in found.items() if not is_cached] == []
