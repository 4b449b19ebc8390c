"""Durations in text, as Spark reads them."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from dbt_event_windows.plain_sql.durations import Duration, read_duration, write_duration

SECOND, MINUTE, HOUR = 1_000_000, 60_000_000, 3_600_000_000

READ = {
    "30 minutes": Duration(0, 0, 30 * MINUTE),
    " INTERVAL 1 hour  30 Minutes ": Duration(0, 0, 90 * MINUTE),
    "1 week 1 day": Duration(0, 8, 0),
    "1 day 2 hours": Duration(0, 1, 2 * HOUR),
    "-10 minutes": Duration(0, 0, -10 * MINUTE),
    "+1 hour -1 minute": Duration(0, 0, HOUR - MINUTE),
    "1.5 seconds": Duration(0, 0, 1_500_000),
    "0.000001 seconds": Duration(0, 0, 1),
    "1 millisecond 1 microsecond": Duration(0, 0, 1_001),
    "1 year 2 months": Duration(14, 0, 0),
    "1 hours 1 hours": Duration(0, 0, 2 * HOUR),
}
NOT_READ = ["", "interval", "30", "30 min", "1h", "1hour", "1.5 hours", "1 hour, 2 minutes", "P1D"]


@pytest.mark.parametrize(("text", "duration"), READ.items())
def test_read(text: str, duration: Duration) -> None:
    assert read_duration(text) == duration


@pytest.mark.parametrize("text", NOT_READ)
def test_not_read(text: str) -> None:
    assert read_duration(text) is None


def test_spark_reads_the_same(spark: SparkSession) -> None:
    """What is read here Spark reads as the same; what is not, it does not read either."""
    for text, one in READ.items():
        field = f"extract({{}} from cast('{text}' as interval))"
        units = ("year", "month", "day", "hour", "minute", "second")
        row = spark.sql("select " + ", ".join(map(field.format, units))).first()
        assert row is not None
        year, month, day, hour, minute, second = row
        assert (year * 12 + month, day) == (one.months, one.days)
        assert hour * HOUR + minute * MINUTE + int(second * SECOND) == one.micros
    for text in NOT_READ:
        assert spark.sql(f"select cast('{text}' as interval) is null").collect()[0][0]


@pytest.mark.parametrize(
    ("micros", "text"),
    [
        (24 * HOUR, "1 day"),
        (90 * MINUTE, "90 minutes"),
        (-10 * MINUTE, "-10 minutes"),
        (SECOND, "1 second"),
        (-1, "-1 microsecond"),
        (0, "0 days"),
    ],
)
def test_written_in_one_unit(micros: int, text: str) -> None:
    assert write_duration(micros) == text
    read = read_duration(text)
    assert read is not None
    assert read.total == micros


def test_hours_stay_hours_where_a_day_would_be_one_of_the_calendar() -> None:
    assert write_duration(48 * HOUR, days=False) == "48 hours"
