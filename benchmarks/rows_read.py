"""How many rows Spark read from tables, from the metrics of its stages.

Public Python has no way to them, so this asks the status store of the JVM, for benchmarks alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyspark.sql import SparkSession


def rows_read(spark: SparkSession, action: Callable[[], object]) -> int:
    """Do `action` and return the rows that its stages read, over all jobs of the session."""
    earlier = {number for number, _ in _stages(spark)}
    action()
    return sum(rows for number, rows in _stages(spark) if number not in earlier)


def _stages(spark: SparkSession) -> list[tuple[int, int]]:
    """Number and rows read of each stage that the session remembers."""
    context: Any = spark.sparkContext._jsc.sc()
    context.listenerBus().waitUntilEmpty()
    gateway: Any = spark.sparkContext._gateway
    nothing = gateway.jvm.java.util.ArrayList()
    stages = context.statusStore().stageList(
        nothing, False, False, gateway.new_array(gateway.jvm.double, 0), nothing
    )
    return [
        (stages.apply(place).stageId(), stages.apply(place).inputRecords())
        for place in range(stages.size())
    ]
