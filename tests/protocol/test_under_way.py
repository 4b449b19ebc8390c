"""A statement that is still under way when another run takes its refresh over."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql.types import BooleanType

from tests.harness import DbtProject, Killed, Statement, is_write, sampled, watched
from tests.session_models import EVENTS, disordered, ledger, public, session_model

WINDOW = "event_windows.session(gap='30 minutes', grace='20 minutes')"
ROWS = disordered(12, 60)
FIRST = 25  # rows of the build
TIMEOUT = 120  # seconds after which a statement is taken for stuck
# Where each step's statement computes its rows, and how it waits there.
WAITS = {
    "dropped_rows": ("from judged\nwhere ", "from judged\nwhere held() and "),
    "windows": ("from changes\n", "from (select * from changes where held()) as changes\n"),
    "publish": ("from closed\nwhere ", "from closed\nwhere held() and "),
}


def model() -> str:
    return session_model("clicks", WINDOW, config={"emit": "final"}, aggregates={"n": "count(*)"})


@pytest.fixture(scope="module", autouse=True)
def whole(project: DbtProject) -> None:
    """`whole` has a build and a refresh that nobody disturbed."""
    project.model("whole", model())
    project.create_source("clicks", ROWS[:FIRST], EVENTS)
    project.run("whole")
    project.append("clicks", ROWS[FIRST:])
    project.run("whole")
    last = ledger(project, "whole")[-1]
    assert last.rows_late
    assert last.windows_closed


class Held:
    """A statement that was sent, planned and begun, and ends when it is told to."""

    def __init__(self, project: DbtProject, folder: Path) -> None:
        self.project = project
        self.begun, self.released = folder / "begun", folder / "released"
        self.thread: threading.Thread | None = None
        begun, released = self.begun, self.released

        def held() -> bool:
            try:
                begun.touch(exist_ok=False)
            except FileExistsError:
                return True  # one task is enough, the other run needs a core
            ends = time.monotonic() + TIMEOUT
            while not released.exists() and time.monotonic() < ends:
                time.sleep(0.05)
            return True

        project.spark.udf.register("held", held, BooleanType()).asNondeterministic()

    def send(self, sql: str) -> None:
        """Send it in a thread, and return when its rows are being computed."""

        def run() -> None:
            with suppress(PySparkException, Py4JJavaError):  # the format may refuse it
                self.project.spark.sql(sql).collect()

        self.thread = threading.Thread(target=run)
        self.thread.start()
        ends = time.monotonic() + TIMEOUT
        while not self.begun.exists():
            assert self.thread.is_alive()
            assert time.monotonic() < ends
            time.sleep(0.05)

    def end(self) -> None:
        self.released.touch()
        if self.thread:
            self.thread.join()


@pytest.fixture
def held(project: DbtProject, tmp_path: Path) -> Iterator[Held]:
    statement = Held(project, tmp_path)
    yield statement
    statement.end()


@pytest.mark.parametrize("full_refresh", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize("step", sampled(WAITS, ["publish"]))
def test_it_leaves_no_trace(project: DbtProject, held: Held, step: str, full_refresh: bool) -> None:
    """Its run dies, or stalls, while the statement goes on: over Thrift or Connect, say."""
    name = f"under_way_{step}_{full_refresh}".lower()
    project.model(name, model())
    project.create_source("clicks", ROWS[:FIRST], EVENTS)
    project.run(name)
    project.append("clicks", ROWS[FIRST:])

    def leave_under_way(sql: Statement) -> None:
        if sql.model == name and sql.step == step and is_write(sql):
            computes, waits = WAITS[step]
            assert sql.count(computes) == 1
            held.send(sql.replace(computes, waits))
            raise Killed(sql)

    with watched(before=leave_under_way), suppress(Killed):
        project.run(name)
    assert held.thread
    project.run(name, full_refresh=full_refresh)
    assert held.thread.is_alive()
    held.end()
    for suffix in ["", "__dropped", "__stream_time"]:
        found = public(project, name + suffix, without=["run_id"])
        assert found == public(project, f"whole{suffix}", without=["run_id"])
    assert len(ledger(project, name)) == len(ledger(project, "whole"))


@pytest.mark.slow
@pytest.mark.parametrize("rebuilt", [False, True])
@pytest.mark.parametrize("step", ["windows", "publish"])
def test_a_build_that_comes_late_is_refused_or_told(
    project: DbtProject, held: Held, step: str, rebuilt: bool
) -> None:
    """It may replace what a later build has made: then the next run says so."""
    name = f"build_under_way_{step}_{rebuilt}".lower()
    project.model(name, model())
    project.create_source("clicks", ROWS[:FIRST], EVENTS)
    if rebuilt:
        project.run(name)

    def leave_under_way(sql: Statement) -> None:
        if sql.model == name and sql.step == step and is_write(sql):
            rows = {"windows": "\nfrom windows", "publish": "\nfrom closed\nwhere true"}[step]
            assert sql.endswith(rows)
            held.send(sql.removesuffix("\nwhere true") + "\nwhere held()")
            raise Killed(sql)

    with watched(before=leave_under_way), suppress(Killed):
        project.run(name, full_refresh=True)
    assert held.thread
    project.append("clicks", ROWS[FIRST:])
    project.run(name, full_refresh=rebuilt)
    assert held.thread.is_alive()
    held.end()
    outcome = project.run(name, expect_error=None)
    if not outcome.success:
        assert "--full-refresh" in outcome.error
        project.run(name, full_refresh=True)
    for suffix in ["", "__dropped", "__stream_time"]:
        found = public(project, name + suffix, without=["run_id"])
        assert found == public(project, f"whole{suffix}", without=["run_id"])
