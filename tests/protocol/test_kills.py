"""A run killed after any of its statements and started again ends as if nothing had happened."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.harness import (
    DbtProject,
    Statement,
    is_write,
    killed_after,
    recorded,
    selected,
    watched,
)
from tests.protocol.clicks import FIRST, ROWS, build_due, refresh_due, tables_of, write_model
from tests.session_models import EVENTS, at, ledger, public

EMITS = ["updates", "final"]
SUMS = ["rows_read", "rows_late", "rows_null", "windows_inserted", "windows_updated"]


class Undisturbed:
    """`whole_<emit>` has a build and a refresh that nobody disturbed; what these sent, in order."""

    def __init__(self, project: DbtProject, emits: list[str]) -> None:
        self.project = project
        names = [f"whole_{emit}" for emit in emits]
        for name, emit in zip(names, emits, strict=True):
            write_model(project, name, emit)
        project.create_source("clicks", ROWS[:FIRST], EVENTS)
        with recorded() as build:
            project.run(*names)
        project.append("clicks", ROWS[FIRST:])
        with recorded() as refresh:
            project.run(*names)
        self.build = {name: points(build, name) for name in names}
        self.refresh = {name: points(refresh, name) for name in names}


def points(statements: list[Statement], name: str) -> list[int]:
    """Places of the labelled statements that a kill may come after."""
    return list(range(sum(sql.model == name for sql in statements)))


@pytest.fixture(scope="module")
def undisturbed(request: pytest.FixtureRequest, project: DbtProject) -> Undisturbed:
    found = Undisturbed(project, sorted(selected(request, "emit") | {"updates"}))
    last = ledger(project, "whole_updates")[-1]
    assert last.rows_late
    assert last.rows_null
    return found


def after(name: str, place: int) -> Callable[[Statement], bool]:
    """Whether the statement just sent is the one at this place among those of a model."""
    sent = iter(range(10_000))
    return lambda sql: sql.model == name and next(sent) == place


def killed_everywhere(project: DbtProject, name: str, every: int) -> int:
    """Kill each run `every` statements later than the one before it, until one ends by itself.

    With each one, every statement is met by a run that begins afresh or by one that goes on with
    what another left, wherever that one had come to.
    """
    for place in range(0, 100, every):
        with killed_after(after(name, place), may_end=True) as kill:
            project.run(name)
        if not kill.happened:
            return place
    raise AssertionError("no run came to its end")


def as_undisturbed(project: DbtProject, name: str, emit: str) -> None:
    assert tables_of(project, name) == tables_of(project, f"whole_{emit}")
    # a view of the session goes with the session, which a kill would end
    tables = [row.tableName for row in project.rows("show tables") if not row.isTemporary]
    kept = [table for table in tables if table.startswith(f"{name}__ew_")]
    assert kept == [f"{name}__ew_clocks"]


def same_sums(project: DbtProject, name: str, emit: str) -> None:
    found, expected = ledger(project, name), ledger(project, f"whole_{emit}")
    for column in SUMS:
        assert sum(row[column] for row in found) == sum(row[column] for row in expected)
    assert len(found) == len(expected)
    for column in ["keys_tracked", "stream_time"]:
        assert found[-1][column] == expected[-1][column]


@pytest.mark.parametrize(
    ("emit", "every"),
    [("updates", 17), *[pytest.param(emit, 1, marks=pytest.mark.slow) for emit in EMITS]],
)
def test_a_build_and_a_refresh_killed_after_each_statement(
    project: DbtProject, undisturbed: Undisturbed, emit: str, every: int
) -> None:
    name = f"killed_{emit}_{every}"
    build_due(project, name, emit)
    assert killed_everywhere(project, name, every=every) > 5
    project.append("clicks", ROWS[FIRST:])
    assert killed_everywhere(project, name, every=every) > 5
    as_undisturbed(project, name, emit)
    same_sums(project, name, emit)


@pytest.mark.slow
@pytest.mark.parametrize("emit", EMITS)
def test_a_full_refresh_killed_after_each_statement(
    project: DbtProject, undisturbed: Undisturbed, emit: str
) -> None:
    name = f"rebuilt_{emit}"
    refresh_due(project, name, emit)
    for place in range(100):
        with killed_after(after(name, place), may_end=True) as kill:
            project.run(name, full_refresh=True)
        # a plain run: it either finishes the full refresh or finds the old table in order
        project.run(name)
        as_undisturbed(project, name, emit)
        if not kill.happened:
            break
    # one over a table sends no fewer than the first, which may have made the ledger, too
    assert len(undisturbed.build[f"whole_{emit}"]) - 1 <= place < 99


@pytest.mark.slow
@pytest.mark.parametrize("step", ["dropped_rows", "windows", "ledger"])
def test_a_refresh_and_then_a_full_refresh_killed(
    project: DbtProject, undisturbed: Undisturbed, step: str
) -> None:
    """The build dies before it replaces the table."""
    name = f"given_up_{step}"
    build_due(project, name)
    project.run(name)
    project.append("clicks", ROWS[FIRST : FIRST + 20])
    with killed_after(lambda sql: sql.model == name and sql.step == step) as kill:
        project.run(name)
    assert kill.happened
    for _ in range(2):
        with killed_after(lambda sql: sql.model == name and sql.step == "slices") as kill:
            project.run(name, full_refresh=True)
        assert kill.happened
    project.append("clicks", ROWS[FIRST + 20 :])
    project.run(name)
    as_undisturbed(project, name, "updates")
    assert sum(row.rows_read for row in ledger(project, name)) == len(ROWS)


@pytest.mark.slow
@pytest.mark.parametrize("emit", EMITS)
def test_a_refresh_killed_once(project: DbtProject, undisturbed: Undisturbed, emit: str) -> None:
    """After one kill at each place the next run does all that is left."""
    for place in undisturbed.refresh[f"whole_{emit}"]:
        name = f"once_{emit}_{place}"
        refresh_due(project, name, emit)
        with killed_after(after(name, place)) as kill:
            project.run(name)
        assert kill.happened
        project.run(name)
        as_undisturbed(project, name, emit)
        same_sums(project, name, emit)


@pytest.mark.slow
def test_the_same_merge_twice_changes_nothing(
    project: DbtProject, undisturbed: Undisturbed
) -> None:
    """Two runs that finish the same refresh: the second finds its number in the table."""
    name = "merged_twice"
    refresh_due(project, name)
    merged: list[list[str]] = []

    def repeat(sql: Statement) -> None:
        if sql.model == name and sql.startswith("merge into"):
            merged.append(public(project, name))
            project.spark.sql(str(sql))
            merged.append(public(project, name))

    with watched(after=repeat):
        project.run(name)
    assert merged[0] == merged[1]
    as_undisturbed(project, name, "updates")


RUN_ID = re.compile(r'"run_id": "([0-9a-f-]{36})"')
OTHER = "00000000-0000-0000-0000-000000000000"


@pytest.mark.slow
@pytest.mark.parametrize("emit", EMITS)
def test_of_two_runs_with_one_number_the_second_stops_and_says_so(
    project: DbtProject, undisturbed: Undisturbed, emit: str
) -> None:
    """Another run reads the same rows, commits right before this one, and dies."""
    name = f"second_{emit}"
    refresh_due(project, name, emit)
    dropped: list[str] = []

    def other_first(sql: Statement) -> None:
        if sql.model != name or not is_write(sql):
            return
        if sql.step == "dropped_rows" and sql.startswith("insert"):
            dropped.append(sql)
        elif sql.step == "windows":
            (mine,) = set(RUN_ID.findall(sql))
            for statement in [*dropped, sql]:
                project.spark.sql(statement.replace(mine, OTHER))

    with watched(before=other_first):
        error = project.run(name, expect_error=True).error
    assert "another run has refreshed" in error
    assert len(dropped) == 1
    counted = project.rows(
        f"select distinct run_id from {name}__dropped where _ew_refresh = "
        f"(select max(_ew_refresh) from {name}__dropped)"
    )
    assert [row.run_id for row in counted] == [OTHER]
    # what follows from the other's commit is done by the next run
    project.run(name)
    as_undisturbed(project, name, emit)
    same_sums(project, name, emit)


@pytest.mark.slow
def test_a_slow_run_expires_nothing_of_the_next_refresh(
    project: DbtProject, undisturbed: Undisturbed
) -> None:
    """It deletes what its own clocks let leave, when later ones have closed and not published."""
    name = "expires_late"
    refresh_due(project, name, "final")
    expiring: list[Statement] = []

    def logged(sql: Statement) -> bool:
        return sql.model == name and sql.step == "clocks" and sql.startswith("insert")

    with watched(before=lambda sql: expiring.append(sql) if sql.step == "expire" else None):
        project.run(name)
    assert len(expiring) == 2
    project.append("clicks", [("a", at(10_000), 1000, 1), ("c", at(0), 1001, 1)])
    with killed_after(logged) as kill:
        project.run(name)
    assert kill.happened
    state = project.rows(f"select count(*) as n from {name}__state")
    for sql in expiring:
        project.spark.sql(str(sql))
    assert project.rows(f"select count(*) as n from {name}__state") == state
    project.run(name)
    assert project.rows(f"select count(*) as n from {name} where key = 'a'")[0].n > 0
