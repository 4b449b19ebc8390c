"""Registers the functions, once per Spark session."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING
from weakref import WeakSet

from dbt_event_windows.errors import UnsupportedPySparkError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_lock = Lock()
_registered: WeakSet[SparkSession] = WeakSet()


def register_functions(spark: SparkSession) -> None:
    """Register every function of the registry in `spark`, unless that was done before.

    dbt opens one connection per thread on one shared session, hence the lock.

    Raises:
        UnsupportedPySparkError: the installed pyspark has no Arrow aggregate functions.
    """
    with _lock:
        if spark in _registered:
            return
        _check_pyspark()
        from dbt_event_windows.registry import FUNCTIONS

        for function in FUNCTIONS:
            spark.udf.register(function.name, function.make())
        _registered.add(spark)


def _check_pyspark() -> None:
    import pyspark
    from pyspark.sql import functions

    if not hasattr(functions, "arrow_udf"):
        raise UnsupportedPySparkError(
            "event_windows needs pyspark 4.1 or later for its functions, "
            f"but {pyspark.__version__} is installed. Mend it with: pip install 'pyspark>=4.1'"
        )
