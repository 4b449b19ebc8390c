"""Each aggregate of the catalogue, put together from parts, is Spark's own."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from pyspark.sql import SparkSession

from tests.aggregates.compared import differences
from tests.aggregates.macros import aggregate_macros
from tests.aggregates.rows import MERGEABLE, create_rows

NAMES = {f"v{number}": sql for number, sql in enumerate(MERGEABLE)}
Plan = list[dict[str, Any]]


def planned(spark: SparkSession, aggregates: dict[str, str], relation: str) -> Plan:
    """The plan of a model's aggregates, with the types that Spark gives to parts and values."""

    def run_query(sql: str) -> Any:
        types = [row.data_type for row in spark.sql(sql).collect()]
        return SimpleNamespace(columns={"data_type": SimpleNamespace(values=lambda: types)})

    macros = aggregate_macros(run_query=run_query)
    problems: list[str] = []
    plan: Plan = macros._plan_aggregates(aggregates, "event_time", ["arrival_seq"], problems)
    assert problems == []
    macros._describe_aggregates({"aggregates": plan, "relation": relation})
    return plan


def partials(plan: Plan, by: str, relation: str) -> str:
    parts = [f"{p['partial']} as {p['column']}" for a in plan for p in a["parts"]]
    return f"select {by}, {', '.join(parts)} from {relation} group by {by}"


def merged(plan: Plan, by: str, pieces: str) -> str:
    every = [part for aggregate in plan for part in aggregate["parts"]]
    parts = [f"cast({part['merge']} as {part['type']}) as {part['column']}" for part in every]
    return f"select {by}, {', '.join(parts)} from ({pieces}) group by {by}"


def running(plan: Plan, by: str, place: str, pieces: str) -> str:
    """The parts merged along `place`."""
    frame = "rows between unbounded preceding and current row"
    over = f" over (partition by {by} order by {place} {frame})"
    parts = [
        f"cast({p['running'].replace('{over}', over)} as {p['type']}) as {p['column']}"
        for a in plan
        for p in a["parts"]
    ]
    return f"select {by}, {place}, {', '.join(parts)} from ({pieces})"


def finals(plan: Plan, by: str, windows: str) -> str:
    values = [
        f"cast({a['final']} as {a['type']}) as {a['name']}" if a["final"] else a["name"]
        for a in plan
    ]
    return f"select {by}, {', '.join(values)} from ({windows})"


@pytest.fixture(scope="module")
def plan(spark: SparkSession) -> Plan:
    create_rows(spark, "plain_rows")
    cut = "pmod(hash(arrival_seq), 7) as cut"
    spark.sql(f"cache table typed_rows as select *, {cut} from plain_rows")
    return planned(spark, NAMES, "typed_rows")


def test_merged_from_what_was_merged(spark: SparkSession, plan: Plan) -> None:
    pieces = f"select *, cut div 3 as half from ({partials(plan, 'key, cut', 'typed_rows')})"
    halves = merged(plan, "key, half", pieces)
    found = spark.sql(finals(plan, "key", merged(plan, "key", halves)))
    assert differences(found, NAMES, ["key"], "typed_rows") == []


def test_along_slices(spark: SparkSession, plan: Plan) -> None:
    pieces = partials(plan, "key, cut", "typed_rows")
    found = spark.sql(finals(plan, "key, cut", running(plan, "key", "cut", pieces)))
    spark.sql(
        "create or replace temp view prefixes as select typed_rows.* except (cut), upto.cut "
        "from (select distinct key, cut from typed_rows) as upto "
        "join typed_rows on upto.key = typed_rows.key and typed_rows.cut <= upto.cut"
    )
    assert differences(found, NAMES, ["key", "cut"], "prefixes") == []
