"""The reference as a whole model: examples of docs/windows.md, and what each setting does alone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.reference.calendar import EPOCH, MICROSECOND, calendar_windows
from tests.reference.hopping import hopping_windows
from tests.reference.records import Dropped, Row
from tests.reference.session import Sessions
from tests.reference.sliding import SlidingWindows
from tests.reference.sliding_at_once import SlidingAtOnce
from tests.reference.task import Task


def after(task: Task, *rows: Row) -> Task:
    for row in rows:
        task.receive(row)
    return task


def at(*times: int) -> list[Row]:
    return [Row("a", time) for time in times]


def contents(task: Task) -> set[tuple[int, int, tuple[int, ...]]]:
    return {(w.start, w.end, w.rows) for w in task.result().windows}


def test_a_late_row_of_hopping_windows_counts_where_one_is_open() -> None:
    task = after(Task(hopping_windows(10, 5, 2), "key"), *at(4, 16, 8, 3))
    assert task.dropped.dropped == [Dropped(2, "late_partial", 16), Dropped(3, "late", 16)]
    assert (5, 15, (2,)) in contents(task)


def test_a_late_row_of_sliding_windows() -> None:
    task = after(Task(SlidingWindows(10, 2), "key"), *at(4, 10, 19, 12))
    assert task.dropped.dropped == [Dropped(3, "late_partial", 19)]
    assert {(start, end) for start, end, rows in contents(task) if 3 in rows} == {(9, 19), (11, 21)}


def test_a_late_row_joins_a_session_that_is_open() -> None:
    task = after(Task(Sessions(5, 2), "key"), *at(8, 13, 20, 9))
    assert contents(task) == {(8, 13, (0, 1, 3)), (20, 20, (2,))}


@pytest.mark.parametrize(
    ("retention", "sessions"),
    [
        (None, {(10, 14, (0, 2)), (20, 20, (1,))}),
        (7, {(10, 10, (0,)), (14, 14, (2,)), (20, 20, (1,))}),
    ],
)
def test_a_session_that_left_the_state(retention: int | None, sessions: set[object]) -> None:
    task = after(Task(Sessions(5, 2, retention), "key"), *at(10, 20, 14))
    assert contents(task) == sessions


def test_rows_at_one_instant_are_late_against_earlier_ones_only() -> None:
    task = Task(Sessions(10, 20), "key")
    task.receive_at_once(at(1000, 100, 105))
    task.receive_at_once(at(960, 969, 989, 991))
    assert {(start, end) for start, end, _ in contents(task)} == {(100, 105), (989, 1000)}
    assert task.dropped.dropped == [Dropped(3, "late", 1000), Dropped(4, "late", 1000)]


def test_sliding_windows_that_were_closed_stay_as_they_were() -> None:
    task = Task(SlidingAtOnce(6, 5), "key")
    task.receive_at_once(at(6))
    task.receive_at_once(at(-2, -3))
    assert contents(task) == {(0, 6, (0,)), (-2, 4, (1,))}
    assert task.dropped.dropped == [Dropped(1, "late_partial", 6), Dropped(2, "late", 6)]


def test_late_rows_without_an_order_may_leave_open_which_windows_there_are() -> None:
    """Of 1 and 4 the first to come makes [-1, 5], to the right of -2, or does not."""
    store = SlidingAtOnce(6, 5)
    task = Task(store, "key")
    for times in [(-9, -10, 6), (-2, -3)]:
        task.receive_at_once(at(*times))
        assert store.undecided == set()
    task.receive_at_once(at(4, 1, 10))
    assert store.undecided == {"a"}


def test_clocks_that_are_moved_close_windows_and_make_rows_late() -> None:
    task = after(Task(hopping_windows(10, 10, 5), "key"), *at(1, 12))
    assert task.closed() == []
    task.advance_to(15)
    assert [(w.start, w.end) for w in task.closed()] == [(0, 10)]
    after(task, *at(2))
    assert task.dropped.dropped == [Dropped(2, "late", 15)]
    assert task.stream_times() == {"a": 15}


def test_windows_leave_the_table_by_their_clock() -> None:
    task = after(Task(hopping_windows(10, 10, 0), "key"), Row("a", 1), Row("b", 1), Row("a", 21))
    assert {(w.key, w.start) for w in task.in_state(10)} == {("b", 0), ("a", 20)}


def test_a_clock_for_each_key_and_partition() -> None:
    task = Task(hopping_windows(10, 10, 0), "key in partition")
    after(task, Row("a", 25, "p"), Row("a", 5, "q"), Row("a", 5, "p"))
    assert contents(task) == {(20, 30, (0,)), (0, 10, (1,))}
    assert task.dropped.dropped == [Dropped(2, "late", 25)]
    assert task.stream_times() == {"a": 25}


def test_what_no_window_can_count_moves_no_clock() -> None:
    task = Task(hopping_windows(10, 10, 0), "global", 0, max_ahead=3, resolution=2)
    rows = [Row(None, 90), Row("a", None), Row("a", -2), Row("a", 8, arrived_at=4), Row("a", 7)]
    after(task, Row("a", 4), *rows, Row("a", 6, arrived_at=3))
    reasons = ["null_key", "null_event_time", "before_origin", "ahead_of_time", "off_resolution"]
    assert [d.reason for d in task.dropped.dropped] == reasons
    assert {d.stream_time for d in task.dropped.dropped} == {4}
    assert task.stream_times() == {"global": 6}


def micros(time: str) -> int:
    return (datetime.fromisoformat(time).replace(tzinfo=UTC) - EPOCH) // MICROSECOND


@pytest.mark.parametrize(
    ("unit", "zone", "week_start", "time", "start", "end"),
    [
        ("day", "Europe/Berlin", "monday", "2024-03-31T12", "2024-03-30T23", "2024-03-31T22"),
        ("day", "Europe/Berlin", "monday", "2024-10-27T12", "2024-10-26T22", "2024-10-27T23"),
        ("week", "UTC", "monday", "2024-05-15T12", "2024-05-13", "2024-05-20"),
        ("week", "UTC", "sunday", "2024-05-15T12", "2024-05-12", "2024-05-19"),
        ("quarter", "UTC", "monday", "2024-05-15T12", "2024-04-01", "2024-07-01"),
        # the 30th was left out
        ("day", "Pacific/Apia", "monday", "2011-12-30T12", "2011-12-30T10", "2011-12-31T10"),
        ("day", "Pacific/Apia", "monday", "2011-12-30T09", "2011-12-29T10", "2011-12-30T10"),
        # no midnight: the day begins at one o'clock
        ("day", "America/Sao_Paulo", "monday", "2018-11-04T03", "2018-11-04T03", "2018-11-05T02"),
        # clocks went from 00:01 to 23:01 of the day before
        (
            "day",
            "America/St_Johns",
            "monday",
            "2010-11-07T03:00",
            "2010-11-07T02:30",
            "2010-11-08T03:30",
        ),
    ],
)
def test_calendar_windows(
    unit: str, zone: str, week_start: str, time: str, start: str, end: str
) -> None:
    windows_of = calendar_windows(unit, None, 1, zone, week_start).windows_of
    assert list(windows_of(micros(time))) == [(micros(start), micros(end))]


def test_every_second_month_has_january_with_february() -> None:
    windows_of = calendar_windows("month", None, 2).windows_of
    assert list(windows_of(micros("2024-02-29"))) == [(micros("2024-01-01"), micros("2024-03-01"))]
