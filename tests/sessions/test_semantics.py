"""What a session is, where engines disagree (PEERS, RULES 3), maintained over refreshes."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import count
from typing import Any

import pytest

from tests.harness import DbtProject
from tests.reference.records import Result, Row
from tests.reference.session import session
from tests.session_models import (
    EPOCH,
    EVENTS,
    at,
    counted,
    events,
    ledger,
    micros,
    session_model,
)

YEAR_1970 = -micros(EPOCH) / 60e6  # in minutes, as everything below

Drawn = tuple[str, int]


def off(minutes: float, microseconds: int) -> float:
    """`minutes` and so many microseconds, as `counted` has it."""
    return round(minutes + microseconds / 60e6, 9)


@dataclass
class Scenario:
    """Rows in as many parts as there are refreshes, and the text of the model over them."""

    sql: str
    parts: Sequence[Sequence[tuple[Any, ...]]]
    columns: str = EVENTS

    @property
    def rows(self) -> list[tuple[Any, ...]]:
        return [row for part in self.parts for row in part]


def scenario(sql: str, rows: Sequence[tuple[Any, ...]], columns: str = EVENTS) -> Scenario:
    """All rows in two refreshes: the second is the longer and has late rows."""
    return Scenario(sql, [rows[: len(rows) // 3], rows[len(rows) // 3 :]], columns)


def drawn(seed: int, count: int = 120, jitter: int = 240) -> list[Drawn]:
    """Disordered (key, minutes): multiples of ten, so that rows meet at exactly one gap."""
    chance = random.Random(seed)
    return [
        (chance.choice("abc"), 10 * ((8 * i + chance.randint(-jitter, 20)) // 10))
        for i in range(count)
    ]


HALF_HOUR = "event_windows.session(gap='30 minutes', grace='{}')"

# One key for each thing to show; the clock of each key is its own.
CASES: list[list[tuple[str, float]]] = [
    [
        *[("midnight", -20), ("midnight", -1), ("moved", 100), ("moved", 120)],
        *[("joined", 0), ("joined", 20), ("joined", 60), ("joined", 70)],
        *[("three", 0), ("three", 50), ("three", 100), ("one gap apart", 0), ("one gap apart", 30)],
        *[("a microsecond more", 0), ("a microsecond more", off(30, 1))],
        *[("before 1970", YEAR_1970 - 90), ("before 1970", YEAR_1970 - 20)],
        *[("twice", 0), ("twice", 0), ("twice", 0), ("late", 0), ("late", 5000)],
        *[("to extend", 40), ("to extend", 1500)],
    ],
    [
        *[("midnight", 10), ("moved", 80), ("three", 25), ("three", 75), ("one gap apart", -30)],
        *[("one gap apart", 60), ("a microsecond more", off(-30, -1)), ("twice", 0)],
        *[("before 1970", YEAR_1970 - 60), ("before 1970", YEAR_1970 + 5)],
        *[("late", 100), ("late", off(3530, -1)), ("late", 3530), ("to extend", 15)],
    ],
    [("joined", 40), ("a microsecond more", 10), ("late", off(3530, -1))],
]


def in_order_of_arrival(parts: Sequence[Sequence[tuple[Any, Any]]]) -> list[list[tuple[Any, ...]]]:
    numbered, arrival = [], 0
    for part in parts:
        numbered.append(events(part, arrival))
        arrival += len(part)
    return numbered


SHARDS = "key string, shard int, arrival_seq bigint, event_time timestamp, number bigint"


def sharded() -> list[tuple[Any, ...]]:
    """Keys that come through two partitions with offsets of their own, in order of arrival.

    The number is unique and ascending over all of them. One partition has two of the keys.
    """
    offsets = [count(), count()]
    return [
        (key, int(key == "b"), next(offsets[key == "b"]), at(minutes), i)
        for i, (key, minutes) in enumerate(drawn(seed=3))
    ]


def sharded_model(stream_time: str, **arguments: Any) -> str:
    window = HALF_HOUR.format("20 minutes")
    given = {"partition": "shard", "stream_time": stream_time} | arguments
    return session_model("by_shard_rows", window, **given)


def gaps() -> list[tuple[Any, ...]]:
    """A gap of 10 to 60 minutes with each row, as its value."""
    chance = random.Random(5)
    return [
        (key, at(minutes), i, 10 * chance.randint(1, 6))
        for i, (key, minutes) in enumerate(drawn(seed=5))
    ]


def by_row(grace: str) -> str:
    return f"event_windows.session(gap_by='make_dt_interval(0, 0, value)', grace='{grace}')"


ZONELESS = "`user-id` string, tenant int, event_time timestamp_ntz, arrival_seq bigint"


def zoneless() -> list[tuple[Any, ...]]:
    rows = enumerate(drawn(seed=6))
    return [(key, i % 2, at(t).replace(tzinfo=None), i) for i, (key, t) in rows]


SCENARIOS = {
    "cases": Scenario(
        session_model("cases_rows", HALF_HOUR.format("1 day")), in_order_of_arrival(CASES)
    ),
    "gap_zero": scenario(
        session_model(
            "gap_zero_rows", "event_windows.session(gap='0 seconds', grace='20 minutes')"
        ),
        events(drawn(seed=1, jitter=60)),
    ),
    "by_shard": scenario(sharded_model("partition"), sharded(), SHARDS),
    "gap_of_row": scenario(session_model("gap_of_row_rows", by_row("unbounded")), gaps()),
    "zoneless": scenario(
        session_model("zoneless_rows", HALF_HOUR.format("20 minutes"), key=["tenant", "user-id"]),
        zoneless(),
        ZONELESS,
    ),
    "retained": scenario(
        session_model(
            "retained_rows", HALF_HOUR.format("30 minutes"), config={"retention": "1 hour"}
        ),
        events(drawn(seed=8)),
    ),
}
# More models over the same rows.
OVER_THE_SAME = {
    "by_shard_key": sharded_model("key"),
    # numbers of partitions say nothing of the order between them, so that this needs one for all
    "by_shard_global": sharded_model("global", partition=None, arrival_order="number"),
    "gap_of_row_late": session_model("gap_of_row_rows", by_row("20 minutes")),
    "gap_of_row_table": session_model("gap_of_row_rows", by_row("unbounded"), materialized="table"),
}
# What other tests show too: vectors, cases of every scope, expiring windows, generated texts.
IN_SLOW_TESTS = [name for name in [*SCENARIOS, *OVER_THE_SAME] if name != "cases"]


def in_two_refreshes(project: DbtProject, models: Sequence[str]) -> None:
    """The first two parts of what the models read."""
    scenarios = {name: each for name, each in SCENARIOS.items() if name in models}
    for name, each in scenarios.items():
        project.create_source(f"{name}_rows", each.parts[0], each.columns)
    for name in models:
        project.model(name, SCENARIOS[name].sql if name in SCENARIOS else OVER_THE_SAME[name])
    project.run(*models)
    for name, each in scenarios.items():
        project.append(f"{name}_rows", each.parts[1])
    project.run(*models)


@pytest.fixture(scope="module", autouse=True)
def refreshed(project: DbtProject) -> None:
    in_two_refreshes(project, ["cases"])
    project.append("cases_rows", SCENARIOS["cases"].parts[2])
    project.run("cases")


@pytest.fixture(scope="module")
def more(project: DbtProject, refreshed: None) -> None:
    in_two_refreshes(project, IN_SLOW_TESTS)


def dropped(project: DbtProject, model: str, *columns: str) -> set[tuple[Any, ...]]:
    """The given columns, reason and stream time (in minutes) of each dropped row."""
    time = f"unix_micros(cast(stream_time as timestamp)) - {micros(EPOCH)}"
    rows = project.rows(f"select {', '.join(columns)}, reason, {time} as t from {model}__dropped")
    found = [(*row[:-1], None if row.t is None else row.t / 60e6) for row in rows]
    assert len(found) == len(set(found)), "a dropped row is there twice"
    return set(found)


def minutes(time: Any) -> int:
    return round((time.replace(tzinfo=EPOCH.tzinfo) - EPOCH) / timedelta(minutes=1))


def expected(result: Result) -> set[tuple[Any, ...]]:
    return {(w.key, w.start, w.end, len(w.rows)) for w in result.windows}


# --- one thing each -----------------------------------------------------------------------------


def sessions_of(project: DbtProject, key: str) -> set[tuple[float, float, int]]:
    return {tuple(found[1:]) for found in counted(project, "cases") if found[0] == key}


def test_midnight_does_not_split_a_session(project: DbtProject) -> None:
    """Partitions by day do: Velir/dbt-ga4 #81, SQLMesh #5739, dbt microbatch."""
    assert sessions_of(project, "midnight") == {(-20, 10, 3)}


def test_a_late_row_moves_the_start(project: DbtProject) -> None:
    """A merge on hash(key, start) leaves the old one behind: dbt-labs/snowplow PR #49."""
    assert sessions_of(project, "moved") == {(80, 120, 3)}


def test_a_late_row_joins_two_sessions(project: DbtProject) -> None:
    assert sessions_of(project, "joined") == {(0, 70, 5)}


def test_two_late_rows_join_three_sessions(project: DbtProject) -> None:
    assert sessions_of(project, "three") == {(0, 100, 5)}


def test_exactly_one_gap_apart_joins(project: DbtProject) -> None:
    """As in Kafka, Spark and Flink; Beam and MongoDB split there."""
    assert sessions_of(project, "one gap apart") == {(-30, 60, 4)}


def test_one_microsecond_more_than_the_gap_splits(project: DbtProject) -> None:
    assert sessions_of(project, "a microsecond more") == {
        (off(-30, -1), off(-30, -1), 1),
        (0, off(30, 1), 3),  # a row in between came later
    }


def test_times_before_1970(project: DbtProject) -> None:
    first, last = YEAR_1970 - 90, YEAR_1970 + 5
    assert sessions_of(project, "before 1970") == {
        (first, first + 30, 2),
        (YEAR_1970 - 20, last, 2),
    }


def test_equal_rows_count_each(project: DbtProject) -> None:
    assert sessions_of(project, "twice") == {(0, 0, 4)}


def test_exactly_grace_and_gap_behind_the_clock_counts(project: DbtProject) -> None:
    """One microsecond more is late (RULES 3), unless the row joins what just counted."""
    assert sessions_of(project, "late") == {(0, 0, 1), (off(3530, -1), 3530, 2), (5000, 5000, 1)}
    late = dropped(project, "cases", "key", "unix_micros(event_time)")
    zero = micros(EPOCH)
    assert late == {
        ("late", zero + 100 * 60_000_000, "late", 5000),
        ("late", zero + 3530 * 60_000_000 - 1, "late", 5000),
    }


def test_a_row_that_extends_an_open_session_is_not_late(project: DbtProject) -> None:
    """The test is on the merged session; Spark and Beam test the row alone and lose it."""
    assert sessions_of(project, "to extend") == {(15, 40, 2), (1500, 1500, 1)}


def test_all_of_it_as_the_reference_has_it(project: DbtProject) -> None:
    rows = [Row(key, micros(time)) for key, time, *_ in SCENARIOS["cases"].rows]
    result = session(rows, 30 * 60_000_000, 24 * 60 * 60_000_000)
    zero = micros(EPOCH)
    assert counted(project, "cases") == {
        (w.key, round((w.start - zero) / 60e6, 9), round((w.end - zero) / 60e6, 9), len(w.rows))
        for w in result.windows
    }
    assert {row[0] for row in dropped(project, "cases", "arrival_seq")} == {
        d.index for d in result.dropped
    }


def test_the_ledger_says_what_a_joining_row_did(project: DbtProject) -> None:
    """An update and a retraction, as Kafka's new row and tombstone."""
    last = ledger(project, "cases")[-1]
    assert (last.rows_read, last.rows_late) == (3, 0)
    # 'joined' and 'a microsecond more' take in one other session each; 'late' moves a start, and
    # a window with another start is another window
    changed = (last.windows_inserted, last.windows_updated, last.windows_deleted)
    assert changed == (1, 2, 3)


# --- the reference, row by row ------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.usefixtures("more")
def test_gap_zero_joins_equal_times_only(project: DbtProject) -> None:
    rows = [Row(key, t) for key, t in drawn(seed=1, jitter=60)]
    result = session(rows, gap=0, grace=20)
    assert result.dropped
    assert any(len(window.rows) > 1 for window in result.windows)
    assert counted(project, "gap_zero") == expected(result)
    assert dropped(project, "gap_zero", "arrival_seq") == {
        (d.index, d.reason, d.stream_time) for d in result.dropped
    }


@pytest.mark.slow
@pytest.mark.usefixtures("more")
@pytest.mark.parametrize(
    ("model", "clock"),
    [
        # rows of two partitions have no order between them: a key has a clock in each
        ("by_shard_key", lambda key, shard: (key, shard)),
        ("by_shard", lambda key, shard: shard),
        ("by_shard_global", lambda key, shard: "all"),
    ],
)
def test_the_clock_is_the_keys_the_partitions_or_everybodys(
    project: DbtProject, model: str, clock: Callable[[str, int], Hashable]
) -> None:
    rows = [Row(key, minutes(t), clock(key, shard)) for key, shard, _, t, _ in sharded()]
    result = session(rows, gap=30, grace=20, scope="partition")
    assert result.dropped
    assert counted(project, model) == expected(result)
    arrival = ["number"] if model == "by_shard_global" else ["int(shard)", "arrival_seq"]
    assert dropped(project, model, *arrival) == {
        (*([d.index] if len(arrival) == 1 else sharded()[d.index][1:3]), d.reason, d.stream_time)
        for d in result.dropped
    }


@pytest.mark.slow
@pytest.mark.usefixtures("more")
@pytest.mark.parametrize(
    ("model", "columns"),
    [("by_shard_key", ["key"]), ("by_shard", ["shard"]), ("by_shard_global", [])],
)
def test_clocks_are_kept(project: DbtProject, model: str, columns: list[str]) -> None:
    clocks: dict[Hashable, int] = {}
    for key, shard, _, time, _ in sharded():
        scope = {"key": key, "shard": shard}[columns[0]] if columns else None
        clocks[scope] = max(clocks.get(scope, minutes(time)), minutes(time))
    names = ", ".join([*columns, "stream_time"])
    kept = project.rows(f"select {names} from {model}__stream_time")
    assert len(kept) == len(clocks)
    assert {row[0] if columns else None: minutes(row.stream_time) for row in kept} == clocks


@pytest.mark.slow
@pytest.mark.usefixtures("more")
def test_a_gap_of_each_row_under_grace(project: DbtProject) -> None:
    """Gaps that depend on the row are asked for in ksql #6369 and are in Spark since PR #33691."""
    rows = [Row(key, minutes(t), gap=gap) for key, t, _, gap in gaps()]
    result = session(rows, gap=None, grace=20)
    assert result.dropped
    assert counted(project, "gap_of_row_late") == expected(result)
    assert dropped(project, "gap_of_row_late", "arrival_seq") == {
        (d.index, d.reason, d.stream_time) for d in result.dropped
    }


@pytest.mark.slow
@pytest.mark.usefixtures("more")
def test_a_key_of_two_columns_one_of_which_needs_quotes(project: DbtProject) -> None:
    rows = [Row((i % 2, key), t) for i, (key, t) in enumerate(drawn(seed=6))]
    result = session(rows, gap=30, grace=20)
    assert result.dropped
    columns = project.spark.table(f"{project.schema}.zoneless").columns
    assert columns[:4] == ["tenant", "user-id", "window_start", "window_end"]
    found = {
        ((row.tenant, row["user-id"]), minutes(row.window_start), minutes(row.window_end), row.n)
        for row in project.rows("select * from zoneless")
    }
    assert found == expected(result)
    assert dropped(project, "zoneless", "tenant", "`user-id`", "arrival_seq") == {
        (*rows[d.index].key, d.index, d.reason, d.stream_time) for d in result.dropped
    }


@pytest.mark.slow
@pytest.mark.usefixtures("more")
def test_event_time_without_a_zone_stays_so(project: DbtProject) -> None:
    for table, column in [
        ("zoneless", "window_start"),
        ("zoneless", "window_end"),
        ("zoneless__stream_time", "stream_time"),
        ("zoneless__dropped", "event_time"),
        ("zoneless__dropped", "stream_time"),
    ]:
        types = dict(project.spark.table(f"{project.schema}.{table}").dtypes)
        assert types[column] == "timestamp_ntz"


@pytest.mark.slow
@pytest.mark.usefixtures("more")
def test_a_session_that_left_the_state_is_not_reopened(project: DbtProject) -> None:
    """Kafka's default retention loses rows there instead (RULES 8)."""
    rows = [Row(key, t) for key, t in drawn(seed=8)]
    result = session(rows, gap=30, grace=30, retention=60)
    assert expected(result) != expected(session(rows, gap=30, grace=30))
    assert counted(project, "retained") == expected(result)
    assert dropped(project, "retained", "arrival_seq") == {
        (d.index, d.reason, d.stream_time) for d in result.dropped
    }


# --- Spark itself -------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.usefixtures("more")
@pytest.mark.parametrize("model", ["gap_of_row", "gap_of_row_table"])
def test_a_gap_of_each_row_is_sparks_dynamic_gap(project: DbtProject, model: str) -> None:
    spark = project.rows(
        """
        select key, w.start as first, max(event_time) as last, count(*) as n
        from (
            select *, session_window(event_time, concat(value, ' minutes')) as w
            from (select key, event_time, value from gap_of_row_rows)
        )
        group by key, w
        """
    )
    assert counted(project, model) == {
        (row.key, minutes(row.first), minutes(row.last), row.n) for row in spark
    }
