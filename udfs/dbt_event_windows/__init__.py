"""Python functions behind the dbt package `event_windows`.

dbt-core imports every top-level module named `dbt_*` at each start, and Spark's Python workers
import this package for each function, so nothing is imported here until it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["__version__", "plugins", "register"]


def register(spark: SparkSession) -> None:
    """Register the package's functions in a Spark session; again in the same session does nothing.

    A plain `dbt run` with dbt-spark's `session` method does this by itself.

    Raises:
        UnsupportedPySparkError: the installed pyspark has no Arrow aggregate functions.
    """
    from dbt_event_windows.registration import register_functions

    register_functions(spark)


def __getattr__(name: str) -> Any:
    if name == "plugins":
        from dbt_event_windows.dbt_plugin import EventWindowsPlugin

        return [EventWindowsPlugin]
    if name == "__version__":
        from importlib.metadata import version

        return version("dbt-event-windows")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
