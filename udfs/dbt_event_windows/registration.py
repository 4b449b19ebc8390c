"""Registers the functions, once per Spark session."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from dbt_event_windows.errors import UnsupportedPySparkError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_lock = Lock()
_registered: WeakSet[SparkSession] = WeakSet()


def register_functions(spark: SparkSession, udfs: str | Path | None = None) -> None:
    """Register every function of the registry in `spark`, unless that was done before.

    `udfs` is a folder with a user's own aggregates, which are registered too, again when its
    files have changed. dbt opens one connection per thread on one shared session, hence the lock.

    Raises:
        UnsupportedPySparkError: the installed pyspark has no Arrow aggregate functions.
        AggregatorError: an aggregate in `udfs` cannot be used.
    """
    with _lock:
        if spark not in _registered:
            _check_pyspark()
            by_value = not _is_local(spark)
            if by_value:
                _send_by_value()
            else:
                _run_in_this_python(spark)
            from dbt_event_windows.registry import FUNCTIONS
            from dbt_event_windows.spark_archives import leaving_archives_alone

            for function in FUNCTIONS:
                make = (by_value and function.make_by_value) or function.make
                spark.udf.register(function.name, leaving_archives_alone(make()))
            _registered.add(spark)
        if udfs is not None:
            from dbt_event_windows.user_aggregates import register_folder

            register_folder(spark, Path(udfs).resolve())


def _is_local(spark: SparkSession) -> bool:
    """Whether the functions run where this very Python is: in Spark's local mode."""
    try:
        return str(spark.sparkContext.master).startswith("local")
    except Exception:  # a client of Spark Connect has no context of its own
        return False


def _run_in_this_python(spark: SparkSession) -> None:
    """Where nobody says which one, pyspark takes the first `python3` of the PATH for its workers.

    That is another one where dbt was started by its path and not from an activated environment.
    """
    if "PYSPARK_PYTHON" not in os.environ:
        spark.sparkContext.pythonExec = sys.executable


def _send_by_value() -> None:
    """Let functions travel with the code of this package.

    Servers and executors then need numpy, pyarrow and, for plain SQL, sqlglot, but not the package.
    By name, as in local mode, a call is cheaper: workers import the package once.
    """
    from pyspark import cloudpickle

    register: Any = cloudpickle.register_pickle_by_value
    register(sys.modules["dbt_event_windows"])


def _check_pyspark() -> None:
    import pyspark
    from pyspark.sql import functions

    if not hasattr(functions, "arrow_udf"):
        raise UnsupportedPySparkError(
            "event_windows needs pyspark 4.1 or later for its functions, "
            f"but {pyspark.__version__} is installed. Mend it with: pip install 'pyspark>=4.1'"
        )
