"""Whether two ways gave the same answer."""

from __future__ import annotations

from pyspark.sql import SparkSession


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
