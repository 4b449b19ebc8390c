"""The set form of sliding windows against Kafka's where no row is late, and the reference."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbt_event_windows.columns import ROWS
from dbt_event_windows.errors import FunctionInputError
from dbt_event_windows.sliding_windows import LONGEST_LINE
from tests.python.sliding_items import (
    SlidingTable,
    call_set,
    cut,
    late,
    numbered_rows,
    windows_of,
)
from tests.python.vectors import case_files, read_cases, read_spec, spec_files
from tests.reference.records import Row
from tests.reference.sliding import sliding
from tests.reference.sliding_at_once import SlidingAtOnce
from tests.reference.task import Task

SPECS = [path for path in spec_files() if path.stem.startswith("sliding")]
CASES = [v for path in case_files() if path.stem == "sliding" for v in read_cases(path)]
ON_TIME = [v for v in CASES if not any(kind.startswith("late") for _, kind in v.dropped)]


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_kafka_many_cases(path: Path, size: int) -> None:
    """Those of the keys that have no late row, as many of them as the file has."""
    vector = read_spec(path)
    with_late = {vector.rows[i].key for i, _ in vector.dropped}
    expected = {window[:4] for window in vector.windows if window[0] not in with_late}
    assert len({key for key, *_ in expected}) > 10
    table = SlidingTable(vector.window["size_ms"], None)
    rows = numbered_rows(vector.rows, "partition", None)
    rows = [row for row in rows if row[1].key not in with_late]
    for batch in cut(rows, range(0, len(rows), size)):
        table.take_all(batch)
    assert {(key, start, end, len(rows)) for key, start, end, rows in table.windows()} == expected


@pytest.mark.parametrize("vector", ON_TIME, ids=lambda vector: vector.name)
@pytest.mark.parametrize("size", [1, 3, 10_000])
def test_kafka_one_case(vector, size: int) -> None:
    table = SlidingTable(vector.window["size_ms"], None, origin=0)
    rows = numbered_rows(vector.rows, "partition", 0)
    for batch in cut(rows, range(0, len(rows), size)):
        table.take_all(batch)
    assert table.windows() == vector.windows


def test_some_cases_of_kafka_have_no_late_row() -> None:
    assert len(ON_TIME) > 10


rows_of_few_keys = st.lists(
    st.builds(Row, key=st.sampled_from("abc"), time=st.integers(-10, 40)), max_size=30
)


@settings(max_examples=400, deadline=None)
@given(
    rows_of_few_keys,
    st.integers(1, 12),
    st.sampled_from([1, 3, 1_000_000]),
    st.sampled_from([None, -10, 0, 7]),
    st.integers(0, 2),
    st.lists(st.integers(0, 30), max_size=6),
)
def test_any_cut_of_any_rows(rows, steps, resolution, origin, off_grid, cuts) -> None:
    """After every batch, with no stored windows given but those in reach.

    The origin need not be a multiple of the resolution, the times and the difference must be.
    """
    rows = [Row(row.key, row.time * resolution) for row in rows]
    first = None if origin is None else origin * resolution - min(off_grid, resolution - 1)
    table = SlidingTable(steps * resolution, None, resolution, first)
    seen = 0
    for batch in cut(numbered_rows(rows, "key", first), cuts):
        table.take_all(batch)
        seen = batch[-1][0] + 1
        result = sliding(rows[:seen], steps * resolution, None, resolution, first)
        assert table.windows() == windows_of(result)


@settings(max_examples=400, deadline=None)
@given(
    st.lists(
        st.lists(st.tuples(st.booleans(), st.integers(0, 20)), min_size=1, max_size=4),
        min_size=2,
        max_size=5,
    ),
    st.integers(1, 8),
    st.sampled_from([0, 1, 2, 5]),
    st.sampled_from([None, 0, 15]),
)
def test_rows_without_an_order(drawn, difference, grace, origin) -> None:
    """Late rows too, as far as a rule says what comes of them."""
    store = SlidingAtOnce(difference, grace, origin=origin)
    task = Task(store, "key", origin)
    table = SlidingTable(difference, grace, origin=origin)
    for batch in drawn:
        clock, count = task.clocks.get("a", 30), len(task.received)
        # near the clock, or far behind it
        rows = [Row("a", clock + time // 5 if ahead else clock - time) for ahead, time in batch]
        rows = [row for row in rows if origin is None or row.time >= origin]
        if rows:
            numbered = [(n, row, row.time) for n, row in enumerate(rows, count)]
            table.refresh_at_once(numbered, task.clocks.get("a"))
            task.receive_at_once(rows)
        if store.undecided:
            return
        assert table.windows() == windows_of(task.result())
        assert table.dropped == late(task.result())


def test_keys_that_do_not_fit_on_one_line_together() -> None:
    far = (1 << 59) - 10
    keys = [f"{number}" for number in range(20)]
    assert len(keys) * far > LONGEST_LINE
    rows = [Row(key, time) for time in (-far, far, far + 3, -far + 3) for key in keys]
    table = SlidingTable(5, None)
    for batch in cut(numbered_rows(rows, "key", None), [50]):
        table.take_all(batch)
    assert table.windows() == windows_of(sliding(rows, 5, None))


def item(first: int, newest: int | None = None, key: str | None = "a", origin: int | None = None):
    """An item of windows of 10, to the unit."""
    return (key, first, newest, 10, 1, origin)


def row(window: int, base: int | None, first_new: int | None, last_new: int | None, key="a"):
    return {
        "k": key,
        "window": window,
        "base": base,
        "first_new": first_new,
        "last_new": last_new,
    }


def test_stored_windows_come_back_only_when_they_change() -> None:
    stored = [item(90, 100), item(101, 104), item(94, 104)]
    assert sorted(call_set([*stored, item(112)]), key=lambda out: out["window"]) == [
        row(102, 101, 112, 112),
        row(105, None, 112, 112),
    ]


def test_a_window_with_only_old_rows() -> None:
    """The one to the right of 97 has the row at 100, from the window that ended there."""
    assert {"window": 98, "base": 90} in [
        {"window": out["window"], "base": out["base"]}
        for out in call_set([item(90, 100), item(97)])
        if out["first_new"] is None
    ]


def test_keys_are_told_apart_and_may_be_any_text() -> None:
    items = [item(100, key="ключ"), item(90, 100, key="b"), item(105, key="b")]
    assert sorted(call_set(items), key=lambda out: (out["k"], out["window"])) == [
        row(95, 90, 105, 105, "b"),
        row(101, None, 105, 105, "b"),
        row(90, None, 100, 100, "ключ"),
    ]


def test_more_windows_than_a_batch_has_rows() -> None:
    times = range(0, 40 * ROWS, 40)
    found = {(out["window"], out["first_new"]) for out in call_set([item(t) for t in times])}
    assert found == {(t - 10, t) for t in times}


def test_nothing_gives_nothing() -> None:
    assert call_set([]) == []
    assert call_set([item(90, 100)]) == []


@pytest.mark.parametrize(
    ("items", "fault"),
    [
        ([item(1, key=None)], "null is not allowed in k"),
        ([("a", None, None, 10, 1, None)], "null is not allowed in first"),
        ([("a", 1, None, None, 1, None)], "null is not allowed in difference"),
        ([("a", 1, None, 10, None, None)], "null is not allowed in resolution"),
        ([("a", 1, None, 0, 1, None)], "must be positive, got 0 and 1"),
        (
            [("a", 1, None, 10, 3, None)],
            "difference must be a multiple of resolution, got 10 and 3",
        ),
        ([("a", 7, None, 10, 5, None)], "event times must be multiples of resolution 5, got 7"),
        ([item(5, origin=6)], "event times must not be before the origin 6, got 5"),
        ([item(1), ("a", 2, None, 11, 1, None)], "difference must be constant, got 10 and 11"),
        ([item(1 << 60)], "times and durations must not exceed"),
        ([item(1), item(-(1 << 60), 1)], "times and durations must not exceed"),
        ([("a", 1, None, 1 << 60, 1, None)], "times and durations must not exceed"),
    ],
)
def test_bad_input_is_named(items, fault: str) -> None:
    with pytest.raises(FunctionInputError, match=fault):
        call_set(items)
