"""The replay function against Kafka's sessions and, beyond what Kafka can do, the reference."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dbt_event_windows.errors import FunctionInputError
from dbt_event_windows.live_sessions import LiveSessions, Session
from tests.python.replay_items import Replayer, call, numbered
from tests.python.vectors import case_files, read_cases, read_spec, spec_files
from tests.reference.records import Row
from tests.reference.session import session

SESSION_SPECS = [path for path in spec_files() if path.stem.startswith("session")]
SESSION_CASES = [v for path in case_files() if path.stem == "session" for v in read_cases(path)]


@pytest.mark.parametrize("path", SESSION_SPECS, ids=lambda path: path.stem)
def test_kafka_many_cases(path: Path) -> None:
    vector = read_spec(path)
    replayer = Replayer(vector.window["gap_ms"], vector.window["grace_ms"])
    replayer.refresh(numbered(vector.rows, "partition"))
    bounds = {(key, first, last, len(rows)) for key, first, last, rows in replayer.windows()}
    assert bounds == {window[:4] for window in vector.windows}
    assert replayer.late == {index for index, kind in vector.dropped if kind == "late"}


@pytest.mark.parametrize("vector", SESSION_CASES, ids=lambda vector: vector.name)
def test_kafka_one_case(vector) -> None:
    replayer = Replayer(vector.window["gap_ms"], vector.window["grace_ms"])
    replayer.refresh(numbered(vector.rows, "partition"))
    assert replayer.windows() == vector.windows
    assert replayer.late == {index for index, kind in vector.dropped if kind == "late"}


times = st.integers(-5, 45)
rows_of_few_keys = st.lists(
    st.builds(
        Row,
        key=st.sampled_from(["a", "b"]),
        time=times,
        partition=st.integers(0, 1),
        gap=st.integers(0, 8),
    ),
    max_size=40,
)
scopes = st.sampled_from(["key", "partition", "global"])
gaps = st.one_of(st.none(), st.integers(0, 8))
graces = st.one_of(st.none(), st.integers(0, 20))
retentions = st.one_of(st.none(), st.integers(0, 30))


@settings(max_examples=400, deadline=None)
@given(rows_of_few_keys, gaps, graces, retentions, scopes, st.booleans())
def test_any_input_and_any_limits(rows, gap, grace, retention, scope, reverse) -> None:
    """Whatever the limits, also those that a model would refuse, and in whatever order given."""
    result = session(rows, gap, grace, retention, scope)
    replayer = Replayer(gap, grace, retention)
    replayer.refresh(numbered(rows, scope), reverse)
    assert replayer.late == {dropped.index for dropped in result.dropped}
    windows = {(w.key, w.start, w.end) for w in result.windows}
    assert {window[:3] for window in replayer.windows()} == windows
    if len(windows) == len(result.windows):  # else two sessions cannot be told apart by bounds
        assert replayer.windows() == {(w.key, w.start, w.end, w.rows) for w in result.windows}


@settings(max_examples=400, deadline=None)
@given(
    rows_of_few_keys,
    gaps,
    st.integers(0, 20),
    st.one_of(st.none(), st.integers(0, 10)),
    scopes,
    st.lists(st.integers(0, 40), max_size=5),
)
def test_split_invariance(rows, gap, grace, extra_retention, scope, cuts) -> None:
    """Any cut into calls, with the sessions carried over, ends in the same sessions.

    Retention is at least grace and the largest gap, as models require.
    """
    widest = 8 if gap is None else gap
    retention = None if extra_retention is None else grace + widest + extra_retention
    result = session(rows, gap, grace, retention, scope)
    replayer = Replayer(gap, grace, retention)
    todo = numbered(rows, scope)
    for start, stop in zip([0, *sorted(cuts)], [*sorted(cuts), len(todo)], strict=True):
        replayer.refresh(todo[start:stop])
    assert replayer.windows() == {(w.key, w.start, w.end, w.rows) for w in result.windows}
    assert len(replayer.state) == len(result.windows)
    assert replayer.late == {dropped.index for dropped in result.dropped}


crowded_rows = st.lists(
    st.builds(
        Row,
        key=st.just("a"),
        time=st.integers(0, 16),
        partition=st.integers(0, 3),
        gap=st.sampled_from([0, 1, 2, 6]),
    ),
    min_size=4,
    max_size=24,
)


@settings(max_examples=800, deadline=None)
@given(
    crowded_rows,
    st.sampled_from([None, 1, 2]),
    st.integers(0, 6),
)
def test_sessions_across_others_that_left_the_state(rows, gap, retention) -> None:
    """One key, clocks that go back and short retention, so that sessions overlap."""
    result = session(rows, gap, None, retention, "partition")
    windows = {(w.key, w.start, w.end, w.rows) for w in result.windows}
    assume(len({window[:3] for window in windows}) == len(windows))
    replayer = Replayer(gap, None, retention)
    replayer.refresh(numbered(rows, "partition"))
    assert replayer.windows() == windows


def late_then(*items: tuple[int, int, int]) -> list[dict[str, object]]:
    """Rows (item, time, clock) of one key with gap 5 and retention 20."""
    return call([("a", i, time, time, time + 5, clock, None, 20) for i, time, clock in items])


def test_a_session_that_left_does_not_hide_a_live_one_around_it() -> None:
    """10 has left when 11 and 9 make [9, 11] across it; 16 is 5 from 11 and joins that."""
    windows = {
        out["item"]: (out["window_first"], out["window_last"])
        for out in late_then((1, 10, 10), (2, 11, 31), (3, 9, 31), (4, 16, 31))
    }
    assert windows == {1: (10, 10), 2: (9, 16), 3: (9, 16), 4: (9, 16)}


def test_stored_sessions_may_lie_across_each_other() -> None:
    stored = [("a", -1, 9, 11, 16, None, None, 20), ("a", -2, 10, 10, 15, None, None, 20)]
    out = call([*stored, ("a", 1, 16, 16, 21, 31, None, 20)])
    assert {(r["item"], r["window_first"], r["window_last"]) for r in out} == {
        (-1, 9, 16),
        (1, 9, 16),
    }


class Reach(int):
    """Counts how often a search has looked at the reach of a session."""

    asked = 0

    def __lt__(self, other: int) -> bool:
        Reach.asked += 1
        return int(self) < other

    def __ge__(self, other: int) -> bool:
        return not self < other


def test_a_wide_session_that_left_lengthens_no_search_after_it() -> None:
    """A row has looked for it; else each later one goes back as far as that one is wide."""
    wide = Session(0, 0, 1000, Reach(1001))
    later = [Session(i, 1000 + 3 * i, 1000 + 3 * i, Reach(1001 + 3 * i)) for i in range(1, 501)]
    sessions = LiveSessions([wide, *later])
    assert sessions.touched(500, 501, 1500) == []
    Reach.asked = 0
    assert sessions.touched(2501, 2502, 1500) == [500]
    assert Reach.asked < 10


def row(key: str, item: int, time: int, clock: int | None, grace: int | None = 0) -> tuple:
    return (key, item, time, time, time + 10, clock, grace, None)


def test_stored_sessions_come_back_only_when_rows_joined_them() -> None:
    stored = [("a", -1, 0, 5, 15, None, 0, None), ("a", -2, 50, 60, 70, None, 0, None)]
    assert call([*stored, row("a", 1, 70, 70), row("a", 2, 4, 70)]) == [
        {"k": "a", "item": -2, "window_first": 50, "window_last": 70},
        {"k": "a", "item": 1, "window_first": 50, "window_last": 70},
        {"k": "a", "item": 2, "window_first": None, "window_last": None},
    ]


def test_a_row_inside_a_stored_session_brings_it_back_unchanged() -> None:
    out = call([("a", -1, 0, 50, 60, None, 0, None), row("a", 1, 20, 50)])
    assert {(r["item"], r["window_first"], r["window_last"]) for r in out} == {
        (-1, 0, 50),
        (1, 0, 50),
    }


def test_the_limits_of_int64_do_not_wrap() -> None:
    longest = 9_223_372_036_854_775_807
    assert call([row("a", 1, -(10**17), -(10**17), grace=longest)])[0]["window_first"] == -(10**17)


def test_nothing_gives_nothing() -> None:
    assert call([]) == []


@pytest.mark.parametrize(
    ("items", "fault"),
    [
        ([row("a", 0, 1, 1)], "item must not be zero"),
        ([row("a", 1, 1, 1), row("a", 1, 2, 2)], "item must differ"),
        ([row("a", 1, 1, None)], r"null is not allowed in clock"),
        ([(None, 1, 1, 1, 1, 1, 0, None)], "null is not allowed in k"),
        ([("a", 1, 1, 2, 2, 2, 0, None)], "first must equal last"),
        ([("a", -1, 2, 1, 3, None, 0, None)], "first must not be after last"),
        ([("a", -1, 1, 2, 1, None, 0, None)], "last must not be after reach"),
        ([row("a", 1, 1, 1, grace=-1)], "grace must not be negative, got -1"),
        ([row("a", 1, 1, 1), row("a", 2, 1, 1, grace=5)], "grace must be constant, got 0 and 5"),
    ],
)
def test_bad_input_is_named(items, fault: str) -> None:
    with pytest.raises(FunctionInputError, match=fault):
        call(items)


def test_a_key_with_more_items_than_allowed_is_named() -> None:
    items = [("a", i, i, i, i + 5, i, None, None) for i in (1, 2, 3)] + [
        ("b", 1, 1, 1, 6, 1, None, None)
    ]
    assert len(call(items, most=3)) == 4
    with pytest.raises(FunctionInputError, match=r"allowed are 2: a\."):
        call(items, most=2)
