"""Calendar windows by zoneinfo: days, weeks, months, quarters and years of a zone's wall clock."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from functools import cache
from itertools import pairwise
from zoneinfo import ZoneInfo

from .panes import Panes

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
MONTHS = {"month": 1, "quarter": 3, "year": 12}


@cache
def midnight(day: date, zone: ZoneInfo) -> int:
    """The first instant of a civil date, in microseconds.

    Where clocks pass over midnight it is the first instant after it; of two midnights the earlier.
    """
    earlier, later = (
        datetime(day.year, day.month, day.day, tzinfo=zone, fold=fold).astimezone(UTC)
        for fold in (0, 1)
    )
    if later < earlier:  # no such wall clock: between the two, clocks jump from before it to after
        before, after = later, earlier
        while after - before > timedelta(seconds=1):
            middle = before + (after - before) // timedelta(seconds=2) * timedelta(seconds=1)
            if middle.astimezone(zone).date() < day:
                before = middle
            else:
                after = middle
        earlier = after
    return (earlier - EPOCH) // MICROSECOND


def first_day(day: date, unit: str, every: int, week_start: str, periods: int = 0) -> date:
    """The first day of the period that a date is in, or of one so many periods on."""
    if unit in MONTHS:
        width = MONTHS[unit] * every
        month = ((day.year - 1970) * 12 + day.month - 1) // width * width + periods * width
        return date(1970 + month // 12, 1 + month % 12, 1)
    zero = date(1970, 1, 1)
    while unit == "week" and zero.weekday() != DAYS.index(week_start):
        zero -= timedelta(days=1)
    width = every * (7 if unit == "week" else 1)
    return zero + timedelta(days=((day - zero).days // width + periods) * width)


def calendar_windows(
    unit: str, grace: int | None, every: int = 1, time_zone: str = "UTC", week_start: str = "monday"
) -> Panes:
    """Times are microseconds. For a TIMESTAMP_NTZ give UTC: the wall clock as it is."""
    zone = ZoneInfo(time_zone)

    def windows_of(time: int) -> Iterator[tuple[int, int]]:
        day = (EPOCH + time * MICROSECOND).astimezone(zone).date()
        starts = [
            midnight(first_day(day, unit, every, week_start, periods), zone)
            for periods in range(-1, 4)
        ]
        for start, end in pairwise(starts):
            if start <= time < end:
                yield start, end

    return Panes(windows_of, grace)
