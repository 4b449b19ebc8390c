"""The replay function against Kafka's sliding windows and, where Kafka has none, the reference."""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbt_event_windows.errors import FunctionInputError
from tests.python.sliding_items import (
    NumberedRow,
    SlidingTable,
    call_replay,
    cut,
    late,
    numbered_rows,
    windows_of,
)
from tests.python.vectors import case_files, read_cases, read_spec, spec_files
from tests.reference.records import Row
from tests.reference.sliding import _Key, sliding

SPECS = [path for path in spec_files() if path.stem.startswith("sliding")]
CASES = [v for path in case_files() if path.stem == "sliding" for v in read_cases(path)]


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
@pytest.mark.parametrize("cuts", [0, 20, 400])
def test_kafka_many_cases(path: Path, cuts: int) -> None:
    vector = read_spec(path)
    table = SlidingTable(vector.window["size_ms"], vector.window["grace_ms"])
    rows = numbered_rows(vector.rows, "partition", None)
    places = random.Random(path.stem).sample(range(len(rows)), cuts)
    for batch in cut(rows, places):
        table.replay(batch)
    counts = {(key, start, end, len(rows)) for key, start, end, rows in table.windows()}
    assert counts == {window[:4] for window in vector.windows}
    assert table.dropped == {drop for drop in vector.dropped if drop[1].startswith("late")}


@pytest.mark.parametrize("vector", CASES, ids=lambda vector: vector.name)
@pytest.mark.parametrize("size", [1, 4, 10_000])
def test_kafka_one_case(vector, size: int) -> None:
    table = SlidingTable(vector.window["size_ms"], vector.window["grace_ms"], origin=0)
    rows = numbered_rows(vector.rows, "partition", 0)
    for batch in cut(rows, range(0, len(rows), size)):
        table.replay(batch)
    assert table.windows() == vector.windows
    assert table.dropped == {drop for drop in vector.dropped if drop[1].startswith("late")}


rows_of_few_keys = st.lists(
    st.builds(
        Row,
        key=st.sampled_from(["a", "a", "b"]),
        time=st.integers(-6, 30),
        partition=st.integers(0, 1),
    ),
    max_size=30,
)
scopes = st.sampled_from(["key", "partition", "global"])
graces = st.one_of(st.none(), st.integers(0, 12))
places = st.lists(st.integers(0, 30), max_size=6)
origins = st.sampled_from([None, None, -6, 0, 5])


@settings(max_examples=500, deadline=None)
@given(
    rows_of_few_keys,
    st.integers(1, 10),
    st.sampled_from([1, 1000]),
    graces,
    origins,
    scopes,
    places,
)
def test_any_cut_of_any_rows(rows, steps, resolution, grace, origin, scope, cuts) -> None:
    """After every batch, with no stored windows given but those in reach."""
    rows = [Row(row.key, row.time * resolution, row.partition) for row in rows]
    difference, limits = steps * resolution, (resolution, origin and origin * resolution)
    grace = grace and grace * resolution
    table = SlidingTable(difference, grace, *limits)
    for batch in cut(numbered_rows(rows, scope, limits[1]), cuts):
        table.replay(batch)
        result = sliding(rows[: batch[-1][0] + 1], difference, grace, *limits, scope)
        assert table.windows() == windows_of(result)
        assert table.dropped == late(result)


def windows_with_retention(
    rows: Sequence[NumberedRow], difference: int, grace: int | None, retention: int
) -> set[tuple[Hashable, int, tuple[int, ...]]]:
    """The reference, where a window that left the state is hidden from a row."""
    keys: dict[Hashable, _Key] = {}
    for index, row, clock in rows:
        key = keys.setdefault(row.key, _Key(difference, 1))
        everything = key.windows
        key.windows = {s: w for s, w in everything.items() if s + difference >= clock - retention}
        key.add(index, row.time, None if grace is None else clock - grace, None)
        key.windows = everything | key.windows
    return {
        (name, start, start + difference, tuple(sorted(contents.rows)))
        for name, key in keys.items()
        for start, contents in key.windows.items()
    }


@settings(max_examples=400, deadline=None)
@given(rows_of_few_keys, st.integers(1, 10), graces, st.integers(0, 30), scopes)
def test_any_retention(rows, difference, grace, retention, scope) -> None:
    """Also shorter than models may have it, and with clocks that go back."""
    numbered = numbered_rows(rows, scope, None)
    items = [
        (row.key, index + 1, row.time, None, clock, grace, retention, difference, 1, None)
        for index, row, clock in numbered
    ]
    found: dict[tuple[Hashable, int, int], set[int]] = {}
    for out in call_replay(items):
        if out["window"] is not None:
            window = (out["k"], out["window"], out["window"] + difference)
            found.setdefault(window, set()).add(out["item"] - 1)
    made = {
        (*window, rows)
        for *window, rows in windows_with_retention(numbered, difference, grace, retention)
    }
    assert {(*window, tuple(sorted(rows))) for window, rows in found.items()} == made


@settings(max_examples=300, deadline=None)
@given(rows_of_few_keys, st.integers(1, 10), st.integers(0, 12), st.integers(0, 10), scopes, places)
def test_retention_of_grace_and_twice_the_difference_changes_nothing(
    rows, difference, grace, more, scope, cuts
) -> None:
    """Kafka's own default: a row that may count looks at no window that ended before that."""
    table = SlidingTable(difference, grace, retention=grace + 2 * difference + more)
    for batch in cut(numbered_rows(rows, scope, None), cuts):
        table.replay(batch, reverse=True)
    result = sliding(rows, difference, grace, scope=scope)
    assert table.windows() == windows_of(result)
    assert table.dropped == late(result)


def test_a_shorter_retention_can_cost_a_late_row_a_window() -> None:
    """At 24 with grace 11, [12, 13] is open for 12, but what tells that 11 was there is not."""
    rows = [("a", i + 1, t, None, c) for i, (t, c) in enumerate([(11, 11), (24, 24), (12, 24)])]
    for retention, window in ((12, None), (13, 12)):
        found = {
            out["item"]: out["window"]
            for out in call_replay([(*row, 11, retention, 1, 1, None) for row in rows])
        }
        assert found == {1: 10, 2: 23, 3: window}


def stored(number: int, start: int, newest: int) -> tuple:
    return ("a", -number, start, newest, None, 0, None, 10, 1, None)


def row(item: int, time: int, clock: int | None, grace: int | None = 0, **more) -> tuple:
    limits = {"difference": 10, "resolution": 1, "origin": None} | more
    return (more.get("k", "a"), item, time, None, clock, grace, None, *list(limits.values())[:3])


def placed(items: Sequence[tuple]) -> set[tuple[object, ...]]:
    return {(out["item"], out["window"], out["missed"]) for out in call_replay(items)}


THREE = [stored(1, 90, 100), stored(2, 95, 105), stored(3, 101, 105)]


def test_stored_windows_come_back_only_when_they_change() -> None:
    assert placed([*THREE, row(1, 107, 107)]) == {
        (-3, 101, False),
        (1, 101, False),
        (-2, 97, False),  # the window that ends at 107 takes over the row at 105
        (1, 97, False),
        (1, 106, False),
    }


def test_a_row_that_missed_a_window_says_so_wherever_it_is() -> None:
    """[95, 105] is closed at 106. To the right of 103 there is what [101, 111] held before."""
    assert placed([*THREE, row(1, 103, 106)]) == {
        (-3, 101, False),
        (1, 101, True),
        (-3, 104, False),
    }


def test_a_row_in_no_window_comes_back_once() -> None:
    assert placed([stored(1, 90, 100), row(1, 85, 100)]) == {(1, None, True)}


def test_a_row_that_is_not_counted_may_still_make_a_window() -> None:
    """What lies to its right, taken from a window that is closed (RULES section 4)."""
    assert placed([stored(1, 90, 100), row(1, 95, 101)]) == {(-1, 96, False), (1, None, True)}


def test_the_limits_of_int64_do_not_wrap() -> None:
    time, longest = -(10**17), 9_223_372_036_854_775_807
    assert placed([row(1, time, time, longest)]) == {(1, time - 10, False)}


def test_nothing_gives_nothing() -> None:
    assert call_replay([]) == []
    assert call_replay([stored(1, 90, 100)]) == []


@pytest.mark.parametrize(
    ("items", "fault"),
    [
        ([row(0, 1, 1)], "item must not be zero"),
        ([row(1, 1, 1), row(1, 2, 2)], "item must differ"),
        ([row(1, 1, None)], r"null is not allowed in clock \(of new rows\)"),
        ([("a", -1, 1, None, 1, 0, None, 10, 1, None)], "not allowed in newest"),
        ([row(1, 1, 1, k=None)], "null is not allowed in k"),
        ([row(1, 1, 1, difference=None)], "null is not allowed in difference"),
        ([row(1, 1, 1, difference=-1)], "must be positive, got -1 and 1"),
        ([row(1, 1, 1, resolution=3)], "difference must be a multiple of resolution, got 10 and 3"),
        ([row(1, 7, 7, resolution=5)], "event times must be multiples of resolution 5, got 7"),
        ([row(1, 5, 5, origin=6)], "event times must not be before the origin 6, got 5"),
        ([row(1, 1 << 60, 1 << 60)], "times and durations must not exceed"),
        ([row(1, 1, 1, grace=-1)], "grace must not be negative, got -1"),
        ([("a", 1, 1, None, 1, 0, -5, 10, 1, None)], "retention must not be negative, got -5"),
        ([row(1, 1, 1), row(2, 1, 1, grace=5)], "grace must be constant, got 0 and 5"),
    ],
)
def test_bad_input_is_named(items, fault: str) -> None:
    with pytest.raises(FunctionInputError, match=fault):
        call_replay(items)


def test_a_key_that_would_be_put_into_more_windows_than_allowed_is_named() -> None:
    """Four rows within a difference: each stands in all windows of those that came before it."""
    items = [row(i, i, i, 100, k=k) for k in "ab" for i in range(1, 5)]
    assert len(call_replay(items, most=16)) == 32
    with pytest.raises(FunctionInputError, match=r"16 times into windows, allowed are 15: a\."):
        call_replay(items, most=15)
