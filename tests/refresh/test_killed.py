"""A run killed after any of its writes and started again ends as if nothing had happened."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import functions

from tests.harness import DbtProject, killed_after, recorded, watched, without_comments
from tests.session_models import EVENTS, disordered, ledger, public, session_model, version

WINDOW = "event_windows.session(gap='30 minutes', grace='20 minutes')"
ROWS = disordered(12, 60)
MODEL = session_model("clicks", WINDOW, aggregates={"n": "count(*)", "total": "sum(value)"})
SUFFIXES = ["", "__stream_time", "__dropped"]
SUMS = ["rows_read", "rows_late", "rows_null"]
SUMS += ["windows_inserted", "windows_updated", "windows_deleted", "windows_closed"]

# What each write of a refresh does, in order, by a pattern of its statement.
REFRESH = {
    "begun": r"alter table \S+ set tblproperties \('event_windows\.pending",
    "suspects kept": r"create or replace table \S+__ew_suspects",
    "replay kept": r"create or replace table \S+__ew_replayed",
    "dropped rows": r"insert into \S+__dropped",
    "windows": r"merge into \S+ as stored",
    "clocks": r"merge into \S+__stream_time",
    "ledger": r"(insert|merge) into \S+event_windows_runs",
    "finished": r"alter table \S+ set tblproperties \('event_windows\.progress",
}
BUILD = {
    "suspects kept": REFRESH["suspects kept"],
    "replay kept": REFRESH["replay kept"],
    "windows": r"create or replace table \S+(?<!__dropped)(?<!__stream_time)(?<!__ew_suspects)"
    r"(?<!__ew_replayed)\s",
    "table of dropped rows": r"create or replace table \S+__dropped",
    "dropped rows": REFRESH["dropped rows"],
    "clocks": r"create or replace table \S+__stream_time",
    "ledger": REFRESH["ledger"],
    "finished": REFRESH["finished"],
}


def points(writes: dict[str, str], sample: set[str]) -> list[Any]:
    """Every point; those outside the sample in long runs only."""
    slow = pytest.mark.slow
    return [pytest.param(name, marks=() if name in sample else slow) for name in writes]


def is_at(pattern: str) -> Callable[[str], bool]:
    return lambda sql: re.match(pattern, without_comments(sql).replace("`", ""), re.I) is not None


class Clones:
    """Tables as they were after the first build, under other names: building each is slow."""

    def __init__(self, project: DbtProject) -> None:
        self.project = project
        self.first = {suffix: version(project, f"whole{suffix}") for suffix in SUFFIXES}
        self.build = ledger(project, "whole")
        self.writes: list[str] = []  # of the refresh

    def of_whole(self, name: str, latest: bool = False) -> str:
        """A model that has seen what `whole` had after its build (or has seen by now)."""
        self.project.model(name, MODEL)
        for suffix, number in self.first.items():
            at = "" if latest else f"version as of {number}"
            self.project.rows(f"create table {name}{suffix} shallow clone whole{suffix} {at}")
        runs = f"{self.project.schema}.event_windows_runs"
        seen = self.project.spark.table(runs).where("model = 'whole'")
        if not latest:
            seen = seen.where(functions.col("run_id") == self.build[0].run_id)
        copies = seen.withColumn("model", functions.lit(name)).collect()
        schema = self.project.spark.table(runs).schema
        frame = self.project.spark.createDataFrame(copies, schema)
        frame.write.format("delta").mode("append").saveAsTable(runs)
        return name


@pytest.fixture(scope="module")
def clones(project: DbtProject) -> Clones:
    """`whole` has a build and a refresh that nobody disturbed."""
    project.create_source("clicks", ROWS[:25], EVENTS)
    project.model("whole", MODEL)
    project.run("whole")
    clones = Clones(project)
    project.append("clicks", ROWS[25:])
    with recorded() as statements:
        project.run("whole")
    clones.writes = [sql for sql in statements.writes if not sql.startswith("drop ")]
    assert all(ledger(project, "whole")[-1][column] for column in ["rows_late", "rows_null"])
    return clones


def as_undisturbed(project: DbtProject, name: str, undisturbed: str = "whole") -> None:
    for suffix in SUFFIXES:
        # the run that finished is another one, all else is the same
        found = public(project, name + suffix, without=["run_id"])
        assert found == public(project, undisturbed + suffix, without=["run_id"])


def same_sums(project: DbtProject, name: str, undisturbed: str = "whole") -> None:
    found, expected = ledger(project, name), ledger(project, undisturbed)
    for column in SUMS:
        assert sum(row[column] for row in found) == sum(row[column] for row in expected)
    assert len(found) == len(expected)
    for column in ["keys_tracked", "stream_time"]:
        assert found[-1][column] == expected[-1][column]


def slug(name: str) -> str:
    return name.replace(" ", "_")


def test_the_points_are_all_writes_of_a_refresh(clones: Clones) -> None:
    found = [[name for name in REFRESH if is_at(REFRESH[name])(sql)] for sql in clones.writes]
    assert found == [[name] for name in REFRESH]


@pytest.mark.parametrize("point", points(REFRESH, {"dropped rows", "windows", "ledger"}))
def test_a_refresh_killed_after(project: DbtProject, clones: Clones, point: str) -> None:
    name = clones.of_whole(f"refresh_{slug(point)}")
    with killed_after(is_at(REFRESH[point])) as kill:
        project.run(name)
    assert kill.happened
    project.run(name)
    as_undisturbed(project, name)
    same_sums(project, name)


@pytest.mark.usefixtures("clones")
@pytest.mark.parametrize("point", points(BUILD, {"windows"}))
def test_a_first_build_killed_after(project: DbtProject, point: str) -> None:
    name = f"build_{slug(point)}"
    project.model(name, MODEL)
    with killed_after(is_at(BUILD[point])) as kill:
        project.run(name)
    assert kill.happened
    project.run(name)
    as_undisturbed(project, name)
    assert [row.rows_read for row in ledger(project, name)] == [len(ROWS)]
    found, expected = ledger(project, name)[0], ledger(project, "whole")
    assert found.rows_late == sum(row.rows_late for row in expected)
    assert found.rows_null == sum(row.rows_null for row in expected)


@pytest.mark.parametrize("point", points(BUILD, {"clocks"}))
def test_a_full_refresh_killed_after(project: DbtProject, clones: Clones, point: str) -> None:
    name = clones.of_whole(f"full_{slug(point)}", latest=True)
    with killed_after(is_at(BUILD[point])) as kill:
        project.run(name, full_refresh=True)
    assert kill.happened
    # a plain run: it either finishes the full refresh or finds the old table in order
    project.run(name)
    as_undisturbed(project, name)
    read = [row.rows_read for row in ledger(project, name)]
    assert read in ([25, 35], [25, 35, 60])


# --- two runs at once ---------------------------------------------------------------------------


def rival(sql: str) -> str:
    """The statement that begins a refresh, as another run would send it."""
    found = re.search(r"event_windows\.pending\.([0-9a-f-]+)", sql)
    assert found
    return sql.replace(found.group(1), "00000000-0000-0000-0000-000000000000")


@pytest.mark.slow
def test_the_run_that_begins_second_stops(project: DbtProject, clones: Clones) -> None:
    name = clones.of_whole("second")
    begun: list[str] = []

    def begin_first(sql: str) -> None:
        if is_at(REFRESH["begun"])(sql) and not begun:
            begun.append(sql)
            project.spark.sql(rival(sql))

    before = public(project, name)
    with watched(before=begin_first):
        error = project.run(name, expect_error=True).error
    assert "another run is refreshing" in error
    assert public(project, name) == before
    # the other run died: what it began is finished by the next
    project.run(name)
    as_undisturbed(project, name)
    same_sums(project, name)


@pytest.mark.slow
def test_the_run_that_begins_first_goes_on(project: DbtProject, clones: Clones) -> None:
    name = clones.of_whole("first")
    begun: list[str] = []

    def begin_second(sql: str) -> None:
        if is_at(REFRESH["begun"])(sql) and not begun:
            begun.append(sql)
            project.spark.sql(rival(sql))

    with watched(after=begin_second):
        project.run(name)
    project.run(name)
    as_undisturbed(project, name)
    same_sums(project, name)


def test_the_same_merge_twice_changes_nothing(project: DbtProject, clones: Clones) -> None:
    """Two runs that finish the same refresh: the second finds its number in the table."""
    name = clones.of_whole("merged_twice")
    again: list[Any] = []

    def repeat(sql: str) -> None:
        if is_at(REFRESH["windows"])(sql):
            again.extend(project.spark.sql(sql).collect())

    with watched(after=repeat):
        project.run(name)
    assert [row.num_affected_rows for row in again] == [0]
    as_undisturbed(project, name)
