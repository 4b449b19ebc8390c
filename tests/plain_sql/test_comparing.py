"""What the judge of generated texts takes for a difference."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from pyspark.sql import SparkSession

from tests.plain_sql.generated.outcomes import End, compared_again, in_other_orders
from tests.plain_sql.generated.rows import event_rows
from tests.plain_sql.generated.text import Item, Text
from tests.plain_sql.results import Result, comparable

COMPARED: list[tuple[Any, Any, End]] = [
    (4003199668773781.5, 4003199668773783.0, End.UNDETERMINED),
    (4003199668773781.5, 4003199668773781.5, End.EQUAL),
    (1.0, 1.000000001, End.DIFFERENT),
    (0.0, -0.0, End.DIFFERENT),
    ("0.10000000000000001", "0.10000000000000002", End.DIFFERENT),
    (Decimal("40031996687737.815"), Decimal("40031996687737.816"), End.DIFFERENT),
    ([1.5, "a 0.10000000000000001"], [1.5, "a 0.10000000000000002"], End.DIFFERENT),
    (9007199254740993, 9007199254740992, End.DIFFERENT),
]


def _result(value: Any) -> Result:
    return Result((("x", "double"),), (repr(comparable([value, 1])),))


@pytest.mark.parametrize(("ours", "sparks", "end"), COMPARED)
def test_compared(ours: Any, sparks: Any, end: End) -> None:
    answers = [_result(sparks)] * 7
    assert compared_again(_result(ours), answers) == end


def test_spark_is_asked_in_other_orders(spark: SparkSession) -> None:
    """Which of two equal zeros is the greatest is that of the first row, in whichever order."""
    rows = [
        (*row[:12], zero, *row[13:])
        for row, zero in zip(event_rows(1, 2), (-0.0, 0.0), strict=True)
    ]
    text = Text("{events}", (Item("max(score) as x"),))
    names = {"events": "in_some_order"}
    answers = {answer.rows for answer in in_other_orders(spark, text, rows, names)}
    assert answers == {("[-0.0]",), ("[0.0]",)}
