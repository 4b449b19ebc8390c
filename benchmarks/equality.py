"""Whether two ways gave the same answer."""

from __future__ import annotations

from pyspark.sql import DataFrame, SparkSession


class AnswersDifferError(Exception):
    """Two ways that compute the same thing gave different rows."""


def check_equal(spark: SparkSession, ours: str, theirs: str) -> int:
    """Compare two SELECTs as bags of rows; returns how many rows each has.

    Raises:
        AnswersDifferError: some row is in one and not (as often) in the other.
    """
    left, right = spark.sql(ours), spark.sql(theirs)
    texts = []
    for title, more, less in (("ours", left, right), ("the peer's", right, left)):
        extra = more.exceptAll(less)
        count = extra.count()
        if count:
            texts.append(f"{count:,} rows only in {title}, such as {extra.first()}")
    if texts:
        raise AnswersDifferError(f"the answers differ: {'; '.join(texts)}")
    rows = left.count()
    if rows == 0:
        raise AnswersDifferError("both answers are empty")
    return rows


def check_counted(sessions: DataFrame, rows: int, dropped: DataFrame | None = None) -> None:
    """Ours has every row, where its answer and the peer's are not the same question.

    A row is in a session or, where some may be late, among those that were dropped.

    Raises:
        AnswersDifferError: some are missing, or counted twice.
    """
    counted = sessions.selectExpr("sum(n) as counted").collect()[0].counted
    if dropped is not None:
        late = dropped.count()
        if not late:
            raise AnswersDifferError("none is late, and some should be")
        counted += late
    if counted != rows:
        raise AnswersDifferError(f"ours counts {counted:,} rows of {rows:,}")
