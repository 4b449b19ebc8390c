"""The planner with Spark at hand, which answers what it asks, as the macros let it."""

from __future__ import annotations

import json
from typing import Any

from pyspark.sql import SparkSession

from dbt_event_windows.plain_sql import plan
from dbt_event_windows.plain_sql.questions import PYTHON_AGGREGATES

Plan = dict[str, Any]


def planned(text: str, **settings: Any) -> Plan:
    """The plan, or the problems. Questions are put to the session of this thread."""
    answers: dict[str, list[list[str]]] = {}
    while True:
        made = dict(json.loads(plan(text, {**settings, "answers": answers})))
        if "questions" not in made:
            return made
        for query in made["questions"]:
            assert query not in answers, "this was answered"
            answers[query] = _columns(query)


def _columns(query: str) -> list[list[str]]:
    spark = SparkSession.getActiveSession()
    assert spark is not None, "the test needs a session: take the fixture `rows`"
    if query == PYTHON_AGGREGATES:
        return []
    rows = spark.sql(f"describe query {query}").collect()
    return [[row.col_name, row.data_type] for row in rows]


def planned_alone(text: str, **settings: Any) -> Plan:
    """The plan as it is without Spark, where names mean what they likely do."""
    return dict(json.loads(plan(text, settings)))
