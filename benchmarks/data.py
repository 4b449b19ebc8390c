"""Generated rows: the same on every machine, since they are hashes of the row's number.

Times are microseconds after START. Row n is the n-th to arrive.
"""

from __future__ import annotations

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import expr

START = 1_735_689_600_000_000  # 2025-01-01 UTC
# Clicks: 10 million rows in 30 days, 230 sessions open at a time, so that each has a row about
# every minute; 20 rows a session, 50 rows a user.
STEP = 259_200
OPEN_SESSIONS = 230
ROWS_A_SESSION = 20
ROWS_A_USER = 50
# Late clicks come so many days late: of a build one in ten of those of one user in a hundred, of
# what a refresh reads two in a thousand, of any user.
DAYS_LATE = 100


def clicks(spark: SparkSession, first: int, until: int, users: int) -> DataFrame:
    """Clicks with the arrival numbers [first, until): up to 30 seconds out of order, none late.

    Each has a microsecond of its own (within 3 days of arrivals), so that no order is arbitrary.
    """
    session = (
        f"((id div {OPEN_SESSIONS} + pmod(xxhash64(id % {OPEN_SESSIONS}), {ROWS_A_SESSION})) "
        f"div {ROWS_A_SESSION}) * {OPEN_SESSIONS} + id % {OPEN_SESSIONS}"
    )
    seconds = f"(id * {STEP} - pmod(xxhash64(id, 1), 30000000)) div 1000000"
    return _numbers(spark, first, until).selectExpr(
        f"pmod(xxhash64({session}), {users}) as user_id",
        f"timestamp_micros({START} + {seconds} * 1000000 + id % 1000000) as event_time",
        "id as arrival_seq",
        "pmod(xxhash64(id, 2), 10000) as amount",
        "concat('https://example.org/page/', pmod(xxhash64(id, 3), 5000)) as url",
    )


def clicks_some_late(spark: SparkSession, rows: int) -> DataFrame:
    """Clicks of which 0.1 % come days late, in 1 % of the users."""
    late = "pmod(xxhash64(user_id), 100) = 0 and pmod(xxhash64(arrival_seq, 4), 10) = 0"
    return _late(clicks(spark, 0, rows, users_of(rows)), late)


def two_in_a_thousand_late(rows: DataFrame) -> DataFrame:
    """The given clicks, of which two in a thousand come days late."""
    return _late(rows, "pmod(xxhash64(arrival_seq, 4), 500) = 0")


def _late(rows: DataFrame, late: str) -> DataFrame:
    moved = f"event_time - interval '{DAYS_LATE}' day"
    return rows.withColumn("event_time", expr(f"if({late}, {moved}, event_time)"))


def users_of(rows: int) -> int:
    """How many users so many clicks have."""
    return rows // ROWS_A_USER


def readings(spark: SparkSession, rows: int, seconds: int) -> DataFrame:
    """Readings of sensors with 20,000 rows each, one every so many seconds, at distinct times."""
    sensors = max(1, rows // 20_000)
    milliseconds = f"(id div {sensors}) * {1000 * seconds} + pmod(xxhash64(id, 5), 1000)"
    return _numbers(spark, 0, rows).selectExpr(
        f"id % {sensors} as sensor",
        f"timestamp_micros({START} + ({milliseconds}) * 1000) as event_time",
        "pmod(xxhash64(id, 6), 10000) as value",
    )


def _numbers(spark: SparkSession, first: int, until: int) -> DataFrame:
    """Row numbers as `id`, in files of half a million rows at most where there are many."""
    return spark.range(first, until, 1, max(2, (until - first) // 500_000))
