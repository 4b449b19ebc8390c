"""OPTIMIZE and compaction of a model's tables and of its source, at each step and all the time."""

from __future__ import annotations

import threading
from contextlib import suppress

import pytest
from pyspark.errors import PySparkException

from tests.formats import compact, version
from tests.harness import DbtProject, Statement, watched
from tests.session_models import EVENTS, disordered, ledger, public, session_model

WINDOW = "event_windows.session(gap='30 minutes', grace='20 minutes')"
ROWS = disordered(31, 90)
CUTS = [30, 50, 70]
AGGREGATES = {"n": "count(*)", "total": "sum(value)"}
COMPACTED = ["{}", "{}__ew_clocks", "{}__dropped", "clicks"]


@pytest.fixture(scope="module", autouse=True)
def scratch(project: DbtProject) -> None:
    """`scratch` has the windows of all rows, by another way, and `whole` their dropped rows."""
    project.create_source("clicks", ROWS, EVENTS)
    project.model("scratch", session_model("clicks", WINDOW, "table", aggregates=AGGREGATES))
    project.model("whole", session_model("clicks", WINDOW, aggregates=AGGREGATES))
    project.run("scratch", "whole")
    assert dropped(project, "whole")


def dropped(project: DbtProject, name: str) -> list[str]:
    return public(project, f"{name}__dropped", without=["run_id"])


def begun(project: DbtProject, name: str) -> None:
    project.create_source("clicks", ROWS[: CUTS[0]], EVENTS)
    project.model(name, session_model("clicks", WINDOW, aggregates=AGGREGATES))
    project.run(name)


def is_exact(project: DbtProject, name: str) -> None:
    assert public(project, name) == public(project, "scratch")
    assert sum(run.rows_read for run in ledger(project, name)) == len(ROWS)
    assert dropped(project, name) == dropped(project, "whole")


@pytest.mark.slow
def test_before_each_statement_of_a_refresh(project: DbtProject) -> None:
    begun(project, "each_step")

    tables = [table.format("each_step") for table in COMPACTED]
    compacted = dict.fromkeys(tables, 0)

    def compact_all(sql: Statement) -> None:
        if sql.model == "each_step":
            for table in tables:
                before = version(project, table)
                compact(project, table)
                compacted[table] += version(project, table) != before

    project.append("clicks", ROWS[CUTS[0] :])
    with watched(before=compact_all):
        project.run("each_step")
    assert all(compacted.values()), compacted
    is_exact(project, "each_step")


@pytest.mark.slow
def test_all_the_time(project: DbtProject) -> None:
    """A commit that meets a compaction is made again, a bounded number of times."""
    begun(project, "always")
    ended = threading.Event()
    compactions = 0

    def compact_for_ever() -> None:
        nonlocal compactions
        while not ended.is_set():
            with suppress(PySparkException):  # it met the refresh, and gives way
                compact(project, "always")
                compactions += 1

    for first, last in zip(CUTS, [*CUTS[1:], len(ROWS)], strict=True):
        project.append("clicks", ROWS[first:last])
        thread = threading.Thread(target=compact_for_ever)
        ended.clear()
        thread.start()
        try:
            outcome = project.run("always", expect_error=None)
        finally:
            ended.set()
            thread.join()
        assert outcome.success or "met other writers" in outcome.error, outcome.error
    assert compactions
    project.run("always")
    is_exact(project, "always")
