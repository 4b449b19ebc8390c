"""Generated models of every window type over days on which clocks change, and rollups by times."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

CLICKS = "key string, event_time timestamp, wall timestamp_ntz, arrival_seq bigint, value bigint"
SOURCE = "{{ source('raw', 'timed') }}"
# Clocks of Berlin change on the fourth day; a month and a quarter begin within ten days.
STRETCHES = [datetime(2024, 3, 28, tzinfo=UTC), datetime(2024, 10, 24, tzinfo=UTC)]
DAYS_OF = {"day": 1, "week": 7, "month": 31}


def rows(chance: random.Random, count: int, few: int) -> list[tuple[Any, ...]]:
    """Rows up to a day out of order, many at borders of hours and days; then a few anywhere.

    The last ones lie long after all others, so that windows close and leave, but for those of a
    key that has rows in the first stretch alone.
    """
    found: list[tuple[Any, ...]] = []

    def arrive(key: str | None, time: datetime) -> None:
        found.append((key, time, time.replace(tzinfo=None), len(found), chance.randrange(9)))

    for arrival in range(count + few):
        progress = arrival / count if arrival < count else chance.random()
        stretch = STRETCHES[int(progress * 2)]
        time = stretch + timedelta(days=progress * 2 % 1 * 10)
        time -= timedelta(seconds=chance.choice([0, 0, 5, 24]) * chance.randrange(3600))
        if chance.random() < 0.05:
            time -= timedelta(days=chance.choice([2, 5, 30]))
        if chance.random() < 0.4:
            # 22 and 23 are midnights of Berlin, 1 is when its clocks change
            hour = chance.choice([time.hour, time.hour, 0, 1, 12, 22, 23])
            time = time.replace(hour=hour, minute=0, second=0, microsecond=0)
            time += timedelta(microseconds=chance.choice([-1, 0, 0, 1]))
        ends_early = arrival < count and stretch == STRETCHES[0]
        arrive(chance.choice(["a", "b", "c", None, *["d"] * ends_early]), time)
    for key in ["a", "b", "c", None] * 2:
        arrive(key, STRETCHES[1] + timedelta(days=200))
    return found


@dataclass(frozen=True)
class Window:
    """A type of window as drawn: as a call without its grace, and in GROUP BY.

    `struct` is what the latter makes, `hours` how long a window can be, or waits; none: as long
    as the rows say.
    """

    call: str
    plain: str
    struct: str
    hours: int | None


def tumbling(chance: random.Random) -> Window:
    size = chance.choice([1, 5, 24, 60])
    given = f"tumbling(size='{size} hours'"
    return Window(given, f"window({{time}}, '{size} hours')", "window", size)


def hopping(chance: random.Random) -> Window:
    size, step = chance.choice([(3, 1), (30, 12), (72, 24)])
    given = f"hopping(size='{size} hours', advance_by='{step} hours'"
    return Window(
        given, f"window({{time}}, '{size} hours', '{step} hours', '45 minutes')", "window", size
    )


def cumulating(chance: random.Random) -> Window:
    size, step = chance.choice([(6, 2), (48, 12), (72, 24)])
    given = f"cumulating(size='{size} hours', step='{step} hours'"
    plain = f"cumulate_window({{time}}, '{size} hours', '{step} hours')"
    return Window(given, plain, "cumulate_window", size)


def calendar(chance: random.Random) -> Window:
    unit, zone = chance.choice([*DAYS_OF]), chance.choice(["UTC", "Europe/Berlin"])
    every = chance.choice([1, 1, 2])
    return Window(
        f"calendar('{unit}', every={every}, time_zone='{zone}'",
        f"calendar_window({{time}}, '{unit}', every => {every}, time_zone => '{zone}')",
        "calendar_window",
        (DAYS_OF[unit] * every + 1) * 24,
    )


def sliding(chance: random.Random) -> Window:
    length = chance.choice([1, 10, 40])
    plain = f"sliding_window({{time}}, '{length} hours')"
    return Window(f"sliding(difference='{length} hours'", plain, "sliding_window", length)


def session(chance: random.Random) -> Window:
    gap = chance.choice([1, 8, 30])
    plain = f"session_window({{time}}, '{gap} hours')"
    return Window(f"session(gap='{gap} hours'", plain, "session_window", gap)


def session_of_days(chance: random.Random) -> Window:
    """Of the calendar, for Spark."""
    plain = "session_window({time}, '1 day')"
    return Window("session(gap='1 day'", plain, "session_window", None)


def gap_by(chance: random.Random) -> Window:
    gap = 'make_dt_interval(0, if(key = "a", 2, 20))'
    by_key = "case when key = 'a' then '2 hours' else '20 hours' end"
    return Window(
        f"session(gap_by='{gap}'", f"session_window({{time}}, {by_key})", "session_window", None
    )


TYPES: dict[str, Callable[[random.Random], Window]] = {
    one.__name__: one
    for one in (
        *(tumbling, hopping, cumulating, calendar),
        *(sliding, session, session_of_days, gap_by),
    )
}


def draw_model(chance: random.Random, kind: str, plain: bool) -> str:
    """A model with the columns key, began, ended and n; of a call began is window_start."""
    window = TYPES[kind](chance)
    config: dict[str, Any] = {
        "materialized": "windowed",
        "segment_interval": chance.choice(["1 hour", "7 hours", "1 day"]),
    }
    hours = chance.choice([0, 30, 100, None])
    grace = "unbounded" if hours is None else f"{hours} hours"
    if hours is not None and window.hours is not None:
        leaving = chance.choice(["never", "final", "keep", "delete"])
        if leaving == "final":
            config["emit"] = "final"
        elif leaving != "never":
            config |= {"retention": f"{hours + window.hours + 5} hours", "expire": leaving}
        if leaving != "never":
            config["segments"] = 40
    time = chance.choice(["event_time", "event_time", "wall"])
    if plain:
        config |= {"grace": grace, "arrival_order": "arrival_seq"}
        having = chance.choice(["", "", "having count(*) > 1"])
        bounds = f"{window.struct}.start as began, {window.struct}.end as ended"
        text = (
            f"select key, {bounds}, count(*) as n, max(value) as high from {SOURCE}\n"
            f"group by key, {window.plain.format(time=time)} {having}"
        )
    else:
        text = (
            "{{ event_windows.windowed(relation=source('raw', 'timed'), key='key', "
            f"event_time='{time}', arrival_order='arrival_seq',\n"
            f"window=event_windows.{window.call}, grace='{grace}'),\n"
            "aggregates={'n': 'count(*)', 'high': 'max(value)'}) }}"
        )
    given = ", ".join(f"{name}={value!r}" for name, value in config.items())
    return f"{{{{ config({given}) }}}}\n{text}"


# Times that tell where a window lies, and some that do not.
TELLING = [
    *["{0}", "date({0})", "cast({0} as date)", "date_trunc('hour', {0})", "date_trunc('DD', {0})"],
    *["date_trunc('week', {0})", "date_trunc('month', {0})", "trunc({0}, 'MM')"],
    *["to_date({0})", "date(date_trunc('month', {0}))", "date_trunc('quarter', date({0}))"],
]
OTHER = ["hour({0})", "date_format({0}, 'yyyy-MM')", "{0} + interval 26 hours", "key", "n > 1"]


def draw_text(chance: random.Random, above: str, plain: bool, first: bool) -> str:
    """A SELECT over a model, grouped by a time of its windows.

    The first by their start, or its day: only how long windows can be tells where these end.
    """
    start, end = ("began", "ended") if plain else ("window_start", "window_end")
    from_ = f"from {{{{ ref('{above}') }}}} as v"
    if first:
        group = chance.choice(["{0}", "{0}", "date({0})"]).format(start)
        return f"select {group} as began_at, count(*) as n, max({end}) as last {from_} group by all"
    if chance.random() < 0.1:
        return f"select v.*, hour({end}) as hour {from_} where n > 1"
    groups = [chance.choice(TELLING).format(chance.choice([start, end]))]
    if chance.random() < 0.4:
        groups.append(chance.choice(TELLING + OTHER).format(chance.choice([start, end])))
    if chance.random() < 0.3:
        groups = [chance.choice(OTHER).format(chance.choice([start, f"v.{end}"])), *groups]
    aggregates = [
        *["count(*) as windows", "sum(n) as clicks", "max(high) as high"],
        *[f"min({start}) as first", f"max({end}) as last", "count(distinct key) as keys"],
    ]
    chosen = ["count(*) as windows", *chance.sample(aggregates[1:], 2)]
    named = [f"{sql} as g{place}" for place, sql in enumerate(groups)]
    if chance.random() < 0.25:
        return f"select {', '.join(chosen)} {from_} group by {', '.join(groups)}"
    return f"select {', '.join([*named, *chosen])} {from_} group by all"
