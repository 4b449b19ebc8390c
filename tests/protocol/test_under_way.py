"""A statement that is still under way when another run has the same refresh."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql.types import BooleanType

from tests.harness import DbtProject, Killed, Statement, is_write, watched
from tests.protocol.clicks import FIRST, ROWS, build_due, refresh_due, tables_of
from tests.session_models import EVENTS, events, ledger, session_model

pytestmark = pytest.mark.slow
EMIT = "final"
CONFLICT = re.compile("DELTA_CONCURRENT_|Found (new )?conflicting|Missing required files to delete")
TIMEOUT = 120  # seconds after which a statement is taken for stuck
# Where each step's statement computes its rows, and how it waits there.
WAITS = {
    "dropped_rows": ("from judged\nwhere ", "from judged\nwhere held() and "),
    "windows": ("from changes\n", "from (select * from changes where held()) as changes\n"),
    "publish": ("from closed\nwhere ", "from closed\nwhere held() and "),
}
# The same of a build, whose windows are no MERGE.
WAITS_OF_BUILD = {
    "windows": ("\nfrom windows", "\nfrom windows\nwhere held()"),
    "publish": WAITS["publish"],
}


@pytest.fixture(scope="module", autouse=True)
def whole(project: DbtProject) -> None:
    """`whole` has a build and a refresh that nobody disturbed."""
    refresh_due(project, "whole", EMIT)
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
        self.refusal: Exception | None = None
        begun, released = self.begun, self.released

        def comes(file: Path) -> bool:
            # a file is all that the worker, a process of Spark's, has in common with this one
            ends = time.monotonic() + TIMEOUT
            while not file.exists() and time.monotonic() < ends:
                time.sleep(0.05)
            return file.exists()

        def held() -> bool:
            try:
                begun.touch(exist_ok=False)
            except FileExistsError:
                return True  # one task is enough, the other run needs a core
            comes(released)
            return True

        self.comes = comes
        project.spark.udf.register("held", held, BooleanType()).asNondeterministic()

    def send(self, sql: str) -> None:
        """Send it in a thread, and return when its rows are being computed."""

        def run() -> None:
            try:
                self.project.spark.sql(sql).collect()
            except (PySparkException, Py4JJavaError) as error:  # the format may refuse it
                self.refusal = error

        self.thread = threading.Thread(target=run)
        self.thread.start()
        assert self.comes(self.begun)
        assert self.under_way

    @property
    def under_way(self) -> bool:
        return self.thread is not None and self.thread.is_alive()

    def end(self) -> None:
        self.released.touch()
        if self.thread:
            self.thread.join()


@pytest.fixture
def held(project: DbtProject, tmp_path: Path) -> Iterator[Held]:
    statement = Held(project, tmp_path)
    yield statement
    statement.end()


def left_under_way(
    project: DbtProject, name: str, held: Held, step: str, waits: tuple[str, str], **options: Any
) -> None:
    """Run a model, and kill the run while the statement of a step is under way."""

    def leave(sql: Statement) -> None:
        if sql.model == name and sql.step == step and is_write(sql):
            assert sql.count(waits[0]) == 1
            held.send(sql.replace(*waits))
            raise Killed(sql)

    with watched(before=leave), suppress(Killed):
        project.run(name, **options)
    assert held.under_way


@pytest.mark.parametrize("full_refresh", [False, True])
@pytest.mark.parametrize("step", WAITS)
def test_it_leaves_no_trace(project: DbtProject, held: Held, step: str, full_refresh: bool) -> None:
    """Its run dies, or stalls, while the statement goes on: over Thrift or Connect, say."""
    name = f"under_way_{step}_{full_refresh}".lower()
    refresh_due(project, name, EMIT)
    left_under_way(project, name, held, step, WAITS[step])
    project.run(name, full_refresh=full_refresh)
    assert held.under_way
    held.end()
    if step == "dropped_rows":
        # they do not count, since another run has their number, and go with the next look
        project.run(name)
    assert tables_of(project, name) == tables_of(project, "whole")
    assert len(ledger(project, name)) == len(ledger(project, "whole"))


@pytest.mark.parametrize("emit", ["updates", "final"])
def test_of_two_merges_with_one_number_one_counts(
    project: DbtProject, held: Held, emit: str
) -> None:
    """The same statement twice, the first still under way when the second has been committed."""
    calm, name = f"calm_{emit}", f"rivals_{emit}"
    for one in (calm, name):
        refresh_due(project, one, emit)
    project.run(calm)
    sent: list[Statement] = []

    def rival_first(sql: Statement) -> None:
        if (sql.model, sql.step) == (name, "windows") and is_write(sql):
            assert sql.count(WAITS["windows"][0]) == 1
            sent.append(sql)
            held.send(sql.replace(*WAITS["windows"]))

    with watched(before=rival_first):
        project.run(name)
    assert len(sent) == 1
    assert held.under_way
    stored = f"select * from {name}" + ("__state" if emit == "final" else "")
    before = sorted(map(str, project.rows(stored)))
    held.end()
    assert CONFLICT.search(str(held.refusal)), held.refusal
    assert sorted(map(str, project.rows(stored))) == before
    project.run(name)
    assert tables_of(project, name) == tables_of(project, calm)


DAY = 24 * 60
TUMBLING = "event_windows.tumbling(size='10 minutes', grace='unbounded')"
REBUILT = ("select * from rebuilt_changes\n", "select * from rebuilt_changes where held()\n")


def of_days(project: DbtProject, name: str, *rows: tuple[str, float]) -> None:
    project.model(name, session_model("clicks", TUMBLING, aggregates={"n": "count(*)"}))
    project.create_source("clicks", events(rows), EVENTS)
    project.run(name)


def check_refused(project: DbtProject, name: str, held: Held, *rows: tuple[str, float]) -> None:
    """The statement under way is; the next run has all rows, and each number is of one run."""
    assert held.under_way
    held.end()
    assert CONFLICT.search(str(held.refusal)), held.refusal
    project.run(name)
    assert {row.key: row.n for row in project.rows(f"select * from {name}")} == dict(rows)
    lines = ledger(project, name)
    assert len({line["_ew_refresh"] for line in lines}) == len(lines)


def test_keys_made_anew_beside_a_new_row_in_a_former_segment(
    project: DbtProject, held: Held
) -> None:
    of_days(project, "anew_beside", ("b", 0), ("a", 3 * DAY))
    left_under_way(
        project,
        "anew_beside",
        held,
        "windows",
        REBUILT,
        vars={"event_windows__rebuild": "key = 'a'"},
    )
    project.append("clicks", events([("c", 0)], 2))
    project.run("anew_beside")
    check_refused(project, "anew_beside", held, ("a", 1), ("b", 1), ("c", 1))


def test_a_new_row_in_a_later_segment_beside_a_clock_that_is_moved(
    project: DbtProject, held: Held
) -> None:
    of_days(project, "moved_beside", ("a", 0))
    project.append("clicks", events([("b", DAY)], 1))
    left_under_way(project, "moved_beside", held, "windows", WAITS["windows"])
    # which the other run has not seen yet
    project.rows("delete from clicks where arrival_seq = 1")
    project.run("moved_beside", vars={"event_windows__advance_to": "2024-05-02"})
    project.append("clicks", events([("b", DAY)], 1))
    check_refused(project, "moved_beside", held, ("a", 1), ("b", 1))


@pytest.mark.parametrize(("rebuilt", "again"), [(False, False), (True, False), (True, True)])
@pytest.mark.parametrize("step", WAITS_OF_BUILD)
def test_a_build_that_comes_late_is_refused_or_told(
    project: DbtProject, held: Held, step: str, rebuilt: bool, again: bool
) -> None:
    """It may replace what a later build, or who has finished it, has made: the next run says so."""
    name = f"build_under_way_{step}_{rebuilt}_{again}".lower()
    build_due(project, name, EMIT)
    if rebuilt:
        project.run(name)
    left_under_way(project, name, held, step, WAITS_OF_BUILD[step], full_refresh=True)
    project.append("clicks", ROWS[FIRST:])
    project.run(name, full_refresh=again)
    assert held.under_way
    held.end()
    outcome = project.run(name, expect_error=None)
    if not outcome.success:
        assert "--full-refresh" in outcome.error
        project.run(name, full_refresh=True)
    assert tables_of(project, name) == tables_of(project, "whole")
