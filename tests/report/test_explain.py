"""Sentences about rows: which windows they are in, or which had closed, when, and what grace."""

from __future__ import annotations

from typing import Any

import pytest

from dbt_event_windows.report.making import explain_rows
from dbt_event_windows.report.times import DAY, HOUR, MINUTE
from tests.report.answers import FACTS, START, FixedAsker, row, window

TUMBLING = FACTS | {"window": "tumbling", "gap": None, "exclusive_end": True, "grace": HOUR}


def said(line: dict[str, Any] | None, facts: dict[str, Any] = FACTS) -> str:
    lines = [("row", line)] if line else []
    asker = FixedAsker({"explained": lines, "facts": [("model", facts)]})
    return explain_rows(asker, "visits", {"arrival_seq": "10"})


def test_a_row_that_counts() -> None:
    assert said(row(6, 45, 90, held=[window(0, 90, 5)])) == (
        "Row 6 (user_id=ann) has the event time 2024-05-01 09:45:00 UTC and arrived at stream time "
        "2024-05-01 10:30:00 UTC: 45 minutes behind. It counts in 1 window: 2024-05-01 09:00:00 "
        "UTC to 2024-05-01 10:30:00 UTC (5 rows)."
    )


def test_a_row_of_the_present_is_not_behind() -> None:
    assert "10:30:00 UTC: not behind." in said(row(5, 90, 90, held=[window(0, 90, 5)]))


def test_a_late_row_of_a_session() -> None:
    text = said(row(10, -2940, 130, "late"))
    assert "It is not counted (late)." in text
    assert (
        "A session of this row alone had closed after stream time 2024-04-30 08:30:00 UTC (its end "
        "+ gap 30 minutes + grace 1 day), 1 day 2 hours before the row came." in text
    )
    assert text.endswith("A grace of 2 days 2 hours 40 minutes would have taken it.")


def test_a_late_row_of_a_session_with_a_gap_of_its_own() -> None:
    text = said(row(10, -2940, 130, "late"), FACTS | {"gap": None})
    assert (
        "had closed before the row came: at its end + the gap of the row + grace 1 day. A grace of"
        in text
    )


def test_a_null_and_control_characters_of_a_key() -> None:
    assert said(row(6, 45, 90, key=[None])).startswith("Row 6 (user_id=null) has")
    written = said(row(6, 45, 90, key=["a\x1b[2J"], partition="p\n"))
    assert written.startswith("Row 6 of partition p\ufffd (user_id=a\ufffd[2J) has")


def test_a_version_of_a_model_is_asked() -> None:
    asker = FixedAsker()
    explain_rows(asker, "visits.v1", {"arrival_seq": "10"})
    assert 'ref("visits", version="1")' in asker.asked[0]


def test_a_late_row_of_a_window_that_stands() -> None:
    held = {"fixed": [window(-60, 0, None)], "needed": 3 * HOUR + 1}
    text = said(row(10, -30, 180, "late", **held), TUMBLING)
    assert (
        "The window 2024-05-01 08:00:00 UTC to 2024-05-01 09:00:00 UTC had closed at stream time "
        "2024-05-01 10:00:00 UTC (its end + grace 1 hour), 2 hours before the row came." in text
    )
    assert text.endswith("A grace of 3 hours 1 microsecond would have taken it.")


def test_a_late_row_of_several_windows_is_told_both_graces() -> None:
    held = {"fixed": [window(-60, 0, None), window(-30, 30, None)], "needed": 3 * HOUR + 1}
    text = said(row(10, -20, 180, "late", **held), TUMBLING)
    assert text.endswith(
        "A grace of 2 hours 30 minutes 1 microsecond would have taken it into one of its windows, "
        "3 hours 1 microsecond into all."
    )


def test_a_partly_late_row_counts_in_the_windows_that_were_open() -> None:
    windows = [window(-60, 0, 3), window(-30, 30, 4)]
    fixed = [one | {"rows": None} for one in windows]
    line = row(10, -20, 70, "late_partial", fixed=fixed, held=windows, needed=HOUR + 10 * MINUTE)
    text = said(line, TUMBLING)
    assert "counts in 1 window: 2024-05-01 08:30:00 UTC to 2024-05-01 09:30:00 UTC (4" in text
    assert "The window 2024-05-01 08:00:00 UTC to 2024-05-01 09:00:00 UTC had closed" in text
    assert text.endswith("would have counted it in full.")


def test_of_sliding_windows_a_partly_late_row_need_not_count_in_all_that_were_open() -> None:
    """Rows at 10:25, 10:19, 10:23: the second made no window, the third one that is without it."""
    sliding = FACTS | {"window": "sliding", "gap": None, "grace": 2 * MINUTE}
    windows = [window(73, 83, 1), window(75, 85, 3)]
    line = row(2, 79, 85, "late_partial", fixed=None, held=windows, needed=6 * MINUTE)
    text = said(line, sliding)
    assert "counts in at least one of 2 windows that hold its time and had not closed" in text
    assert "10:25:00 UTC (3 rows). In which is not known: those that later rows made may" in text
    assert "It counts in 1 window that holds its time: " in said(
        line | {"held": windows[1:]}, sliding
    )
    assert "It counts in 2 windows: " in said(line | {"reason": None}, sliding)


def test_a_window_that_closes_at_the_very_instant_is_closed() -> None:
    windows = [window(-60, 0, 3)]
    line = row(10, -20, 60, "late", fixed=windows, needed=HOUR + 1)
    assert "had closed at stream time 2024-05-01 10:00:00 UTC" in said(line, TUMBLING)


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("null_key", "null in its key"),
        ("null_event_time", "no event time"),
        ("before_origin", "before the origin"),
        ("ahead_of_time", "max_ahead"),
        ("off_resolution", "no multiple of the resolution"),
    ],
)
def test_a_row_that_no_window_can_count(reason: str, words: str) -> None:
    text = said(row(3, 0, 0, reason, time=None, key=[None]))
    assert f"is not counted ({reason})" in text
    assert words in text


def test_a_row_that_no_refresh_has_read() -> None:
    text = said(row(11, 200, 200))
    assert text.endswith("No refresh has read it yet: the last number read is 10.")


def test_a_row_in_no_window_and_not_dropped() -> None:
    assert "No window holds it now" in said(row(3, 0, 0))


def test_published_windows_that_cannot_be_looked_for() -> None:
    text = said(row(3, 0, 0), FACTS | {"hidden": ["user_id"]})
    assert text.endswith("cannot be looked for, since the model does not show user_id.")


def test_a_window_that_having_left_out_was_not_published() -> None:
    assert said(row(3, 0, 0), FACTS | {"having": True, "emit": "final"}).endswith(
        "No window holds it now: its window was not published since it does not meet HAVING, has "
        "left the table, or the row was read by no refresh of it."
    )
    assert "HAVING" not in said(row(3, 0, 0))


def test_a_window_that_is_kept_and_not_shown_is_told_so() -> None:
    held = [window(0, 90, 1, shown=False), window(0, 90, None, shown=False), window(0, 90, 5)]
    shows = FACTS | {"having": True, "emit": "updates"}
    text = said(row(6, 45, 90, held=held), shows)
    assert "UTC (1 row; kept, not shown: HAVING); " in text
    assert "UTC (kept, not shown: HAVING); " in text
    assert text.endswith("UTC (5 rows).")
    # it would be among these, whatever HAVING says
    assert "HAVING" not in said(row(3, 0, 0), shows)


def test_a_row_that_is_not_there() -> None:
    assert said(None).startswith("The relation of visits has no row with arrival_seq=10.")


def test_windows_that_are_many_are_not_all_listed() -> None:
    windows = [window(minute, minute + 60, 1) for minute in range(12)]
    assert said(row(3, 11, 11, held=windows)).endswith("; and 2 more.")


def test_of_rows_that_are_many_the_first_are_told() -> None:
    rows = [("row", row(arrival, 45, 90)) for arrival in range(6)]
    facts = [("model", FACTS)]
    text = explain_rows(FixedAsker({"explained": rows, "facts": facts}), "visits", {"a": "1"})
    assert [part.split(" ")[1] for part in text.split("\n\n")[:-1]] == [*"01234"]
    assert "There are more rows with a=1: these are the first 5." in text
    asker = FixedAsker({"explained": rows[1:], "facts": facts})
    assert "There are more" not in explain_rows(asker, "visits", {"a": "1"})
    assert asker.asked[1].endswith(", 6) }}")


def test_a_wall_clock_has_no_zone() -> None:
    wall = FACTS | {"time_type": "timestamp_ntz"}
    assert "UTC" not in said(row(6, 45, 90, held=[window(0, 90, 5)]), wall)


def test_without_arrival_order_stream_time_is_that_of_the_dropped_row() -> None:
    facts = FACTS | {"arrival_order": None, "through": [], "grace": DAY}
    text = said(row(0, -2940, 130, "late") | {"arrival": None}, facts)
    assert text.startswith("Row (user_id=ann)")
    assert START > 0
    assert "A grace of 2 days 2 hours 40 minutes would have taken it." in text
