"""emit='final': every window once, when it has closed, against Kafka's final tables."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.formats import last_commit, operations
from tests.harness import FILE_FORMAT, DbtProject, Statement, killed_after, recorded, sampled
from tests.python.vectors import FOLDER, read_spec, summaries
from tests.reference.hopping import hopping_windows
from tests.reference.records import Result, Store
from tests.reference.session import Sessions
from tests.reference.sliding import SlidingWindows
from tests.reference.task import Task
from tests.session_models import EVENTS, events, session_model, windowed
from tests.windows.conformance import (
    COLUMNS,
    constructor,
    dropped_of,
    model,
    refresh_in_pieces,
    source_rows,
    timestamp,
    windows_of,
)

# Whether a window is closed at a stream time (RULES sections 2, 3 and 4).
CLOSED: dict[str, Callable[[dict[str, Any], int, int], bool]] = {
    "tumbling": lambda w, end, time: time >= end + w["grace_ms"],
    "hopping": lambda w, end, time: time >= end + w["grace_ms"],
    "sliding": lambda w, end, time: time > end + w["grace_ms"],
    "session": lambda w, end, time: time > end + w["grace_ms"] + w["gap_ms"],
}


# What keeps windows of a kind as such a model does, and so also tells what it publishes of cases in
# which Kafka's way loses windows or repeats them (RULES sections 6 and 7).
STORES: dict[str, Callable[[dict[str, Any]], Store]] = {
    "tumbling": lambda w: hopping_windows(w["size_ms"], w["size_ms"], w["grace_ms"]),
    "hopping": lambda w: hopping_windows(w["size_ms"], w["advance_ms"], w["grace_ms"]),
    "sliding": lambda w: SlidingWindows(w["size_ms"], w["grace_ms"]),
    "session": lambda w: Sessions(w["gap_ms"], w["grace_ms"], w["gap_ms"] + w["grace_ms"]),
}
# What a commit that only adds rows is called.
ADDING = {"iceberg": "append", "delta": "WRITE"}[FILE_FORMAT]


def final_model(window: str, source: str) -> str:
    return model(window, source, emit="final")


@pytest.mark.parametrize(
    "kind", sampled(["session", "tumbling", "hopping", "sliding"], ["tumbling"])
)
def test_closed_windows_of_any_cut_are_kafkas(project: DbtProject, kind: str) -> None:
    path = FOLDER / "by_spec" / f"{kind}-1.json"
    vector = read_spec(path)
    clean = set(json.loads(path.read_text())["clean_cases"])
    name = f"final_{kind}"
    project.model(name, final_model(constructor(vector.window), f"{name}_rows"))

    refresh_in_pieces(project, name, source_rows(vector), 2, seed=7)

    clocks: dict[Any, int] = {}
    for row in vector.rows:
        if row.key is not None and row.time is not None:
            clocks[row.partition] = max(clocks.get(row.partition, row.time), row.time)
    closed = {
        window
        for window in vector.windows
        if CLOSED[kind](vector.window, window[2], clocks[window[0][0]])
    }
    found = windows_of(project, name)
    assert {w for w in found if w[0][0] in clean} == {w for w in closed if w[0][0] in clean}
    task = Task(STORES[kind](vector.window), "partition")
    for row in vector.rows:
        task.receive(row)
    assert found == summaries(vector, Result(task.closed()))
    # after the build nothing was ever changed or taken away
    assert {*operations(project, name)[:-1]} == {ADDING}


def test_a_final_model_is_followed_by_its_refreshes_under_another_name(
    project: DbtProject,
) -> None:
    """One window closes at a time: where several do, nothing says which of them came first."""
    arrived = events([("a", 0), ("b", 0), ("a", 60), ("b", 5), ("a", 120), ("b", 60), ("a", 200)])
    project.create_source("above_rows", arrived[:2], EVENTS)
    tens = "event_windows.tumbling(size='10 minutes', grace='0 minutes')"
    project.model("above", session_model("above_rows", tens, config={"emit": "final"}))
    relation = "'(select *, _ew_refresh as refreshed from ' ~ ref('above') ~ ')'"
    aggregates = {"n": "count(*)", "last": "max(refreshed)"}

    def follower(materialized: str, arrival_order: str) -> str:
        call = windowed(
            relation,
            tens,
            aggregates=aggregates,
            event_time="window_start",
            arrival_order=arrival_order,
            stream_time="global",
        )
        return f"{{{{ config(materialized='{materialized}') }}}}\n{call}"

    project.model("windowed_after", follower("windowed", "refreshed"))
    project.model("table_after", follower("table", "refreshed"))
    project.run("above", "windowed_after")
    for row in arrived[2:]:
        project.append("above_rows", [row])
        project.run("above", "windowed_after")
    project.run("table_after")
    shown = "select key, window_start, n, last from {}_after order by all"
    assert project.rows(shown.format("windowed")) == project.rows(shown.format("table"))
    assert len(project.rows("select * from windowed_after")) == 3
    late = project.rows("select key, refreshed, reason from windowed_after__dropped")
    assert [(row.key, row.reason) for row in late] == [("b", "late")]
    # its own column would be there twice
    project.model("named_after", follower("windowed", "_EW_refresh"))
    error = project.run("named_after", expect_error=True).error
    project.model("named_after", follower("table", "refreshed"))
    assert "column '_EW_refresh' begins with '_ew_'" in error


def rows(*times: tuple[str, int], first: int = 0) -> list[tuple[Any, ...]]:
    return [
        ("all", key, first + place, timestamp(1000 * time), 1)
        for place, (key, time) in enumerate(times)
    ]


TUMBLING = "event_windows.tumbling(size='10 seconds', grace='5 seconds')"


def published(project: DbtProject, name: str) -> list[tuple[Any, ...]]:
    return sorted(
        (row.key, row.s, row.n)
        for row in project.rows(f"select key, unix_seconds(window_start) s, n from {name}")
    )


@pytest.mark.slow
def test_state_stays_small_and_idle_keys_close_on_demand(project: DbtProject) -> None:
    project.model(
        "f",
        final_model(TUMBLING, "f_rows")
        .replace("stream_time='partition'", "stream_time='key'")
        .replace("partition='grp',", ""),
    )
    project.create_source("f_rows", rows(("a", 1), ("b", 2), ("a", 14)), COLUMNS)
    project.run("f")
    assert published(project, "f") == []

    for turn in range(1, 4):
        project.append("f_rows", rows(("a", 100 * turn), first=10 * turn))
        project.run("f")
    assert published(project, "f") == [("a", 0, 1), ("a", 10, 1), ("a", 100, 1), ("a", 200, 1)]
    # b is idle, its window open; of a only what may still be touched is left
    state = project.rows("select key, unix_seconds(window_start) s from f__state order by 1, 2")
    assert [tuple(row) for row in state] == [("a", 300), ("b", 0)]

    project.run("f", vars={"event_windows__advance_to": "1970-01-01 00:10:00"})
    assert published(project, "f")[-2:] == [("a", 300, 1), ("b", 0, 1)]
    run = project.rows("select * from event_windows_runs where model = 'f' order by started_at")[-1]
    assert (run.rows_read, run.windows_closed, run.windows_inserted) == (0, 2, 2)
    assert run.keys_tracked == 2
    assert run.stream_time == timestamp(600_000).replace(tzinfo=None)
    assert project.rows("select count(*) n from f__state")[0].n == 0

    # rows that come after the advance are measured by it
    project.append("f_rows", rows(("b", 30), first=100))
    project.run("f")
    assert dropped_of(project, "f") == {(100, "late")}
    before = last_commit(project, "f")
    project.run("f", vars={"event_windows__advance_to": "1970-01-01 00:10:00"})
    assert last_commit(project, "f") == before

    # from scratch nobody advanced the clocks: the row of b is in time, and closes the window before
    project.run("f", full_refresh=True)
    assert dropped_of(project, "f") == set()
    assert published(project, "f")[-1] == ("b", 0, 1)
    assert len(published(project, "f")) == 5


@pytest.mark.slow
@pytest.mark.parametrize("built", [False, True])
def test_clocks_are_moved_after_the_last_commit_of_a_catch_up(
    project: DbtProject, built: bool
) -> None:
    name = f"caught_up_{built}".lower()
    project.model(name, final_model(TUMBLING, f"{name}_rows"))
    times = [("a", 10 * turn) for turn in range(40)]
    project.create_source(f"{name}_rows", rows(*times[: 20 if built else 40]), COLUMNS)
    given = {"event_windows__max_rows_per_refresh": 10}
    if built:
        project.run(name)
        project.append(f"{name}_rows", rows(*times[20:], first=20))
    project.run(name, vars=given | {"event_windows__advance_to": "1970-01-01 00:10:00"})
    assert dropped_of(project, name) == set()
    assert published(project, name) == [("a", 10 * turn, 1) for turn in range(40)]
    runs = project.rows(f"select count(*) n from event_windows_runs where model = '{name}'")
    assert runs[0].n >= 3


# Steps of a refresh after which it is killed: before the commit, and after each write that follows.
KILLED_AFTER = ["windows", "clocks", "publish", "ledger", "expire", "progress"]


def last_of(step: str) -> Callable[[Statement], bool]:
    """The last statement of a step that writes: `clocks` and `expire` ask before they do."""
    starts = {"clocks": "insert", "expire": "merge"}.get(step, "")
    return lambda sql: sql.step == step and sql.startswith(starts)


@pytest.mark.slow
def test_a_run_killed_anywhere_publishes_each_window_once(project: DbtProject) -> None:
    project.model("k", final_model(TUMBLING, "k_rows"))
    every = rows(*[("ab"[i % 2], 7 * i) for i in range(6 * (len(KILLED_AFTER) + 1))])
    project.create_source("k_rows", every[:6], COLUMNS)
    project.run("k")
    for turn, place in enumerate(KILLED_AFTER, 1):
        arrived = every[: 6 * (turn + 1)]
        project.append("k_rows", arrived[-6:])
        with killed_after(last_of(place)) as kill:
            project.run("k")
        assert kill.happened, place
        project.run("k")
        clock = 7 * (len(arrived) - 1)
        closed = [
            (key, start)
            for key, start in sorted({("ab"[i % 2], 7 * i // 10 * 10) for i in range(len(arrived))})
            if start + 10 + 5 <= clock
        ]
        assert [row[:2] for row in published(project, "k")] == closed, place
        runs = project.rows("select * from event_windows_runs where model = 'k'")
        assert len(runs) == turn + 1, place
        assert sum(run.windows_closed for run in runs) == len(closed), place


@pytest.mark.parametrize("stream_time", ["key", "partition"])
@pytest.mark.parametrize("config", [{"emit": "final"}, {"expire": "delete", "retention": "1 hour"}])
def test_windows_that_several_clocks_would_close_are_refused(
    project: DbtProject, stream_time: str, config: dict[str, str]
) -> None:
    """A row of a slower partition would count in a window that the clock of a faster one closed."""
    project.create_source("mixed_rows", [("slow", "a", 0, timestamp(0), 1)], COLUMNS)
    mixed = model(TUMBLING, "mixed_rows", **config).replace("key=['grp', 'key']", "key='key'")
    mixed = mixed.replace("stream_time='partition'", f"stream_time={stream_time!r}")
    project.model("mixed", mixed)
    with recorded() as statements:
        error = project.run("mixed", expect_error=True).error
    (project.root / "models/mixed.sql").unlink()
    assert statements.writes == []
    option, value = next(iter(config.items()))
    assert f"{option} is '{value}' and partition 'grp' is no key" in error
    assert "add the partition to key" in error
