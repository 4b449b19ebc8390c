"""Rows as they come: odd names and types, times at the ends, zones whose clocks change."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.harness import DbtProject, sampled
from tests.session_models import public, quoted

START = "timestamp'2024-01-01'"
GRACE = "grace='unbounded'"
SPARK = {"session": "session_window(at, '30 minutes')", "hour": "window(at, '1 hour')"}
OURS = {
    "session": f"event_windows.session(gap='30 minutes', {GRACE})",
    "hour": f"event_windows.tumbling(size='1 hour', {GRACE})",
}
WITH_LATE = "event_windows.session(gap='10 minutes', grace='20 minutes')"
# Of each key column its type and an SQL text for the n-th of a few values.
KEYS = {
    "plain": ("string", "concat('k', n % 3)"),
    "with space": ("string", "concat('a ', n % 2)"),
    "dot.ted": ("int", "cast(n % 3 as int)"),
    "quo`te": ("bigint", "n % 2"),
    "ключ": ("string", "concat('значение', n % 2)"),
    "select": ("date", "date_add(date'1969-12-31', cast(n % 3 as int))"),
    "decimal_key": ("decimal(38,10)", "cast(n % 3 as decimal(38,10)) / 7"),
    "double_key": (
        "double",
        "case n % 4 when 0 then 0.0D when 1 then -0.0D else double('nan') end",
    ),
    "time_key": ("timestamp", "timestamp_micros(-1234567 + n % 2)"),
    "ntz_key": ("timestamp_ntz", "timestamp_ntz'2024-03-31 02:30:00' + make_dt_interval(n % 2)"),
    "bytes": ("binary", "cast(concat('b', n % 2) as binary)"),
    "pair": ("struct<a:int,b:string>", "named_struct('a', cast(n % 2 as int), 'b', 'x')"),
    "list": ("array<int>", "array(cast(n % 2 as int), null)"),
    "flag": ("boolean", "n % 2 = 0"),
}
GAPS = "key string, at timestamp, seq bigint, minutes int"
MODEL = """
{{{{ config(materialized={materialized!r}, emit={emit!r}) }}}}
{{{{ event_windows.windowed(
    relation={relation}, key={key}, event_time={time!r}, window={window},
    aggregates={aggregates}, arrival_order='seq'{more}
) }}}}
"""


def model(relation: str, key: list[str], window: str, **options: Any) -> str:
    return MODEL.format(
        materialized=options.get("materialized", "windowed"),
        emit=options.get("emit", "updates"),
        relation=relation,
        key=key,
        time=options.get("time", "at"),
        window=window,
        aggregates=options.get("aggregates", {"n": "count(*)", "total": "sum(value)"}),
        more=options.get("more", ""),
    )


def arrive(project: DbtProject, source: str, sql: str) -> None:
    """Rows that a query gives."""
    frame = project.spark.sql(sql)
    if source in project.sources:
        project.append(source, frame)
    else:
        project.create_source(source, frame)


def in_two_refreshes(project: DbtProject, source: str, sql: str, *models: str) -> None:
    """Half of the rows and then the others, by their numbers."""
    half = f"select percentile(seq, 0.5) from ({sql})"
    windowed = [name for name in models if not name.endswith("_table")]
    for part, chosen in (("<=", windowed), (">", models)):
        arrive(project, source, f"select * from ({sql}) where seq {part} ({half})")
        project.run(*chosen)


def keys(*names: str) -> str:
    """The columns of KEYS of these names."""
    return ", ".join(f"cast({KEYS[n][1]} as {KEYS[n][0]}) as {quoted(n)}" for n in names)


def out_of_order(names: list[str], seq: str) -> str:
    """Rows with keys of these names, some of them late for windows `WITH_LATE`."""
    return (
        f"select {keys(*names)}, "
        f"{START} + make_dt_interval(0, 0, 0, n * 600 - (n * 7919) % 30000) as at, "
        f"{seq} as seq, n % 11 as value from range(120) as t(n)"
    )


@pytest.mark.slow
def test_any_name_and_any_type_that_can_be_compared(project: DbtProject) -> None:
    rows = (
        f"select {keys(*KEYS)}, {START} + make_dt_interval(0, 0, 0, (n * 7919) % 40000) as at, "
        "n * 37 % 2000 as seq, n % 11 as value from range(120) as t(n)"
    )
    arrive(project, "odd", f"select * from ({rows}) where false")
    names = []
    for number, name in enumerate(KEYS):
        for kind, window in {"windowed": OURS["session"], "table": OURS["session"]}.items():
            names.append(f"odd_{number}_{kind}")
            relation = f'"(select *, interval 3 days as `of the source` from {project.schema}.odd)"'
            project.model(names[-1], model(relation, [name], window, materialized=kind))
    in_two_refreshes(project, "odd", rows, *names)
    for number, name in enumerate(KEYS):
        column = quoted(name)
        found = public(project, f"odd_{number}_windowed")
        assert found == public(project, f"odd_{number}_table"), name
        spark = project.rows(
            f"select count(*) as n, sum(n) as counted from (select {column}, count(*) as n "
            f"from odd group by {column}, {SPARK['session']})"
        )[0]
        assert (len(found), 120) == (spark.n, spark.counted), name


@pytest.mark.slow
def test_late_rows_of_odd_keys(project: DbtProject) -> None:
    """The replay knows keys as text: each must be itself, in any session zone."""
    chosen = ["with space", "quo`te", "double_key", "ntz_key", "pair", "bytes", "time_key"]
    rows = out_of_order(chosen, "n * 37 % 2000")
    arrive(project, "late_odd", f"select * from ({rows}) where false")
    for kind in ("windowed", "table"):
        project.model(
            f"late_{kind}", model("source('raw', 'late_odd')", chosen, WITH_LATE, materialized=kind)
        )
    for place, (low, high) in enumerate([(-1, 500), (500, 1100), (1100, 2000)]):
        zone = ["Europe/Berlin", "America/St_Johns", "UTC"][place]
        project.spark.conf.set("spark.sql.session.timeZone", "UTC")
        arrive(project, "late_odd", f"select * from ({rows}) where seq > {low} and seq <= {high}")
        project.spark.conf.set("spark.sql.session.timeZone", zone)
        project.run("late_windowed")
    project.run("late_table")
    assert project.rows("select count(*) as n from late_windowed__dropped where reason = 'late'")[
        0
    ].n
    assert public(project, "late_windowed") == public(project, "late_table")


@pytest.mark.slow
def test_final_windows_of_odd_names(project: DbtProject) -> None:
    """Names that need backticks, late rows, and a column that no table can store."""
    chosen = ["with space", "quo`te"]
    rows = out_of_order(chosen, "n")
    relation = f'"(select *, interval 3 days as `of the source` from {project.schema}.odd_final)"'
    project.model("published", model(relation, chosen, WITH_LATE, emit="final"))
    project.model("published_table", model(relation, chosen, WITH_LATE, materialized="table"))
    in_two_refreshes(project, "odd_final", rows, "published")
    late = "select count(*) as n from published__dropped where reason = 'late'"
    assert project.rows(late)[0].n
    project.run("published", vars={"event_windows__advance_to": "2025-01-01 00:00:00"})
    project.run("published_table")
    assert public(project, "published") == public(project, "published_table")


TIMES = [
    "0001-01-02 00:00:00",
    "0001-01-02 00:10:00",
    "1583-01-01 12:00:00.000001",
    "1969-12-31 23:59:59.999999",
    "1970-01-01 00:00:00",
    "2024-03-31 01:30:00",
    "2024-03-31 02:30:00",
    "2024-03-31 03:30:00",
    "2024-10-27 02:30:00",
    "9999-12-31 23:59:59.999999",
]


@pytest.fixture
def berlin(project: DbtProject) -> Iterator[None]:
    project.spark.conf.set("spark.sql.session.timeZone", "Europe/Berlin")
    yield
    project.spark.conf.set("spark.sql.session.timeZone", "UTC")


@pytest.mark.usefixtures("berlin")
@pytest.mark.parametrize("kind", sampled(["timestamp_ntz", "timestamp"], ["timestamp_ntz"]))
def test_times_at_the_ends_and_where_clocks_change(project: DbtProject, kind: str) -> None:
    """A local time in the hour that a clock skips is that time, and no other."""
    source = f"times_{kind}"
    values = ", ".join(f"({n}, '{text}')" for n, text in enumerate(TIMES))
    rows = (
        f"select 'a' as key, cast(text as {kind}) as at, cast(n * 7 % 10 as bigint) as seq, "
        f"cast(n as bigint) as value from values {values} as t(n, text)"
    )
    arrive(project, source, f"select * from ({rows}) where false")
    for name, window in OURS.items():
        project.model(f"{source}_{name}", model(f"source('raw', {source!r})", ["key"], window))
    in_two_refreshes(project, source, rows, *[f"{source}_{name}" for name in OURS])
    for name, call in SPARK.items():
        first = "min(at)" if name == "session" else "window.start"
        last = "max(at)" if name == "session" else "window.end"
        spark = project.rows(
            f"select string({first}) as first, string({last}) as last, count(*) as n "
            f"from {source} group by key, {call} order by 1"
        )
        found = project.rows(
            "select string(window_start) as first, string(window_end) as last, n "
            f"from {source}_{name} order by 1"
        )
        assert [tuple(row) for row in found] == [tuple(row) for row in spark]


def test_a_gap_per_row_at_the_last_time_there_is(project: DbtProject) -> None:
    """Of a row that no window can count no end of a gap is reckoned, where the sum is no time."""
    project.create_source("gaps", [("a", datetime(2024, 1, 1), 1, 30)], GAPS)
    window = """event_windows.session(gap_by="minutes * interval '1' minute", grace='1 day')"""
    aggregates = {"n": "count(*)"}
    project.model("gaps_m", model("source('raw', 'gaps')", ["key"], window, aggregates=aggregates))
    project.run("gaps_m")
    last = "timestamp_micros(9223372036825200000)"
    project.rows(f"insert into gaps values ('a', {last}, 2, 30), ('a', {START}, 3, 30)")
    project.run("gaps_m")
    assert [row.n for row in project.rows("select n from gaps_m")] == [2]
    found = project.rows("select seq, reason from gaps_m__dropped")
    assert [tuple(row) for row in found] == [(2, "ahead_of_time")]


def test_rows_that_no_window_can_count(project: DbtProject) -> None:
    """Off the resolution, ahead of time, before the origin, without a key or a time."""
    start = datetime(2024, 1, 1)
    rows = [
        ("a", start, start, 1),
        ("a", start + timedelta(milliseconds=500), start, 2),  # off the resolution
        ("a", start + timedelta(days=2), start, 3),  # ahead of its arrival
        ("a", datetime(1999, 1, 1), start, 4),  # before the origin
        (None, start, start, 5),
        ("a", None, start, 6),
        ("a", start + timedelta(seconds=5), start, 7),
    ]
    project.create_source(
        "uncountable", rows, "key string, at timestamp, came timestamp, seq bigint"
    )
    window = (
        "event_windows.sliding(difference='10 seconds', grace='1 minute', "
        "resolution='1 second', origin='2000-01-01')"
    )
    text = model("source('raw', 'uncountable')", ["key"], window, aggregates={"n": "count(*)"})
    text = text.replace(
        "materialized='windowed'",
        "materialized='windowed', max_ahead='1 day', arrived_at='came'",
    )
    project.model("counted", text)
    project.run("counted")
    found = project.rows("select seq, reason from counted__dropped order by seq")
    assert [tuple(row) for row in found] == [
        (2, "off_resolution"),
        (3, "ahead_of_time"),
        (4, "before_origin"),
        (5, "null_key"),
        (6, "null_event_time"),
    ]
    assert project.rows("select count(*) as n from counted where n = 2")[0].n == 1
    clock = project.rows("select stream_time from counted__stream_time")[0].stream_time
    assert clock == start + timedelta(seconds=5)
