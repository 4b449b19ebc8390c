"""Python functions behind the dbt package `event_windows`.

dbt-core imports every top-level module named `dbt_*` at each start, and Spark's Python workers
import this package for each function, so nothing is imported here until it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

    from dbt_event_windows.declaration import Aggregator, aggregator

__all__ = ["Aggregator", "__version__", "aggregator", "plugins", "register"]


def register(spark: SparkSession, udfs: str | Path | None = None) -> None:
    """Register the package's functions in a Spark session; again in the same session does nothing.

    A plain `dbt run` with dbt-spark's `session` method does this by itself, with the folder `udfs`
    of the project that it runs.

    Args:
        spark: the session.
        udfs: a folder with Python files that declare aggregates of one's own (`@aggregator`).
            They take the place of those that another folder gave this session.

    Raises:
        UnsupportedPySparkError: the installed pyspark has no Arrow aggregate functions.
        AggregatorError: an aggregate in `udfs` cannot be used.
    """
    from dbt_event_windows.registration import register_functions

    register_functions(spark, udfs)


def __getattr__(name: str) -> Any:
    if name in ("Aggregator", "aggregator"):
        from dbt_event_windows import declaration

        return getattr(declaration, name)
    if name == "plugins":
        from dbt_event_windows.dbt_plugin import EventWindowsPlugin

        return [EventWindowsPlugin]
    if name == "__version__":
        from importlib.metadata import version

        return version("dbt-event-windows")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
