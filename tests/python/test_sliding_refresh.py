"""The two sliding functions together: which keys need the replay, and that the others do not.

A key needs it if a new row may be late, or if one of its stored windows that start from
2 * difference + resolution before its first new row to resolution after its last was replayed.
After a late row Kafka's windows are not those that event times alone make: some lack rows, some
hold rows that lie before them, some are not made. That rows are missing does not show in them.
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
        behind = draw(st.sampled_from([0, 0, 0, 0, 0, 1, 2, 4, 8]))
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
    st.sampled_from([0, 1, 2, 5, 12]),
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


def test_the_replay_ends_when_replayed_windows_are_out_of_reach() -> None:
    """The last of them starts at 15, 2 * difference + resolution before 26."""
    start = [9, -13, 8, 11, 14, 17]
    assert max(refreshed(start, replays=4).state["a"]) == 15
    refreshed([*start, 26], replays=5)
    refreshed([*start, 27, 28, 32], replays=4)


def refreshed_with_clocks(arrivals: list[tuple[int, int]]) -> dict[int, list[int]]:
    """One refresh for each (time, clock); the times in each window of key a."""
    difference = grace = 6
    rows = [row for time, clock in arrivals for row in (Row("other", clock), Row("a", time))]
    table = SlidingTable(difference, grace)
    for batch in cut(numbered_rows(rows, "global", None), range(0, len(rows), 2)):
        table.refresh(batch)
    assert table.windows() == windows_of(sliding(rows, difference, grace, scope="global"))
    windows = table.state["a"].items()
    return {start: [rows[index].time for index in held.rows] for start, held in windows}


# 8 and 9 miss windows. Then [9, 15] is made for 13 and without 14, and [15, 21] not at all.
LATE_THEN_OUT_OF_ORDER = [
    *[(0, 0), (1, 1), (6, 6), (4, 6), (7, 7), (8, 17), (9, 18)],
    *[(14, 18), (13, 18), (16, 18)],
]


def test_a_window_may_lack_rows_that_were_in_time() -> None:
    times = refreshed_with_clocks(LATE_THEN_OUT_OF_ORDER)
    assert times[9] == [13]
    assert 15 not in times


def test_a_window_may_hold_rows_that_lie_before_it() -> None:
    """As [15, 21] was not made, [16, 22] takes over what is in [14, 20]."""
    times = refreshed_with_clocks([*LATE_THEN_OUT_OF_ORDER, (22, 22)])
    assert times[16] == [14, 16, 22]
