"""Plans of generated texts, put together again over Spark's own windows, give what the texts give.

That takes a tenth of the time of a model of each, and finds what the planner gets wrong; what
becomes of a plan in refreshes is for the models of `test_generated_texts.py`.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from tests.harness import local_frame
from tests.plain_sql.generated.grammar import draw_text
from tests.plain_sql.generated.outcomes import (
    End,
    compared_again,
    in_other_orders,
    is_of_spark,
)
from tests.plain_sql.generated.rows import (
    CODES,
    CODES_ROWS,
    COLUMNS,
    PEOPLE,
    PEOPLE_ROWS,
    event_rows,
)
from tests.plain_sql.generated.text import TABLES, Text
from tests.plain_sql.reassembly import compared
from tests.plain_sql.results import without_signs

SWEEP = int(os.environ.get("EVENT_WINDOWS_TEXTS", "3000"))
SEED = int(os.environ.get("EVENT_WINDOWS_TEXTS_SEED", os.environ["EVENT_WINDOWS_SEED"]))
KEPT_AT_LEAST = 0.6
BATCH = 40
VIEWS = {table: f"drawn_{table}" for table in TABLES}


@pytest.fixture(scope="module")
def session(spark: SparkSession) -> Iterator[SparkSession]:
    local_frame(spark, PEOPLE_ROWS, PEOPLE).createOrReplaceTempView(VIEWS["people"])
    local_frame(spark, event_rows(SEED), COLUMNS).createOrReplaceTempView(VIEWS["events"])
    local_frame(spark, CODES_ROWS, CODES).createOrReplaceTempView(VIEWS["codes"])
    yield spark
    for view in VIEWS.values():
        spark.catalog.dropTempView(view)


def test_plans_of_generated_texts_give_what_spark_gives(session: SparkSession) -> None:
    _sweep(session, seed=SEED + 40_000, texts=BATCH)


@pytest.mark.slow
def test_plans_of_many_generated_texts_give_what_spark_gives(session: SparkSession) -> None:
    _sweep(session, seed=SEED + 50_000, texts=SWEEP)


def _sweep(session: SparkSession, seed: int, texts: int) -> None:
    """So many texts that Spark takes, in batches with rows and a seed of their own."""
    ends: Counter[End] = Counter()
    faults: list[str] = []
    while ends.total() < texts:
        draw, rows = random.Random(seed), event_rows(seed)
        for text in _taken(session, draw, min(BATCH, texts - ends.total())):
            local_frame(session, rows, COLUMNS).createOrReplaceTempView(VIEWS["events"])
            end, why = _judged(session, text, rows)
            ends[end] += 1
            if end.is_fault:
                faults.append(f"seed {seed}: {text.over({})}\n{why}")
        print(f"seed {seed}: {', '.join(f'{end.value} {ends[end]}' for end in End)}")
        seed += 1
    assert not faults, "\n\n".join(faults[:5])
    assert ends[End.UNDETERMINED] <= 0.02 * texts + 1
    assert ends[End.SPARK_FAILS] <= 0.05 * texts + 1
    assert ends[End.EQUAL] >= KEPT_AT_LEAST * texts, ends


def _judged(session: SparkSession, text: Text, rows: list[Any]) -> tuple[End, str]:
    result = compared(session, text.over(VIEWS), {"arrival_order": "seq"})
    if result.is_refused:
        is_own_fault = any("please tell us" in one["mend"] for one in result.plan["problems"])
        return End.RAW_ERROR if is_own_fault else End.REFUSED, str(result.plan)
    if result.expected is None or result.actual is None:
        # Spark has analysed the text, and fails while it runs
        failure = str(result.refused_by_spark)
        return End.SPARK_FAILS if is_of_spark(failure) else End.SPARK_REFUSES, failure
    if result.actual == result.expected:
        return End.EQUAL, ""
    answers = [without_signs(one) for one in in_other_orders(session, text, rows, VIEWS)]
    end = compared_again(result.actual, [result.expected, *answers])
    alone = result.expected.without(result.actual), result.actual.without(result.expected)
    return end, f"Spark {alone[0]}\nours  {alone[1]}"


def _taken(session: SparkSession, draw: random.Random, count: int) -> Iterator[Text]:
    """The next texts that Spark takes."""
    while count:
        text = draw_text(draw)
        try:
            session.sql(text.over(VIEWS))
        except PySparkException:
            continue
        count -= 1
        yield text
