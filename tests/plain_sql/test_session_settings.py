"""Settings of the session with which Spark reads a text in another way.

It is refused then, or means what it means with them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.sql import SparkSession

from tests.plain_sql.answering import planned
from tests.plain_sql.reassembly import compared
from tests.plain_sql.refused_texts import COUNT, SESSION, over

QUOTES = "spark.sql.ansi.doubleQuotedIdentifiers"
ANSI = "spark.sql.ansi.enabled"  # without it the first means nothing
LETTERS = "spark.sql.caseSensitive"
LENGTHS = "spark.sql.preserveCharVarcharTypeInfo"


def test_double_quotes_hold_texts(rows: SparkSession) -> None:
    text = over(f'max("x") as x, {COUNT}', group=f'"user_id", {SESSION}').replace("user_id,", "", 1)
    assert "problems" not in planned(text, arrival_order="seq")
    with _set(rows, QUOTES), _set(rows, ANSI):
        problems = planned(text, arrival_order="seq")["problems"]
    found = [one for one in problems if QUOTES in one["problem"]]
    assert [(one["line"], one["text"]) for one in found] == [(2, '"x"'), (5, '"user_id"')]


def test_columns_that_differ_in_letters(rows: SparkSession) -> None:
    with _set(rows, LETTERS):
        for front in ("", "q."):
            text = over(
                f"sum({front}a) as x, sum({front}A) as y",
                **{"from": "(select *, 1 as a, 2 as A from views) q"},
            )
            problems = planned(text, arrival_order="seq")["problems"]
            assert {one["text"] for one in problems} == {f"{front}a", f"{front}A"}


def test_types_of_text_keep_their_length(rows: SparkSession) -> None:
    text = (
        "select max(cast(url as char(7))) as a, max(url::char(9)) as b, max(cast(url as string)) c,"
        " max(named_struct('a', url)::struct<a: char(8)>) as d, max(named_struct('a', url)::struct"
        "<a: char(9)>) as e, length(cast(url as char(8))) as f, length(cast(url as char(9))) as g, "
        "count_if(cast(url as varchar(9)) = '09:30') as h from views "
        f"group by cast(url as char(8)), cast(url as char(9)), {SESSION}"
    )
    with _set(rows, LENGTHS):
        result = compared(rows, text, {"arrival_order": "seq"})
    assert not result.is_refused, result.plan
    assert result.actual == result.expected


@contextmanager
def _set(spark: SparkSession, setting: str) -> Iterator[None]:
    before = spark.conf.get(setting)
    spark.conf.set(setting, "true")
    try:
        yield
    finally:
        spark.conf.set(setting, before)
