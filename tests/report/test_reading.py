"""What is made of answers: graces, refreshes, keys, health."""

from __future__ import annotations

from itertools import pairwise

import pytest

from dbt_event_windows.report.asking import Answer
from dbt_event_windows.report.health import read_accounts, read_health
from dbt_event_windows.report.lateness import Lateness, read_lateness
from dbt_event_windows.report.refreshes import read_refreshes
from dbt_event_windows.report.timeline import read_timeline
from dbt_event_windows.report.times import DAY, HOUR, MINUTE, brief, duration, exact, instant, short
from dbt_event_windows.report.words import many, plain
from tests.report.answers import ANSWERS, START, late, refresh


def lateness(today: int | None = DAY, **answers: object) -> Lateness:
    return read_lateness(Answer(ANSWERS["lateness"]), today)


def test_a_grace_loses_what_needs_more() -> None:
    found = lateness()
    assert found.rows == 1000
    assert [found.lost_with(grace) for grace in (0, DAY, 2 * DAY, 3 * DAY)] == [50, 50, 10, 0]


def test_a_grace_that_a_row_needs_exactly_takes_it() -> None:
    found = read_lateness(Answer(late("needed", (0, 1), (HOUR, 1)) + late("behind", (0, 2))), None)
    assert (found.lost_with(HOUR - 1), found.lost_with(HOUR)) == (1, 0)


def test_graces_end_with_the_first_that_loses_nothing() -> None:
    choices = lateness().choices()
    assert (choices[0].grace, choices[0].lost) == (0, 50)
    assert (choices[-1].grace, choices[-1].lost) == (3 * DAY, 0)
    assert all(before.lost >= after.lost for before, after in pairwise(choices))


def test_todays_grace_is_among_them_also_where_it_is_an_odd_one() -> None:
    choices = lateness(today=40 * HOUR).choices()
    assert [choice.grace for choice in choices if choice.is_todays] == [40 * HOUR]
    assert {choice.later for choice in choices} >= {0, 8 * HOUR, -40 * HOUR}


def test_without_a_bounded_grace_nothing_closes_later() -> None:
    assert {choice.later for choice in lateness(today=None).choices()} == {None}


def test_rows_without_numbers_are_measured_where_they_were_dropped() -> None:
    lines = late("needed", (2 * DAY, 3)) + late("behind", (2 * DAY, 3)) + [("read", {"n": 100})]
    found = read_lateness(Answer(lines), DAY)
    assert (found.rows, found.measured_all, found.lost_with(DAY)) == (100, False, 3)


def test_no_rows() -> None:
    found = read_lateness(Answer([]), DAY)
    assert (found.rows, found.lost_with(0)) == (0, 0)
    assert [choice.share for choice in found.choices()] == [0.0, 0.0]


def test_refreshes_in_order_with_the_latest_and_the_slowest() -> None:
    found = read_refreshes(Answer(ANSWERS["refreshes"][::-1]))
    assert [one.run_id for one in found.last][:2] == ["run-0", "run-1"]
    assert found.latest is not None
    assert found.latest.run_id == "run-29"
    assert found.slowest is not None
    assert (found.slowest.run_id, found.slowest.seconds) == ("run-6", 11.0)
    assert found.latest.lag == 20 * MINUTE
    assert found.latest.windows_changed == 16


def test_a_refresh_with_nulls_in_the_ledger() -> None:
    line = refresh(1, rows_read=None, windows_updated=None, stream_time=None)
    [found] = read_refreshes(Answer([("refresh", line)])).last
    assert (found.rows_read, found.windows_changed, found.lag) == (0, 11, None)


def test_rows_of_a_key_in_the_order_of_arrival() -> None:
    found = read_timeline(Answer(ANSWERS["timeline"][::-1]), {"user_id": "ann"})
    assert [one.arrival for one in found.rows] == [1, 2, 4, 5, 6, 9, 10]
    assert [one.start for one in found.windows] == [START, START + 130 * MINUTE]


def test_health() -> None:
    found = read_health(Answer(ANSWERS["health"]))
    assert (found.windows, found.open, found.closed, found.idle) == (12, 5, 7, 2)
    assert found.largest[0][0] == ("ann",)
    assert found.dropped == {"late": 1}


def test_rows_that_no_refresh_read_and_rows_that_are_gone() -> None:
    accounts = read_accounts(Answer(ANSWERS["accounts"]))
    assert (accounts.unaccounted, accounts.skipped) == (7, 3)
    gone = read_accounts(Answer([("ledger", {"read": 5, "skipped": 0}), ("source", {"n": 3})]))
    assert gone.unaccounted == -2
    unknown = read_accounts(Answer([("ledger", {"read": 5, "skipped": 0})]))
    assert unknown.unaccounted is None


@pytest.mark.parametrize(
    ("micros", "words", "all_words", "label"),
    [
        (0, "0 seconds", "0 seconds", "0 s"),
        (1, "1 microsecond", "1 microsecond", "1 µs"),
        (DAY + HOUR + 2 * MINUTE, "1 day 1 hour", "1 day 1 hour 2 minutes", "1 d"),
        (-90 * MINUTE, "-1 hour 30 minutes", "-1 hour 30 minutes", "-1 h"),
    ],
)
def test_durations(micros: int, words: str, all_words: str, label: str) -> None:
    assert (duration(micros), exact(micros), short(micros)) == (words, all_words, label)


def test_instants() -> None:
    assert instant(START) == "2024-05-01 09:00:00"
    assert instant(START + 1) == "2024-05-01 09:00:00.000001"
    assert instant(-62_135_596_800_000_000) == "0001-01-01 00:00:00"
    assert "after 1970" in instant(10**18)


def test_a_grace_that_takes_no_more_rows_than_a_shorter_one_is_no_choice() -> None:
    assert [choice.grace for choice in lateness(today=HOUR).choices()] == [
        0,
        HOUR,
        2 * DAY,
        3 * DAY,
    ]


def test_numbers_in_words() -> None:
    assert (many(1, "row"), many(0, "row"), many(1200, "row")) == ("1 row", "0 rows", "1,200 rows")
    assert [plain(value) for value in (0, 0.000006749, 12.5, 99.99, 123456.7)] == [
        "0",
        "0.00000675",
        "12.5",
        "100",
        "123,457",
    ]
    assert brief(2 * DAY + HOUR) == "2 d 1 h"
