"""The planner of plain SQL as a function in SQL, so that dbt reaches it over every connection."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

NAME = "event_windows_plan"
Plan = Callable[[str, dict[str, Any]], str]


def event_windows_plan(
    text: str | None, settings_json: str | None, plan: Plan | None = None
) -> str | None:
    """The plan for the text of a model, as JSON; see `dbt_event_windows.plain_sql.plan`.

    With `rollup` in the settings that of `dbt_event_windows.rollup.plan`. `settings_json` is a JSON
    object, or null for no settings. A null text has no plan.
    """
    if text is None:
        return None
    return (plan or _planner())(text, json.loads(settings_json or "{}"))


def _planner() -> Plan:
    # Spark's workers import this module for each call, and the registry at each registration.
    from dbt_event_windows.plain_sql import plan as windows
    from dbt_event_windows.rollup import plan as rollup

    def plan(text: str, settings: dict[str, Any]) -> str:
        return (rollup if settings.get("rollup") is not None else windows)(text, settings)

    return plan


def make_udf() -> Any:
    """The function as one that `spark.udf.register` takes: (string, string) -> string."""
    return _udf(None)


def make_udf_by_value() -> Any:
    """The same for workers without this package: what it calls is there to be sent with it."""
    return _udf(_planner())


def _udf(plan: Plan | None) -> Any:
    from pyspark.sql.functions import udf
    from pyspark.sql.types import StringType

    # without type hints: pyspark warns of those that it does not know
    def call(text, settings_json):  # type: ignore[no-untyped-def]
        return event_windows_plan(text, settings_json, plan)

    call.__name__ = NAME
    return udf(call, StringType())
