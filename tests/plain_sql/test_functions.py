"""The lists of Spark's functions are those of the Spark that runs."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from dbt_event_windows.plain_sql.functions import Kind, kind_of

# Spark's groups of functions, and the kinds that functions of a group can have.
GROUPS = {
    "agg_funcs": {Kind.AGGREGATE, Kind.GROUPING},
    "window_funcs": {Kind.OVER},
    "generator_funcs": {Kind.GENERATOR},
}
OTHERS = {
    Kind.ROW,
    Kind.RANDOM,
    Kind.CLOCK,
    Kind.SESSION,
    Kind.OUTSIDE,
    Kind.TIME_WINDOW,
}


def functions(spark: SparkSession) -> dict[str, str]:
    """The group of each function that has a name of letters."""
    registry = spark._jsparkSession.sessionState().functionRegistry()
    names = registry.listFunction().iterator()
    groups = {}
    while names.hasNext():
        info = registry.lookupFunction(names.next()).get()
        if str(info.getName()).replace("_", "").isalnum() and info.getGroup():
            groups[str(info.getName())] = str(info.getGroup())
    return groups


def test_every_function_of_spark_has_a_kind(spark: SparkSession) -> None:
    for name, group in functions(spark).items():
        kind = kind_of(name)
        if name in ("json_tuple", "variant_explode", "variant_explode_outer"):
            assert kind is Kind.GENERATOR, name
        elif name == "schema_of_variant_agg":
            assert kind is Kind.AGGREGATE, name
        else:
            assert kind in GROUPS.get(group, OTHERS), (name, group)


CHANGING = [
    "rand()", "randn()", "random()", "uuid()", "shuffle(array(1))", "randstr(3)", "uniform(1, 2)",
    "monotonically_increasing_id()", "spark_partition_id()", "input_file_name()", "now()",
    "current_timestamp()", "current_date()", "current_user()", "version()", "localtimestamp()",
    "aes_encrypt('a', '0000111122223333')", "current_timezone()", "curdate()", "current_catalog()",
]  # fmt: skip


@pytest.mark.parametrize("call", CHANGING)
def test_what_differs_from_run_to_run_is_no_row_function(spark: SparkSession, call: str) -> None:
    assert spark.sql(f"select {call}").columns  # Spark has the function
    assert kind_of(call.partition("(")[0]) in (Kind.RANDOM, Kind.CLOCK, Kind.SESSION)


@pytest.mark.parametrize("name", ["SUM", "Lower", "session_WINDOW"])
def test_names_are_known_in_any_case(name: str) -> None:
    assert kind_of(name) is not Kind.UNKNOWN
