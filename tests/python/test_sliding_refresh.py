"""The two sliding functions together: which keys need the replay, and that the others do not.

A partial row missed a window because that was closed and counted in another. A window has one if
one of its new rows is partial or its base has one. A key needs the replay if a new row may be late
or if, of its stored windows that start from 2 * difference + resolution before its first new row to
resolution after its last, one has a partial row.
"""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.python.sliding_items import SlidingTable, cut, late, numbered_rows, windows_of
from tests.reference.records import Row
from tests.reference.sliding import sliding


@st.composite
def arrivals(draw: st.DrawFn) -> list[Row]:
    """Rows that mostly move on, the others behind by their time or by another key's clock."""
    front = 0
    rows = []
    for _ in range(draw(st.integers(6, 24))):
        front += draw(st.sampled_from([0, 1, 1, 1, 2, 2, 3, 5, 9]))
        behind = draw(st.sampled_from([0, 0, 0, 0, 0, 1, 2, 4]))
        ahead = draw(st.sampled_from([0, 0, 0, 0, 0, 0, 2, 5]))
        partition = draw(st.integers(0, 1))
        if ahead:
            rows.append(Row("other", front + ahead, partition))
        rows.append(Row("a", max(0, front - behind), partition))
    return rows


cuts = st.one_of(st.just(range(30)), st.lists(st.integers(0, 24), max_size=8))


@settings(max_examples=500, deadline=None)
@given(
    arrivals(),
    st.integers(2, 7),
    st.sampled_from([0, 1, 2, 5]),
    st.sampled_from([None, None, 0]),
    st.sampled_from(["key", "partition", "global"]),
    cuts,
)
def test_any_cut_of_any_rows(rows, difference, grace, origin, scope, cuts) -> None:
    """After every refresh the windows are the reference's, and in the end the late rows too."""
    table = SlidingTable(difference, grace, origin=origin)
    for batch in cut(numbered_rows(rows, scope, origin), cuts):
        table.refresh(batch)
        result = sliding(rows[: batch[-1][0] + 1], difference, grace, 1, origin, scope)
        assert table.windows() == windows_of(result)
        assert table.dropped == late(result)


def refreshed(times: list[int], replays: int) -> SlidingTable:
    """One refresh for each row, with difference 5, grace 0 and the clock of all keys."""
    rows = [Row("a" if time >= 0 else "other", abs(time)) for time in times]
    table = SlidingTable(5, 0)
    for batch in cut(numbered_rows(rows, "global", None), range(len(rows))):
        table.refresh(batch)
    assert table.windows() == windows_of(sliding(rows, 5, 0, scope="global"))
    assert table.replays == replays
    return table


def test_rows_on_time_need_no_replay() -> None:
    refreshed([1, 4, 8, 8, 11], replays=0)


def test_a_late_row_needs_the_replay_and_so_do_those_after_it() -> None:
    """11 counts in one window and missed another. By the times alone 14 would make [12, 17]."""
    table = refreshed([9, -13, 8, 11, 14], replays=3)
    assert table.dropped == {(2, "late"), (3, "late_partial")}
    assert ("a", 12, 17, (4,)) not in table.windows()


def test_the_replay_ends_when_the_windows_with_partial_rows_are_out_of_reach() -> None:
    """The last of them is [13, 18]: with 11 in it, as in Kafka, since nothing was made after 11."""
    table = refreshed([9, -13, 8, 11, 14, 18, 24], replays=5)
    assert max(start for start, held in table.state["a"].items() if held.partial) == 13
    refreshed([9, -13, 8, 11, 14, 18, 25, 26, 29], replays=4)


def test_a_window_without_a_partial_row_may_still_lack_one() -> None:
    """[30, 35] lacks 33. So 36 is replayed, though no window that it is in has a partial row."""
    clocks = {29: 31, 30: 33, 32: 33}
    times = [0, 2, 4, 6, 9, 16, 18, 19, 24, 25, 26, 29, 30, 33, 32, 36]
    rows = [row for time in times for row in (Row("other", clocks.get(time, time)), Row("a", time))]
    table = SlidingTable(5, 1)
    for batch in cut(numbered_rows(rows, "global", None), range(0, len(rows), 2)):
        table.refresh(batch)
    assert table.windows() == windows_of(sliding(rows, 5, 1, scope="global"))
    assert {index for index, _ in table.dropped} == {2 * times.index(late) + 1 for late in (29, 30)}
    assert [rows[index].time for index in table.state["a"][30].rows] == [32]
    assert max(start for start, held in table.state["a"].items() if held.partial) + 5 < 36
