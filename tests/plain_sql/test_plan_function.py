"""The planner is a function in SQL."""

from __future__ import annotations

import json

from pyspark.sql import SparkSession

import dbt_event_windows
from dbt_event_windows.plan_function import event_windows_plan
from tests.plain_sql.answering import planned_alone

TEXT = "\nselect count(*) as n\nfrom views group by window(at, '1 hour')"


def test_sql_can_ask_for_a_plan(spark: SparkSession) -> None:
    dbt_event_windows.register(spark)
    settings = json.dumps({"arrival_order": "seq", "grace": "1 day"})
    text = TEXT.replace("'", "\\'")
    (row,) = spark.sql(f"select event_windows_plan('{text}', '{settings}') as plan").collect()
    assert json.loads(row.plan) == planned_alone(TEXT, arrival_order="seq")


def test_null_settings_are_none_and_a_null_text_has_no_plan() -> None:
    assert json.loads(str(event_windows_plan(TEXT, None))) == planned_alone(TEXT)
    assert event_windows_plan(None, "{}") is None


def test_lines_count_from_the_start_of_the_text() -> None:
    plan = json.loads(str(event_windows_plan(TEXT + "\norder by n", None)))
    assert [problem["line"] for problem in plan["problems"]] == [4]
