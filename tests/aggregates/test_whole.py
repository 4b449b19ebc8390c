"""Aggregates that nobody can merge: over all values of a window, whenever these change."""

from __future__ import annotations

import random
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql.functions import arrow_udf

from tests.harness import FILE_FORMAT, DbtProject, recorded, selected
from tests.session_models import at, exists, public, session_model

# a sample of all other aggregates is in test_refreshes.py, Python's in test_python_aggregates.py
pytestmark = pytest.mark.slow

SESSION = "event_windows.session(gap='30 minutes', grace='unbounded')"
SLIDING = "event_windows.sliding(difference='20 minutes', grace='1 hour')"
HOPPING = "event_windows.hopping(size='40 minutes', advance_by='20 minutes', grace='unbounded')"
COLUMNS = "key string, event_time timestamp, arrival_seq bigint, value bigint, word string"
CALLS = {
    "histogram": "histogram_numeric(value, 20)",
    "large": "histogram_numeric(value * 10, 20) filter (where value > 4)",
    "words": "hex(count_min_sketch(word, 0.5D, 0.5D, 1))",
    "weighted": "percentile(value, array(0.2, 0.7), arrival_seq % 3 + 1)",
    "first": "percentile(value, array(0.2, 0.7)[0])",
    "some": "approx_percentile(value, slice(array(0.1, 0.5, 0.9), 1, 2))",
    "clock": "approx_percentile(cast(event_time as timestamp_ntz), 0.5)",
    "maps": "approx_count_distinct(map(word, value))",
    "width": "width_of(value)",
    "share": "width_of(value) / count(*)",
    "n": "count(*)",
}
# Iceberg in a Hive metastore cannot hold the variant that a window keeps for it.
SHAPE = "schema_of_variant_agg(to_variant_object(named_struct('v', value)))"
if FILE_FORMAT != "iceberg":
    CALLS["shape"] = SHAPE


def rows() -> list[tuple[Any, ...]]:
    chance = random.Random(8)
    return [
        (
            chance.choice("ab"),
            at(9 * arrival - chance.choice([0, 0, 0, 25, 50])),
            arrival,
            chance.randint(1, 9) if chance.random() < 0.8 else None,
            chance.choice(["a", "b", "c"]),
        )
        for arrival in range(90)
    ]


@pytest.fixture(scope="module", autouse=True)
def refreshed(request: pytest.FixtureRequest, project: DbtProject) -> None:
    @arrow_udf("bigint")
    def width_of(values: pa.Array) -> int | None:
        found = [value for value in values.to_pylist() if value is not None]
        return max(found) - min(found) if found else None

    project.spark.udf.register("width_of", width_of)
    made = rows()
    project.create_source("measured", made[:50], COLUMNS)
    some = {name: CALLS[name] for name in ["histogram", "share"]}
    models = {
        "wholes": session_model("measured", SESSION, aggregates=CALLS),
        "slid": session_model("measured", SLIDING, aggregates=some),
        "hopped": session_model("measured", HOPPING, "table", aggregates=some),
    }
    names = {"wholes"} | selected(request, "table")
    for name in names:
        project.model(name, models[name])
    project.run(*sorted(names - {"hopped"}))
    project.append("measured", made[50:75])
    project.run(*sorted(names - {"hopped"}))
    project.append("measured", made[75:])
    project.run()


def plain(project: DbtProject, table: str, call: str, inside: str) -> dict[Any, str]:
    """A call over the rows that a plain join finds in each window of a table."""
    return {
        (row.key, row.window_start): str(row.value)
        for row in project.rows(
            f"select key, window_start, {call} as value from ("
            f"select /*+ coalesce(1) */ m.*, w.window_start from {table} as w inner join measured "
            f"as m on w.key = m.key and m.event_time >= w.window_start and {inside}) group by all"
        )
    }


@pytest.mark.parametrize("name", CALLS)
def test_values_are_those_of_plain_rows(project: DbtProject, name: str) -> None:
    # Spark has no plain query with a Python aggregate beside one of its own
    call = CALLS[name].replace("width_of(value)", "(max(value) - min(value))")
    found = project.rows(f"select key, window_start, {name} as value from wholes")
    inside = "m.event_time <= w.window_end"
    assert {(r.key, r.window_start): str(r.value) for r in found} == plain(
        project, "wholes", call, inside
    )
    assert len({str(row.value) for row in found}) > 1 or name == "shape"


@pytest.mark.parametrize(
    ("table", "inside"),
    [("slid", "m.event_time <= w.window_end"), ("hopped", "m.event_time < w.window_end")],
)
def test_other_windows(project: DbtProject, table: str, inside: str) -> None:
    for name in ["histogram", "share"]:
        call = CALLS[name].replace("width_of(value)", "(max(value) - min(value))")
        found = project.rows(f"select key, window_start, {name} as value from {table}")
        expected = plain(project, table, call, inside)
        assert {(r.key, r.window_start): str(r.value) for r in found} == expected


def test_a_full_refresh_changes_nothing(project: DbtProject) -> None:
    found = public(project, "wholes")
    project.run("wholes", full_refresh=True)
    assert public(project, "wholes") == found


def test_a_full_refresh_with_columns_of_other_types(project: DbtProject) -> None:
    for aggregates in [
        {"x": "count(*)", "last": "max(value)"},
        {"x": "max(word)", "last": "array_agg(value)", "n": "count(*)"},
    ]:
        project.model("other", session_model("measured", SESSION, aggregates=aggregates))
        project.run("other", full_refresh=True)
        columns = project.spark.table(f"{project.schema}.other").columns
        assert [name for name in columns if name in aggregates] == [*aggregates]


def test_what_no_table_can_hold_is_refused_before_anything_is_written(project: DbtProject) -> None:
    calls = {"longest": "max(event_time - event_time)", "n": "count(*)"}
    calls["alike"] = "max(word collate UTF8_LCASE)"
    if FILE_FORMAT == "iceberg":
        calls["shape"] = SHAPE
    project.model("unstored", session_model("measured", SESSION, aggregates=calls))
    with recorded() as statements:
        error = project.run("unstored", expect_error=True).error
    assert statements.writes == []
    assert f"keeps interval (interval day to second), and no table in {FILE_FORMAT}" in error
    assert error.count("can hold that: cast it within the aggregate") == len(calls) - 1
    if FILE_FORMAT == "iceberg":
        assert "or give file_format delta" in error.partition("'shape'")[2]
    # a table that Spark computes has no such columns beside
    counted = calls | {
        "longest": "cast(max(event_time - event_time) as string)",
        "alike": "count(*)",
    }
    project.model("computed", session_model("measured", SESSION, "table", aggregates=counted))
    project.run("computed")


def test_what_no_set_can_hold_is_refused_before_anything_is_written(project: DbtProject) -> None:
    calls = {
        "n": "count(distinct word)",
        "maps": "count(distinct map(word, value)) filter (where value > 1)",
        "alike": "count(distinct word collate UTF8_LCASE)",
        "about": "approx_count_distinct(word collate UTF8_LCASE)",
        "listed": "length(listagg(distinct word collate UTF8_LCASE))",
    }
    project.model("unset", session_model("measured", SESSION, aggregates=calls))
    with recorded() as statements:
        error = project.run("unset", expect_error=True).error
    assert statements.writes == []
    assert error.count("keeps each value once, and no") == 3
    assert "no map<string," in error
    assert "no string collate" in error


def test_a_function_that_is_no_aggregate_is_refused(project: DbtProject) -> None:
    project.spark.udf.register("half_of", lambda value: value, "bigint")
    project.model("bad", session_model("measured", SESSION, aggregates={"x": "half_of(value)"}))
    error = project.run("bad", expect_error=True).error
    assert "GROUP BY" in error
    assert not exists(project, "bad")


def test_a_filter_that_a_function_in_python_does_not_take_is_told(project: DbtProject) -> None:
    call = "width_of(value) filter (where value > 4)"
    project.model("bad", session_model("measured", SESSION, aggregates={"x": f"1 + {call}"}))
    error = project.run("bad", expect_error=True).error
    assert f"aggregate 'x' is \"1 + {call}\": Spark does not take {call} (" in error
    assert "choose rows in the relation" in error
    assert not exists(project, "bad")
