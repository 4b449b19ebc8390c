"""The queries as SQL table functions, for clients that know no Jinja."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pyspark.sql import DataFrame

from tests.formats import segments_asked_for
from tests.harness import DbtProject, recorded
from tests.session_models import at, session_model

DAY = 1440
COLUMNS = "key string, `shop-no` int, event_time timestamp, arrival_seq bigint"
SESSION = "event_windows.session(gap='30 minutes', grace='1 day')"
TUMBLING = "event_windows.tumbling(size='1 day', grace='1 day')"
KEY = ["key", "shop-no"]
ON = {"query_functions": True}


def day(number: int) -> str:
    return f"timestamp '{at(number * DAY):%Y-%m-%d}'"


@pytest.fixture(scope="module", autouse=True)
def whole_plans(project: DbtProject) -> Iterator[None]:
    project.spark.conf.set("spark.sql.maxMetadataStringLength", "1000")
    yield
    project.spark.conf.unset("spark.sql.maxMetadataStringLength")


@pytest.fixture(scope="module", autouse=True)
def built(project: DbtProject) -> None:
    places = [(who, shop, d) for d in range(6) for who in "ab" for shop in (1, 2)]
    rows = [
        (who, shop, at(d * DAY + m), 2 * place + (m > 0))
        for place, (who, shop, d) in enumerate(places)
        for m in (0, 90)
    ]
    project.create_source("visits", rows, COLUMNS)
    project.model("visits_by_shop", session_model("visits", SESSION, key=KEY))
    project.run("visits_by_shop")
    assert functions(project) == set(), "nobody asked for them"
    project.model("visits_by_shop", session_model("visits", SESSION, key=KEY, config=ON))
    project.run("visits_by_shop")


def functions(project: DbtProject) -> set[str]:
    names = [row.function for row in project.rows(f"show user functions in {project.schema}")]
    return {name.rpartition(".")[2] for name in names if f".{project.schema}." in name}


def starts(project: DbtProject, call: str) -> list[tuple[Any, ...]]:
    """(key, shop, start in minutes), in order."""
    rows = project.rows(f"select *, unix_micros(window_start) as micros from {call}")
    first = at(0).timestamp()
    return sorted((r.key, r["shop-no"], round((r.micros / 1e6 - first) / 60)) for r in rows)


def frame_of(project: DbtProject, call: str) -> DataFrame:
    # Spark takes no schema in front of a table function
    project.spark.catalog.setCurrentDatabase(project.schema)
    return project.spark.sql(f"select * from {call}")


def test_they_are_made_on_request_even_if_nothing_is_new(project: DbtProject) -> None:
    names = {f"visits_by_shop_{query}" for query in ("fetch", "fetch_all", "find_sessions")}
    assert functions(project) == names


def test_fetch(project: DbtProject) -> None:
    found = starts(project, f"visits_by_shop_fetch('a', 2, {day(2)}, {day(3)})")
    assert found == [("a", 2, m) for m in (2 * DAY, 2 * DAY + 90, 3 * DAY)]


def test_fetch_all(project: DbtProject) -> None:
    found = starts(project, f"visits_by_shop_fetch_all({day(5)}, {day(5)})")
    assert found == [(who, shop, 5 * DAY) for who in "ab" for shop in (1, 2)]


def test_find_sessions(project: DbtProject) -> None:
    found = starts(project, f"visits_by_shop_find_sessions('b', 1, {day(2)}, {day(3)})")
    assert found == [("b", 1, m) for m in (2 * DAY, 2 * DAY + 90, 3 * DAY)]


@pytest.mark.parametrize("rest", ["", ", null, null", ", to_time => null"])
def test_a_time_that_is_left_out_or_null_is_open(project: DbtProject, rest: str) -> None:
    found = starts(project, f"visits_by_shop_fetch('a', 1{rest})")
    assert found == [("a", 1, d * DAY + m) for d in range(6) for m in (0, 90)]


def test_arguments_by_name(project: DbtProject) -> None:
    by_name = f"to_time => {day(0)}, `shop-no` => 1, key => 'a'"
    assert starts(project, f"visits_by_shop_fetch({by_name})") == [("a", 1, 0)]


def test_only_public_columns_come_out(project: DbtProject) -> None:
    frame = frame_of(project, "visits_by_shop_fetch('a', 1)")
    assert frame.columns == [*KEY, "window_start", "window_end", "n"]


@pytest.mark.parametrize(
    ("call", "first"),
    [
        (f"fetch('a', 1, {day(3)}, {day(4)})", 3),
        (f"fetch_all({day(4)})", 4),
        (f"find_sessions('a', 1, {day(2)})", 2),
        (f"fetch('a', 1, to_time => {day(4)})", None),
    ],
)
def test_only_the_segments_asked_for_are_read(
    project: DbtProject, call: str, first: int | None
) -> None:
    bounds = segments_asked_for(frame_of(project, f"visits_by_shop_{call}"))
    assert bounds == ({} if first is None else {">=": 19830 + first})


def test_a_refresh_keeps_them(project: DbtProject) -> None:
    project.append("visits", [("c", 1, at(0), 100)])
    project.run("visits_by_shop")
    assert starts(project, "visits_by_shop_fetch('c', 1)") == [("c", 1, 0)]


def test_a_full_refresh_with_another_window_and_other_columns(project: DbtProject) -> None:
    counts = {"first_seen": "min(event_time)", "n": "count(*)"}
    model = session_model("visits", TUMBLING, key="key", aggregates=counts, config=ON)
    project.model("visits_by_shop", model)
    project.run("visits_by_shop", full_refresh=True)
    names = {"visits_by_shop_fetch", "visits_by_shop_fetch_all"}
    assert functions(project) == names
    frame = frame_of(project, "visits_by_shop_fetch('a')")
    assert frame.columns == ["key", "window_start", "window_end", "first_seen", "n"]
    assert frame.count() == 6
    bounded = f"visits_by_shop_fetch('a', {day(2)}, {day(3)})"
    assert [row.n for row in project.rows(f"select n from {bounded}")] == [4, 4]
    # by their last instant; the day after is looked at too
    assert segments_asked_for(frame_of(project, bounded)) == {">=": 19832, "<=": 19834}


BAD = {
    "bad_value": (
        session_model("visits", config={"query_functions": "yes"}),
        "query_functions is 'yes': allowed are true and false",
    ),
    "bad_key": (
        session_model("visits", key="from_time", config=ON).replace(
            "source('raw', 'visits')",
            "'(select *, key as from_time from ' ~ source('raw', 'visits') ~ ')'",
        ),
        "key column 'from_time' is called as an argument",
    ),
}


def test_bad_settings_stop_before_anything_is_written(project: DbtProject) -> None:
    for name, (sql, _) in BAD.items():
        project.model(name, sql)
    with recorded() as statements:
        outcome = project.run(*BAD, expect_error=True)
    for name in BAD:
        (project.root / f"models/{name}.sql").unlink()
    said = {result.node.name: result.message for result in outcome.results}
    for name, (_, text) in BAD.items():
        assert text in said[name]
        assert said[name].count("nothing was changed") == 1
    assert statements.writes == []
