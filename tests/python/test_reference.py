"""The reference engine gives what Kafka Streams gave."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.python.vectors import (
    Vector,
    case_files,
    compute,
    read_cases,
    read_spec,
    spec_files,
    summaries,
)
from tests.reference.clock import stream_times
from tests.reference.cumulating import cumulating
from tests.reference.records import Dropped, Row
from tests.reference.session import session
from tests.reference.sliding import sliding
from tests.reference.tumbling import tumbling

CASES = [vector for path in case_files() for vector in read_cases(path)]


def test_the_vectors_are_all_there() -> None:
    assert len(spec_files()) == 14
    assert len(CASES) == 202


@pytest.mark.parametrize("path", spec_files(), ids=lambda path: path.stem)
def test_many_cases_of_one_window(path: Path) -> None:
    vector = read_spec(path)
    result = compute(vector, origin=None)
    found = summaries(vector, result)
    assert found == vector.windows
    assert len(found) == len(result.windows)
    assert {(d.index, d.reason) for d in result.dropped} == vector.dropped


@pytest.mark.parametrize("vector", CASES, ids=lambda vector: vector.name)
def test_one_case(vector: Vector) -> None:
    result = compute(vector, origin=0)
    windows = {(w.key, w.start, w.end, w.rows) for w in result.windows}
    assert windows == vector.windows
    assert len(windows) == len(result.windows)
    assert {(d.index, d.reason) for d in result.dropped} == vector.dropped


def test_clocks_by_scope() -> None:
    rows = [Row("a", 5, 0), Row("b", 3, 0), Row("a", 9, 1), Row(None, 99, 0), Row("b", None, 1)]
    assert stream_times(rows, "key") == [5, 3, 9, None, 3]
    assert stream_times(rows, "partition") == [5, 5, 9, 5, 9]
    assert stream_times(rows, "global") == [5, 5, 9, 9, 9]


def test_rows_without_key_or_time_or_before_the_origin_are_dropped() -> None:
    result = tumbling([Row(None, 1), Row("a", None), Row("a", 9), Row("a", 12)], 5, 0, origin=10)
    assert result.dropped == [
        Dropped(0, "null_key", None),
        Dropped(1, "null_event_time", None),
        Dropped(2, "before_origin", None),
    ]
    assert [(w.start, w.end, w.rows) for w in result.windows] == [(10, 15, (3,))]


def test_windows_before_the_epoch_without_an_origin() -> None:
    assert [(w.start, w.end) for w in tumbling([Row("a", -1)], 5, 0).windows] == [(-5, 0)]
    assert [(w.start, w.end) for w in sliding([Row("a", 1)], 5, 0).windows] == [(-4, 1)]


def test_cumulating_windows_close_one_by_one() -> None:
    result = cumulating([Row("a", 1), Row("a", 7), Row("a", 2)], size=10, step=5, grace=0)
    assert sorted((w.start, w.end, w.rows) for w in result.windows) == [
        (0, 5, (0,)),
        (0, 10, (0, 1, 2)),
    ]
    assert result.dropped == [Dropped(2, "late_partial", 7)]


def test_sliding_windows_at_a_coarser_resolution() -> None:
    by_one = sliding([Row("a", 10), Row("a", 12), Row("a", 11)], 4, None)
    by_thousand = sliding(
        [Row("a", 10_000), Row("a", 12_000), Row("a", 11_000)], 4_000, None, resolution=1_000
    )
    assert [(w.start * 1000, w.end * 1000, w.rows) for w in by_one.windows] == [
        (w.start, w.end, w.rows) for w in by_thousand.windows
    ]


def test_a_gap_per_row_reaches_as_far_as_its_row_says() -> None:
    rows = [Row("a", 0, gap=10), Row("a", 1, gap=1), Row("a", 10, gap=0), Row("a", 11, gap=0)]
    windows = session(rows, gap=None, grace=None).windows
    assert [(w.start, w.end, w.rows) for w in windows] == [(0, 10, (0, 1, 2)), (11, 11, (3,))]


def test_a_session_that_left_the_state_is_not_reopened() -> None:
    rows = [Row("a", 0), Row("b", 100), Row("a", 5)]
    kept = session(rows, gap=5, grace=None, scope="global").windows
    left = session(rows, gap=5, grace=None, retention=99, scope="global").windows
    assert {(w.key, w.rows) for w in kept} == {("a", (0, 2)), ("b", (1,))}
    assert {(w.key, w.rows) for w in left} == {("a", (0,)), ("a", (2,)), ("b", (1,))}
