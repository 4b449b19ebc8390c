"""Calendar windows against zoneinfo: sixty years of days, where clocks change and where dates are
left out or come twice, and all other units.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
import pytz

from tests.harness import DbtProject, sampled
from tests.reference.calendar import calendar_windows, midnight

ZONES = [
    "UTC",
    "Europe/Berlin",
    "America/St_Johns",  # clocks went back over midnight, so that it came twice
    "America/Sao_Paulo",  # clocks went forward at midnight, which was left out
    "Australia/Lord_Howe",  # by half an hour
    "Pacific/Apia",  # has no 2011-12-30
    "Asia/Kathmandu",  # by a quarter of an hour, at midnight
    "America/Toronto",  # from 23:30 to 00:30 on 1919-03-30
]
OTHERS = [
    *[("day", every, "monday") for every in (2, 7, 10000)],
    *[("week", every, start) for every in (1, 3) for start in ("monday", "thursday", "sunday")],
    *[(unit, every, "monday") for unit in ("month", "quarter", "year") for every in (1, 2, 7)],
]
FIRST, LAST = date(1970, 1, 1), date(2030, 1, 1)
LONG_BEFORE = [date(1919, 3, 30), date(1919, 3, 31), date(1919, 4, 1)]

MODEL = """
{{{{ config(materialized='table') }}}}
{{{{ event_windows.windowed(
    relation=source('raw', 'instants'), key='k', event_time={time!r},
    window=event_windows.calendar({unit!r}, 'unbounded', {every}, {zone!r}, {week_start!r}),
    aggregates={{'n': 'count(*)'}}
) }}}}
"""


def instants(zone: str) -> list[int]:
    """Just before each midnight of the zone, at it and just after it, and some hours later."""
    days = [FIRST + timedelta(days=day) for day in range(-400, (LAST - FIRST).days)]
    near = [midnight(day, ZoneInfo(zone)) for day in LONG_BEFORE + days]
    return [time + step for time in near for step in (-1, 0, 1, 5 * 3_600_000_000)]


def check(project: DbtProject, zone: str, calendars: list[tuple[str, int, str]], ntz: bool) -> None:
    times = instants(zone)
    rows = project.spark.createDataFrame([(time,) for time in times], "micros bigint")
    project.create_source(
        "instants",
        rows.selectExpr(
            "1 as k",
            "timestamp_micros(micros) as ts",
            "timestamp_ntz'1970-01-01' + make_dt_interval(0, 0, 0, micros / 1e6bd) as wall",
        ).coalesce(1),
    )
    names = {}
    for unit, every, week_start in calendars:
        name = f"{unit}_{every}_{week_start}"
        time = "wall" if ntz else "ts"
        names[name] = calendar_windows(
            unit, None, every, "UTC" if ntz else zone, week_start
        ).windows_of
        text = MODEL.format(time=time, unit=unit, every=every, zone=zone, week_start=week_start)
        project.model(name, text)
    project.run(*names)
    for name, windows_of in names.items():
        held = Counter(window for time in times for window in windows_of(time))
        assert sum(held.values()) == len(times)
        micros = "unix_micros(cast({} as timestamp))".format
        found = project.rows(
            f"select {micros('window_start')}, {micros('window_end')}, n from {name}"
        )
        assert len(found) == len(held)
        assert {(start, end): n for start, end, n in found} == held, name


def test_only_long_ago_a_midnight_lay_within_what_a_clock_left_out() -> None:
    """Later midnights are not asked for it, see `_calendar_starts`."""
    found = set()
    for name in pytz.all_timezones:
        for at in getattr(pytz.timezone(name), "_utc_transition_times", [])[1:]:
            before, after = (
                (at + step).replace(tzinfo=UTC).astimezone(ZoneInfo(name)).utcoffset()
                for step in (timedelta(seconds=-1), timedelta())
            )
            assert before is not None
            assert after is not None
            first, end = at + before, at + after
            midnight_after = datetime.combine(first.date() + timedelta(days=1), time())
            if first.time() != time() and midnight_after < end:
                found.add((first, end))
    assert found == {(datetime(1919, 3, 30, 23, 30), datetime(1919, 3, 31, 0, 30))}


@pytest.mark.parametrize(
    "zone", sampled(ZONES, ["America/St_Johns", "Pacific/Apia", "America/Toronto"])
)
def test_days(project: DbtProject, zone: str) -> None:
    check(project, zone, [("day", 1, "monday")], ntz=False)


@pytest.mark.slow
@pytest.mark.parametrize("zone", ZONES)
def test_other_units(project: DbtProject, zone: str) -> None:
    check(project, zone, OTHERS, ntz=False)


@pytest.mark.slow
def test_a_wall_clock_has_no_zone(project: DbtProject) -> None:
    check(project, "Europe/Berlin", [("day", 1, "monday"), ("week", 1, "sunday")], ntz=True)
