"""Plans of aggregates as SQL: parts over rows, merged, and values."""

from __future__ import annotations

from typing import Any

from pyspark.sql import SparkSession

from tests.macros.rendering import Macros

Plan = list[dict[str, Any]]


def planned(spark: SparkSession, aggregates: dict[str, str], relation: str) -> Plan:
    """The plan of a model's aggregates, with the types that Spark gives to parts and values."""

    macros = Macros(run_query=lambda sql: [row.asDict() for row in spark.sql(sql).collect()])
    problems: list[str] = []
    plan: Plan = macros._plan_aggregates(aggregates, "event_time", ["arrival_seq"], problems)
    assert problems == []
    columns = {"event_time": "event_time", "arrival": "arrival_seq", "partition": None}
    macros._describe_aggregates({"aggregates": plan, "relation": relation, "window": {}} | columns)
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
