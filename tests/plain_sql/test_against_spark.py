"""The same rows, names, order and types as Spark gives for the very text."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from hypothesis import HealthCheck, given, settings
from pyspark.sql import SparkSession

from tests.harness import sampled
from tests.plain_sql.generated import texts
from tests.plain_sql.kept_texts import KEPT
from tests.plain_sql.reassembly import Compared, compared

InZone = Callable[[str], AbstractContextManager[SparkSession]]


@pytest.mark.parametrize("zone", sampled(["UTC", "America/New_York"], ["America/New_York"]))
@pytest.mark.parametrize("text", KEPT)
def test_kept_exactly(in_zone: InZone, text: str, zone: str) -> None:
    with in_zone(zone) as spark:
        result = compared(spark, text, {"arrival_order": "seq"})
    assert not result.is_refused, result.plan
    assert result.refused_by_spark is None
    assert result.actual == result.expected


def _kept_or_refused(spark: SparkSession, text: str) -> Compared:
    settings = {"arrival_order": "seq", "partition": "device" if "union" in text else None}
    result = compared(spark, text, settings)
    assert result.actual == result.expected, text
    return result


def _fuzzed(in_zone: InZone, examples: int) -> None:
    kept = [0]

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(texts())
    def check(text: str) -> None:
        with in_zone("America/New_York" if len(text) % 2 else "UTC") as spark:
            kept[0] += _kept_or_refused(spark, text).actual is not None

    check()
    assert kept[0] > examples / 4, "most generated texts are refused, which tests little"


def test_generated_texts_are_kept_exactly_or_refused(in_zone: InZone) -> None:
    _fuzzed(in_zone, 25)


@pytest.mark.slow
def test_many_generated_texts_are_kept_exactly_or_refused(in_zone: InZone) -> None:
    _fuzzed(in_zone, 4000)
