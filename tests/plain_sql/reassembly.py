"""A plan put together again as one query, as the macros and the view over the windows do it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from dbt_event_windows.plain_sql.columns import ALL_ROWS
from dbt_event_windows.plain_sql.naming import quoted
from tests.plain_sql.answering import Plan, planned
from tests.plain_sql.results import Result, run, without_signs


def windows_table(plan: Plan) -> str:
    """What the windows table holds: Spark's own windows, in the bounds of the package."""
    window, time = plan["window"], quoted(plan["event_time"])
    # beside a constant key Spark fails over session windows with a count of distinct values
    keys = [quoted(name) for name in plan["key"] if name != ALL_ROWS]
    aggregates = [f"{call['text']} as {quoted(name)}" for name, call in plan["aggregates"].items()]
    if window["type"] == "session":
        gap = window["gap_by"] if "gap_by" in window else f"'{window['gap']}'"
        call = f"session_window({time}, {gap})"
        bounds = ["session_window.start as window_start", f"max({time}) as window_end"]
        if "gap_by" in window:
            bounds.append(f"max({time} + {gap}) as _ew_until_time")
    else:
        slide = window.get("advance_by", window["size"])
        start = window.get("offset", "0 seconds")
        call = f"window({time}, '{window['size']}', '{slide}', '{start}')"
        bounds = ["window.start as window_start", "window.end as window_end"]
    return (
        f"select {', '.join([*keys, *bounds, *aggregates])}\nfrom {plan['relation']}\n"
        f"group by {', '.join([*keys, call])}"
    )


def reassembled(plan: Plan) -> str:
    columns = ", ".join(f"{one['sql']} as {quoted(one['name'])}" for one in plan["columns"])
    where = f"\nwhere {plan['having']}" if plan["having"] is not None else ""
    return f"select {columns}\nfrom (\n{windows_table(plan)}\n){where}"


@dataclass(frozen=True)
class Compared:
    """What became of a text: refused by Spark, refused here, or the two results."""

    plan: Plan
    expected: Result | None = None
    actual: Result | None = None
    refused_by_spark: str | None = None

    @property
    def is_refused(self) -> bool:
        return "problems" in self.plan


def compared(spark: SparkSession, text: str, settings: Mapping[str, Any]) -> Compared:
    """Plan a text and run both. The macros ask Spark for the plan's `check` before they use it."""
    try:
        plan = planned(text, **settings)
    except PySparkException as error:
        return Compared({}, refused_by_spark=str(error))
    if "problems" in plan:
        return Compared(plan)
    try:
        described = spark.sql(plan["check"]).schema
        expected = without_signs(run(spark, text))
    except (PySparkException, Py4JJavaError) as error:
        # also where a faulty plan of Spark's own fails while it runs
        return Compared(plan, refused_by_spark=str(error))
    # of -0.0 and 0.0 min and max take whichever comes first
    actual = without_signs(run(spark, reassembled(plan)))
    assert [field.name for field in described.fields] == [one["name"] for one in plan["columns"]]
    return Compared(plan, expected, actual)
