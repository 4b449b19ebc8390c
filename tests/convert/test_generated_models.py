"""What a generated model is converted to gives the rows of the model, both run on Spark."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from dbt_event_windows.convert import NotUnderstoodError, convert
from tests.convert.generated import TABLE, draw_model
from tests.harness import local_frame
from tests.plain_sql.results import run

SEED = int(os.environ["EVENT_WINDOWS_SEED"])
# Minutes between rows: limits of the gaps that are drawn, and what is beside them.
_STEPS = (0.5, 1, 5, 10, 10.5, 20, 21, 30, 31, 59, 60, 61, 700)


@pytest.fixture(scope="module")
def events(spark: SparkSession) -> Iterator[SparkSession]:
    draw = random.Random(5)
    at, rows = datetime(2024, 3, 9, 20, tzinfo=UTC), []
    for _ in range(80):
        at += timedelta(minutes=draw.choice(_STEPS))
        rows.append(
            (
                draw.choice(["a", "A", "b", None]), at, draw.choice([None, 0, 1, 2, 3, 5]),
                draw.choice([None, 0, 1, 2]), draw.choice([True, False, None]),
                draw.choice(["/A", "/a", "A", "a", None]),
                (draw.choice(["Rom", "rom", None]), draw.choice([1, 2, None])),
                {"A": draw.choice(["1", "2"]), "a": draw.choice(["1", "x"])},
            )
        )  # fmt: skip
    local_frame(spark, rows, TABLE).createOrReplaceTempView("events")
    yield spark
    spark.catalog.dropTempView("events")


def test_generated_models_give_the_same_rows(events: SparkSession) -> None:
    _compare(events, SEED, count=14)


@pytest.mark.slow
def test_many_generated_models_give_the_same_rows(events: SparkSession) -> None:
    assert _compare(events, SEED + 1, count=400) > 0.7


def _compare(spark: SparkSession, seed: int, count: int) -> float:
    """So many models beside what they are converted to; the part of them that is."""
    draw = random.Random(seed)
    converted = tried = 0
    while tried < count:
        model = draw_model(draw)
        try:
            expected = run(spark, model)
        except PySparkException:
            continue  # types that do not go together
        tried += 1
        try:
            sql = convert(model, "spark").sql
        except NotUnderstoodError:
            continue
        # Spark has no calendar_window: a day of UTC is one of its windows
        found = run(
            spark,
            sql.replace("calendar_window(at, 'day')", "window(at, '1 day')").replace(
                "calendar_window", "window"
            ),
        )
        assert found == expected, f"seed {seed}\n{model}\n\n{sql}"
        converted += 1
    print(f"seed {seed}: {converted} of {count} models are converted")
    return converted / count
