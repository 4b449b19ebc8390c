"""Windows that left the state: they stay in the published table or leave it, as the model asks."""

from __future__ import annotations

import random

import pytest

from tests.harness import DbtProject
from tests.session_models import EVENTS, at, ledger, public, session_model

pytestmark = pytest.mark.slow

WINDOW = "event_windows.session(gap='5 minutes', grace='10 minutes')"
RETENTION = 40  # minutes
chance = random.Random(8)
ROWS = [
    ("abc"[i % 3] if i < 60 else "ab"[i % 2], at(2 * i - chance.randrange(30)), i, i)
    for i in range(240)
]


@pytest.fixture(scope="module")
def refreshed(project: DbtProject) -> DbtProject:
    """The same rows in three refreshes, kept and deleted; c falls silent early."""
    for expire in ("keep", "delete"):
        project.model(
            expire,
            session_model(
                "clicks",
                WINDOW,
                config={
                    "retention": f"{RETENTION} minutes",
                    "expire": expire,
                    "segment_interval": "10 minutes",
                },
            ),
        )
    project.create_source("clicks", ROWS[:80], EVENTS)
    project.run("keep", "delete")
    for start, stop in ((80, 160), (160, 240)):
        project.append("clicks", ROWS[start:stop])
        project.run("keep", "delete")
    return project


def left(project: DbtProject, table: str) -> int:
    """Windows of `table` that have left the state."""
    return int(
        project.rows(
            f"select count(*) as n from {table} as w join {table}__stream_time as c using (key) "
            f"where w.window_end < c.stream_time - interval {RETENTION} minutes"
        )[0].n
    )


def test_all_but_what_left_the_state_is_the_same(refreshed: DbtProject) -> None:
    assert left(refreshed, "keep") > 10
    assert left(refreshed, "delete") == 0
    kept = set(public(refreshed, "keep"))
    still_there = set(public(refreshed, "delete"))
    assert still_there < kept
    assert len(kept) - len(still_there) == left(refreshed, "keep")


def test_the_ledger_counts_those_that_are_deleted(refreshed: DbtProject) -> None:
    runs = ledger(refreshed, "delete")
    assert sum(run.windows_expired for run in runs) == left(refreshed, "keep")


def test_nobody_counts_those_that_are_kept_as_they_leave(refreshed: DbtProject) -> None:
    """Where no row goes it would take a look at the whole table: window_counts does, when asked."""
    runs = ledger(refreshed, "keep")
    assert [(run.windows_expired, run.windows_closed) for run in runs] == [(None, None)] * 3


def test_one_refresh_leaves_the_same_table(refreshed: DbtProject) -> None:
    before = public(refreshed, "delete")
    refreshed.run("delete", full_refresh=True)
    assert public(refreshed, "delete") == before


def test_a_window_that_ends_just_then_has_not_left(project: DbtProject) -> None:
    """Its segment is one of those that have, if the end belonged to the window."""
    window = "event_windows.tumbling(size='10 minutes', grace='0 seconds')"
    config = {"retention": "1 hour", "expire": "delete", "segment_interval": "10 minutes"}
    project.model("at_the_end", session_model("ends", window, config=config))
    # the windows that are stored then; the first ends one hour before minute 70
    for turn, (minute, stored) in enumerate([(5, 1), (70, 2), (70.001, 1), (80, 2)]):
        rows = [("a", at(minute), turn, 1)]
        if turn:
            project.append("ends", rows)
        else:
            project.create_source("ends", rows, EVENTS)
        project.run("at_the_end")
        assert project.rows("select count(*) as n from at_the_end")[0].n == stored
