"""Late rows of sessions in SQL alone: what the Python function says of them, and Kafka."""

from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession

import dbt_event_windows
from tests.macros.scripted import rendered, spec_of
from tests.python.replay_items import Replayer, numbered
from tests.python.vectors import Vector, case_files, read_cases, read_spec, spec_files
from tests.reference.records import Row

VECTORS = [read_spec(path) for path in spec_files() if path.stem.startswith("session")]
VECTORS += [v for path in case_files() if path.stem == "session" for v in read_cases(path)]

COLUMNS = "user_id string, item bigint, first bigint, last bigint, until bigint, clock bigint"
QUERY = """
with late_candidates as (
    select
        {key} as _ew_key, item as _ew_item, first as _ew_time, until as _ew_until,
        clock as _ew_clock
    from items
    where item > 0
),
late_windows as (
    select user_id, item as _ew_item, first as _ew_first, last as _ew_last, until as _ew_until
    from items
    where item < 0
)
"""

Item = tuple[str, int, int, int, int, int | None]
Answer = Counter[tuple[str, int, int | None, int | None]]


@dataclass(frozen=True)
class Limits:
    grace: int | None
    retention: int | None = None


def replayed(
    spark: SparkSession, items: Sequence[Item], limits: Limits, *ways: str
) -> dict[str, Answer]:
    """What each way makes of the items, in one query: (key, item, first, last) and how often."""
    dbt_event_windows.register(spark)
    spark.createDataFrame(items, COLUMNS).createOrReplaceTempView("items")
    texts = []
    for way in ways:
        macros = rendered(config={"materialized": "table", "replay": way})
        spec = spec_of(macros, "session") | {"retention": limits.retention}
        spec["window"] = spec["window"] | {"grace": limits.grace}
        texts.append(f"select '{way}' as way, * from ({macros._session_replay(spec, True)})")
    query = QUERY.format(key=macros._key_text(spec)) + " union all ".join(texts)
    found: dict[str, Answer] = {way: Counter() for way in ways}
    for row in spark.sql(query).collect():
        assert row._ew_missed is False
        found[row.way][row._ew_key, row._ew_item, row._ew_window, row._ew_window_last] += 1
    return found


@contextmanager
def ansi(spark: SparkSession, enabled: bool) -> Iterator[None]:
    before = spark.conf.get("spark.sql.ansi.enabled")
    spark.conf.set("spark.sql.ansi.enabled", str(enabled).lower())
    try:
        yield
    finally:
        spark.conf.set("spark.sql.ansi.enabled", str(before))


def of_vector(number: int, vector: Vector) -> list[Item]:
    """Rows of a case as items; a clock less the grace makes one query do for every grace."""
    gap, grace = vector.window["gap_ms"], vector.window["grace_ms"]
    return [
        (f"{number} {row.key!r}", i + 1, row.time, row.time, row.time + gap, clock - grace)
        for i, row, clock in numbered(vector.rows, "partition")
        if row.time is not None
    ]


def test_kafkas_sessions_and_late_rows(spark: SparkSession) -> None:
    """Every file and every case: bounds of windows, how many rows they have, late rows."""
    items = [item for number, vector in enumerate(VECTORS) for item in of_vector(number, vector)]
    answer = replayed(spark, items, Limits(0), "sql")["sql"]
    assert set(answer.values()) == {1}
    found: Counter[tuple[str, int, int]] = Counter()
    late: dict[int, set[int]] = defaultdict(set)
    for key, item, first, last in answer:
        name = json.loads(key)["k1"]
        if first is None or last is None:
            late[int(name.partition(" ")[0])].add(item - 1)
        else:
            found[name, first, last] += 1
    expected: Counter[tuple[str, int, int]] = Counter()
    for number, vector in enumerate(VECTORS):
        for key, first, last, rows, *_ in vector.windows:
            counted = rows if isinstance(rows, int) else len(rows)
            expected[f"{number} {key!r}", first, last] += counted
        assert late[number] == {i for i, kind in vector.dropped if kind == "late"}
    assert found == expected


def random_items(key: str, chance: random.Random, gap: int | None, limits: Limits) -> list[Item]:
    """Rows of one key out of order, after a refresh of some that left sessions behind."""
    spread = chance.choice([15, 50, 200])
    rows = [
        Row(
            key,
            chance.randint(-5, spread) + chance.choice([0, 0, i]),
            chance.randint(0, chance.choice([0, 2])),
            chance.randint(0, 8),
        )
        for i in range(chance.choice([1, 4, 12, 40]))
    ]
    arrived = numbered(rows, chance.choice(["key", "partition", "global"]))
    cut = chance.randint(0, len(arrived))
    before = Replayer(gap, limits.grace, limits.retention)
    before.refresh(arrived[:cut])
    items: list[Item] = [
        (key, -number, held.first, held.last, held.reach, None)
        for number, held in enumerate(before.state, 1)
    ]
    if limits.retention is not None and chance.random() < 0.3:
        # sessions that lie across each other in any way
        for number in range(len(items) + 1, len(items) + chance.randint(2, 5)):
            first = chance.randint(-5, spread)
            last = first + chance.randint(0, 10)
            items.append((key, -number, first, last, last + chance.randint(0, 8), None))
    items += [
        (key, i + 1, row.time, row.time, row.time + (row.gap if gap is None else gap), clock)  # type: ignore[operator]
        for i, row, clock in arrived[cut:]
    ]
    chance.shuffle(items)
    return items


unbounded_or = st.none() | st.integers(0, 20)


limits_and_seed = given(
    seed=st.integers(0, 2**32),
    gap=st.none() | st.integers(0, 8),
    limits=st.builds(Limits, unbounded_or, st.none() | st.integers(0, 30)),
    ansi_mode=st.booleans(),
)


@settings(max_examples=4, deadline=None)
@limits_and_seed
def test_it_says_what_the_function_says(
    spark: SparkSession, seed: int, gap: int | None, limits: Limits, ansi_mode: bool
) -> None:
    compare(spark, seed, gap, limits, ansi_mode)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@limits_and_seed
def test_it_always_says_what_the_function_says(
    spark: SparkSession, seed: int, gap: int | None, limits: Limits, ansi_mode: bool
) -> None:
    compare(spark, seed, gap, limits, ansi_mode)


def compare(
    spark: SparkSession, seed: int, gap: int | None, limits: Limits, ansi_mode: bool
) -> None:
    """Four hundred keys at once, whatever the limits, also those that a model would refuse."""
    items = {
        f"k{i}": random_items(f"k{i}", random.Random(f"{seed} {i}"), gap, limits)
        for i in range(400)
    }
    with ansi(spark, ansi_mode):
        found = replayed(
            spark, [item for of_key in items.values() for item in of_key], limits, "python", "sql"
        )
    wrong = {
        line[0] for line in (found["sql"] - found["python"]) + (found["python"] - found["sql"])
    }
    shortest = min((items[json.loads(key)["k1"]] for key in wrong), key=len, default=[])
    assert not wrong, (limits, sorted(shortest, key=lambda item: item[1]))


@pytest.mark.parametrize("ansi_mode", [False, True])
def test_the_limits_of_int64_do_not_wrap(spark: SparkSession, ansi_mode: bool) -> None:
    longest = 2**63 - 1
    items: list[Item] = [("k", 1, -(10**17), -(10**17), 10 - 10**17, 3 * 10**17)]
    with ansi(spark, ansi_mode):
        for limits in [Limits(longest), Limits(longest, longest)]:
            found = replayed(spark, items, limits, "python", "sql")
            assert found["sql"] == found["python"]
            assert list(found["sql"]) == [('{"k1":"k"}', 1, -(10**17), -(10**17))]
