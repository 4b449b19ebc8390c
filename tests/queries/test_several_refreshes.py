"""What is told refresh by refresh where one run makes several, and by several clocks."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from tests.harness import DbtProject
from tests.session_models import at, session_model

COLUMNS = "key string, event_time timestamp, arrival_seq bigint, shard string"
TUMBLING = "event_windows.tumbling(size='10 minutes', grace='0 minutes')"
KEPT = {"retention": "10 minutes"}
# each two rows are a refresh: the second is late by 30, 0 and 50 minutes
ROWS = [
    ("a", 60, "p"),
    ("a", 30, "p"),
    ("a", 61, "p"),
    ("a", 62, "p"),
    ("a", 120, "p"),
    ("a", 69, "p"),
]
# of key a shard p is far, and q is not: every window of q is open still; b comes by p alone
SHARDS = [("a", 0, "q"), ("a", 15, "q"), ("a", 95, "p"), ("b", 0, "p"), ("b", 95, "p")]


def numbered(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return [(key, at(minutes), n, shard) for n, (key, minutes, shard) in enumerate(rows)]


@pytest.fixture(scope="module", autouse=True)
def built(project: DbtProject) -> None:
    project.create_source("clicks", numbered(ROWS), COLUMNS)
    project.create_source("shards", numbered(SHARDS), COLUMNS)
    project.model("catching_up", session_model("clicks", TUMBLING))
    project.model("by_shard", session_model("shards", TUMBLING, config=KEPT, partition="shard"))
    project.run("by_shard")
    project.run("catching_up", vars={"event_windows__max_rows_per_refresh": 2})


def test_each_refresh_of_a_run_has_its_own_lateness(project: DbtProject) -> None:
    rows = project.asked("lateness", "catching_up")
    assert len({row.run_id for row in rows}) == 1
    # the windows ended at 40 and 70, when the clocks were at 60 and 120
    tick = timedelta(microseconds=1)
    found = [(row.rows_read, row.rows_late, row.grace_max) for row in rows]
    first, last = timedelta(minutes=20) + tick, timedelta(minutes=50) + tick
    assert found == [(2, 1, first), (2, 0, None), (2, 1, last)]


@pytest.mark.parametrize(("runs", "fails"), [(1, True), (2, False), ("all", True)])
def test_the_last_refreshes_are_the_last_by_number(
    project: DbtProject, runs: int | str, fails: bool
) -> None:
    # as after a run that was taken over: what began first ended last
    project.rows(
        "update event_windows_runs set started_at = timestamp '2024-01-01' "
        "where model = 'catching_up' and arrival_to = 5"
    )
    allowed = {"fraction": 0.3, "runs": runs}
    entry = {"event_windows.late_rows_at_most": {"arguments": allowed}}
    project.write_yaml(
        "models/tests.yml", {"models": [{"name": "catching_up", "data_tests": [entry]}]}
    )
    outcome = project.test(expect_error=None)
    assert outcome.success is not fails, outcome.error


def test_a_window_is_open_as_long_as_one_of_its_clocks_leaves_it_open(project: DbtProject) -> None:
    [row] = project.asked("window_counts", "by_shard")
    # open: [10, 20) and [90, 100) of a, [90, 100) of b; [0, 10) of a has left by no clock but p's
    assert (row.open, row.closed, row.in_state) == (3, 2, 4)


def test_stream_time_is_the_furthest_of_the_clocks_of_a_key(project: DbtProject) -> None:
    inline = "select * from {{ event_windows.stream_time(ref('by_shard')) }}"
    found = {row.key: row.stream_time for row in project.rows(project.compile(inline=inline))}
    later = at(95).replace(tzinfo=None)
    assert found == {"a": later, "b": later}
    shown = project.rows("select * from by_shard__stream_time")
    assert {row.key: row.stream_time for row in shown} == found
