"""fetch, fetch_all and find_sessions: what they give, in which order, and what they read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.formats import reads_only, segments_asked_for
from tests.harness import DbtProject
from tests.session_models import EVENTS, at, events, session_model

DAY = 1440
SESSION = "event_windows.session(gap='54 seconds', grace='1 day')"
HOPPING = "event_windows.hopping(size='2 days', advance_by='1 day', grace='1 day')"
CUMULATING = "event_windows.cumulating(size='1 day', step='6 hours', grace='1 day')"
ZONELESS = (
    "'(select key, cast(event_time as timestamp_ntz) as event_time, arrival_seq from '"
    " ~ source('raw', 'days') ~ ')'"
)

MODELS = {
    "sessions": session_model("days", SESSION),
    "hopping": session_model("days", HOPPING),
    "cumulating": session_model("days", CUMULATING).replace("source('raw', 'days')", ZONELESS),
    "copied": "{{ config(materialized='table') }}\n"
    "select key, window_start, window_end, n from {{ ref('sessions') }}",
    "on_top": "{{ config(materialized='view') }}\nselect * from {{ ref('sessions') }}",
}


def day(number: float) -> str:
    """The start of a day of the data, as text."""
    return at(number * DAY).strftime("%Y-%m-%d %H:%M:%S")


def minute(number: float) -> str:
    return day(number / DAY)


def key(value: str = "a") -> str:
    return repr({"key": f"'{value}'"})


def fetch(relation: str, rest: str = "none", who: str = "a") -> str:
    return call("fetch", f"ref({relation!r}), {key(who)}, {rest}")


def fetch_all(relation: str, rest: str) -> str:
    return call("fetch_all", f"ref({relation!r}), {rest}")


def find_sessions(rest: str, who: str = "a") -> str:
    return call("find_sessions", f"ref('sessions'), {key(who)}, {rest}")


def call(macro: str, arguments: str) -> str:
    return "{{ event_windows." + macro + "(" + arguments + ") }}"


FROM_3_TO_5 = f"'{day(3)}', '{day(5)}'"
ACROSS = "'2024-04-20T02:00:00+02:00', '2024-04-22 00:00:00 UTC'"
EXPRESSIONS = "\"timestamp '2024-04-20' + interval 0 hours\", \"timestamp '2024-04-22'\""
DATETIMES = "modules.datetime.datetime(2024, 4, 20), modules.datetime.datetime(2024, 4, 22)"
QUOTED = "\"'2024-04-20'\", '2024-04-22 00:00'"

QUERIES = {
    "kip": find_sessions(f"'{minute(150)}', '{minute(300)}'", "kip"),
    "kip_inclusive": find_sessions(f"'{minute(200)}', '{minute(301)}'", "kip"),
    "kip_reverse": find_sessions(f"'{minute(150)}', '{minute(300)}', true", "kip"),
    "kip_by_start": fetch("sessions", f"'{minute(101)}', '{minute(201)}'", "kip"),
    "all_of_a_key": fetch("sessions", who="b"),
    "open_start": fetch("sessions", f"none, '{day(1)}'"),
    "open_end": fetch("sessions", f"'{day(8)}'"),
    "sessions": fetch("sessions", FROM_3_TO_5),
    "sessions_reverse": fetch("sessions", FROM_3_TO_5 + ", reverse=true"),
    "other_zones": fetch("sessions", ACROSS),
    "expressions": fetch("sessions", EXPRESSIONS),
    "datetimes": fetch("sessions", DATETIMES),
    "quoted": fetch("sessions", QUOTED),
    "found": find_sessions(FROM_3_TO_5),
    "hopping": fetch("hopping", FROM_3_TO_5),
    "cumulating": fetch("cumulating", FROM_3_TO_5),
    "cumulating_reverse": fetch("cumulating", f"'{day(3)}', '{day(3)}', true"),
    "everybody": fetch_all("sessions", FROM_3_TO_5),
    "everybody_reverse": fetch_all("sessions", FROM_3_TO_5 + ", reverse=true"),
    "zoneless": fetch("cumulating", ACROSS),
    "zoneless_expressions": fetch("cumulating", EXPRESSIONS),
    "copied": fetch_all("copied", FROM_3_TO_5),
    "on_top": fetch_all("on_top", FROM_3_TO_5),
    "select": call("fetch_all", f"'(select * from ' ~ ref('sessions') ~ ')', {FROM_3_TO_5}"),
    "not_there": fetch_all("later", FROM_3_TO_5),
}


@pytest.fixture(scope="module")
def queries(project: DbtProject) -> dict[str, str]:
    """The SQL of each query, over tables that are there."""
    rows = [(who, d * DAY + m) for d in range(10) for who in "ab" for m in (0, 0.5, 100)]
    # KIP-94's example in minutes: sessions (0, 99), (101, 200), (201, 300), (301, 400)
    between = (199, 200, 201, 401, 601)
    rows += [("kip", half / 2) for half in range(801) if half not in between]
    project.create_source("days", events(rows), EVENTS)
    for name, sql in MODELS.items():
        project.model(name, sql)
    project.run()
    project.model("later", session_model("days"))
    for name, sql in QUERIES.items():
        project.model(f"q_{name}", sql)
    results = project.dbt("compile", "q_*").results
    return {result.node.name[2:]: str(result.node.compiled_code) for result in results}


def spans(project: DbtProject, sql: str) -> list[tuple[float, float]]:
    """(start, end) of each window of the one key, in the order given, in minutes."""
    rows = project.rows(sql)
    assert len({row.key for row in rows}) == 1
    return [span(row) for row in rows]


def span(row: Any) -> tuple[float, float]:
    ends = [row.window_start, row.window_end]
    start, end = ((e - at(0).replace(tzinfo=None)).total_seconds() / 60 for e in ends)
    return start, end


def test_the_example_of_the_kip(project: DbtProject, queries: dict[str, str]) -> None:
    everything = spans(project, "select * from sessions where key = 'kip' order by window_start")
    assert everything == [(0, 99), (101, 200), (201, 300), (301, 400)]
    assert spans(project, queries["kip"]) == [(101, 200), (201, 300)]


def test_bounds_are_inclusive(project: DbtProject, queries: dict[str, str]) -> None:
    found = spans(project, queries["kip_inclusive"])
    assert found == [(101, 200), (201, 300), (301, 400)]
    assert spans(project, queries["kip_by_start"]) == [(101, 200), (201, 300)]


def test_reverse_gives_the_latest_first(project: DbtProject, queries: dict[str, str]) -> None:
    assert spans(project, queries["kip_reverse"]) == [(201, 300), (101, 200)]
    forth = spans(project, queries["sessions"])
    assert spans(project, queries["sessions_reverse"]) == forth[::-1]
    assert len(forth) == 5


def test_windows_that_share_a_start_are_in_the_order_of_their_ends(
    project: DbtProject, queries: dict[str, str]
) -> None:
    start = 3 * DAY
    expected = [(start, start + hours * 60) for hours in (24, 18, 12, 6)]
    assert spans(project, queries["cumulating_reverse"]) == expected


def test_fetch_all_is_in_the_order_of_keys(project: DbtProject, queries: dict[str, str]) -> None:
    rows = [(row.key, span(row)[0]) for row in project.rows(queries["everybody"])]
    assert rows == sorted(rows)
    assert {who for who, _ in rows} == {"a", "b"}
    back = [(row.key, span(row)[0]) for row in project.rows(queries["everybody_reverse"])]
    assert back == sorted(rows, key=lambda row: (row[0], -row[1]))


def test_a_side_that_is_none_is_open(project: DbtProject, queries: dict[str, str]) -> None:
    assert spans(project, queries["open_start"]) == [(0, 0.5), (100, 100), (DAY, DAY + 0.5)]
    ends = [(d * DAY + m, d * DAY + n) for d in (8, 9) for m, n in ((0, 0.5), (100, 100))]
    assert spans(project, queries["open_end"]) == ends
    assert len(project.rows(queries["all_of_a_key"])) == 20


@pytest.mark.parametrize("name", ["other_zones", "expressions", "datetimes", "quoted"])
def test_a_time_can_be_given_in_several_ways(
    project: DbtProject, queries: dict[str, str], name: str
) -> None:
    assert spans(project, queries[name]) == spans(project, queries["sessions"])


@pytest.mark.parametrize("name", ["zoneless", "zoneless_expressions"])
def test_times_without_a_zone(project: DbtProject, queries: dict[str, str], name: str) -> None:
    kind = dict(project.spark.table(f"{project.schema}.cumulating").dtypes)["window_start"]
    assert kind == "timestamp_ntz"
    assert spans(project, queries[name]) == spans(project, queries["cumulating"])


@pytest.mark.parametrize("kind", ["double", "float"])
def test_a_zero_below_zero_is_the_key_zero(project: DbtProject, kind: str) -> None:
    """To Spark they are one, and a format may know better of the bounds of its files."""
    columns = f"key {kind}, window_start timestamp, window_end timestamp"
    project.create_source(f"zero_{kind}", [(0.0, at(0), at(1)), (0.5, at(0), at(1))], columns)
    for value in ["-0.0D", "-0.0F", "0", "'-0.0'", "double('-0.0')"]:
        given = repr({"key": value})
        sql = project.compile(inline=call("fetch", f"source('raw', 'zero_{kind}'), {given}"))
        assert [row.key for row in project.rows(sql)] == [0.0], value


@pytest.mark.parametrize("kind", ["timestamp", "timestamp_ntz"])
def test_times_of_a_cte(project: DbtProject, kind: str) -> None:
    """Whose type dbt cannot ask: a wall clock is not read by the zone of the session."""
    times = ["2024-04-16 23:59", "2024-04-17 00:00", "2024-04-18 00:00", "2024-04-18 00:01"]
    zone = "" if kind == "timestamp_ntz" else "Z"
    starts = ", ".join(f"('a', {kind} '{time}:00{zone}')" for time in times)
    rows = (
        "with w as (select key, start as window_start, start as window_end "
        f"from values {starts} t(key, start))\n"
    )
    expression = f"\"timestamp '2024-04-18 00:00:00{zone}'\""
    asked = [
        f"fetch('w', {key()}, '2024-04-17', '2024-04-18')",
        f"fetch('w', {key()}, '2024-04-17 02:00:00+02:00', {expression})",
        "fetch_all('w', '2024-04-17', '2024-04-18')",
        f"find_sessions('w', {key()}, '2024-04-17', '2024-04-18')",
    ]
    project.spark.conf.set("spark.sql.session.timeZone", "Europe/Berlin")
    try:
        for macro in asked:
            sql = project.compile(inline=rows + "{{ event_windows." + macro + " }}")
            shown = sql.replace("\n    *\n", "\n    date_format(window_start, 'HH:mm') as shown\n")
            hours = ["00:00", "00:00"] if kind == "timestamp_ntz" else ["02:00", "02:00"]
            assert [row.shown for row in project.rows(shown)] == hours, macro
    finally:
        project.spark.conf.set("spark.sql.session.timeZone", "UTC")


@pytest.mark.parametrize("name", ["copied", "on_top", "select"])
def test_a_relation_that_is_no_windows_table(
    project: DbtProject, queries: dict[str, str], name: str
) -> None:
    assert "_ew_" not in queries[name]
    assert project.rows(queries[name]) == project.rows(queries["everybody"])


def test_a_relation_that_is_not_there_yet(project: DbtProject, queries: dict[str, str]) -> None:
    sql = queries["not_there"]
    assert re.match(r"select\s+\*\s+from \w+\.later as stored", sql)
    # its key is not known, so that nothing can be ordered by it
    rows = project.rows(sql.replace(".later ", ".copied "))
    assert sorted(rows) == project.rows(queries["everybody"])


def test_only_public_columns_come_out(project: DbtProject, queries: dict[str, str]) -> None:
    for name in ["kip", "hopping", "everybody", "on_top", "select"]:
        columns = project.spark.sql(queries[name]).columns
        assert columns == ["key", "window_start", "window_end", "n"]


FIRST = 19830  # the segment of the first day of the data
READ = {
    "all_of_a_key": (None, None),
    "sessions": (3, None),  # a session that starts in the range may end at any time
    "found": (3, None),
    "other_zones": (3, None),
    "expressions": (3, None),
    "everybody": (3, None),
    "open_start": (None, None),
    "open_end": (8, None),
    "hopping": (4, 7),
    "cumulating": (3, 6),
    "zoneless": (3, 6),
    "zoneless_expressions": (3, 6),
}


@pytest.fixture(scope="module")
def whole_plans(project: DbtProject) -> Iterator[None]:
    project.spark.conf.set("spark.sql.maxMetadataStringLength", "1000")
    yield
    project.spark.conf.unset("spark.sql.maxMetadataStringLength")


@pytest.mark.usefixtures("whole_plans")
@pytest.mark.parametrize("name", READ)
def test_only_the_segments_asked_for_are_read(
    project: DbtProject, queries: dict[str, str], name: str
) -> None:
    frame = project.spark.sql(queries[name])
    bounds = segments_asked_for(frame)
    first, last = (bounds[o] - FIRST if o in bounds else None for o in (">=", "<="))
    assert (first, last) == READ[name]
    table = next(model for model in MODELS if f".{model} as" in queries[name])
    assert reads_only(project, frame, table, bounds.get(">="), bounds.get("<="))


PARSED_BADLY = """
{{ event_windows.find_sessions(
    ref('sessions'), {'key': "'a"}, 150, "'yesterday'", reverse='no', order='desc'
) }}
"""


def test_everything_wrong_is_said_at_once(project: DbtProject, queries: dict[str, str]) -> None:
    project.model("bad", PARSED_BADLY)
    try:
        error = project.dbt("compile", "bad", expect_error=True).error
    finally:
        (project.root / "models/bad.sql").unlink()
    assert error.count("cannot be used as written") == 1
    for text in [
        "find_sessions(...)",
        "unknown option 'order': allowed are relation, key, earliest_end, latest_start, reverse",
        "key column 'key' is ''a': a ' is not closed",
        "reverse is 'no': allowed are true and false",
        "earliest_end is '150': give a timestamp in text",
        "latest_start is ''yesterday'': give a timestamp in text",
    ]:
        assert text in error


BAD = {
    "null_key": (
        "{{ event_windows.fetch(ref('sessions'), {'key': none}) }}",
        ["key column 'key' is none: rows with a null key are in no window"],
    ),
    "no_such_key": (
        "{{ event_windows.fetch(ref('sessions'), {'user_id': 1}) }}",
        ["unknown key column 'user_id': allowed are key", "key column 'key' is missing"],
    ),
    "no_such_column": (
        "{{ event_windows.fetch(ref('on_top'), {'user_id': 1}) }}",
        ["unknown key column 'user_id': allowed are key, n"],
    ),
    "no_windows": (
        "{{ event_windows.fetch_all(source('raw', 'days')) }}",
        ["has no column 'window_start'", "has no column 'window_end'", "key, event_time"],
    ),
}


def test_what_only_the_relation_can_tell(project: DbtProject, queries: dict[str, str]) -> None:
    for name, (sql, _) in BAD.items():
        project.model(f"bad_{name}", sql)
    outcome = project.run("bad_*", expect_error=True)
    for name in BAD:
        (project.root / f"models/bad_{name}.sql").unlink()
    said = {result.node.name[4:]: result.message for result in outcome.results}
    for name, (_, texts) in BAD.items():
        assert said[name].count("cannot be used as written") == 1
        for text in texts:
            assert text in said[name]
