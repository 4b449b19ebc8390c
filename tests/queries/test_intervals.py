"""How far one time is from another, in any session zone: microseconds, not wall clocks."""

from __future__ import annotations

from datetime import timedelta

import pytest
from pyspark.sql import SparkSession

from tests.macros.rendering import Macros

DAY = 86_400_000_000


@pytest.mark.parametrize("zone", ["UTC", "America/St_Johns", "Europe/London", "Africa/Monrovia"])
def test_an_interval_is_as_long_as_its_microseconds(spark: SparkSession, zone: str) -> None:
    """St John's puts its clocks forward in April 1970, London back in 1971, Monrovia in 1972."""
    lengths = [0, 1, -1, 200 * DAY, 1000 * DAY, 19_830 * DAY + 5_220_000_001]
    values = ", ".join(f"({length}L)" for length in lengths)
    before = spark.conf.get("spark.sql.session.timeZone")
    spark.conf.set("spark.sql.session.timeZone", zone)
    try:
        sql = f"select {Macros()._interval('x')} as found from values {values} as t(x)"
        found = [row.found for row in spark.sql(sql).collect()]
    finally:
        spark.conf.set("spark.sql.session.timeZone", before)
    assert found == [timedelta(microseconds=length) for length in lengths]
