"""When two values of a window are one for the generic tests: what Spark answers."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest
from pyspark.sql import SparkSession

from tests.macros.rendering import Macros

# of each list no value is another one
DIFFERENT = {
    "double": [
        "null",
        "0.0D",
        "1.0D",
        "1.0D + 1e-6D",
        "1e300D",
        "-1e300D",
        "double('nan')",
        "double('infinity')",
        "double('-infinity')",
    ],
    "float": ["null", "1.0F", "1.001F", "float('nan')", "float('infinity')"],
    "array<double>": [
        "null",
        "array()",
        "array(1.0D)",
        "array(cast(null as double))",
        "array(double('nan'))",
        "array(double('infinity'))",
        "array(1.0D, double('nan'))",
        "array(double('nan'), 1.0D)",
    ],
    "bigint": ["null", "0L", "1L"],
    "map<string,double>": ["null", "map('a', 1.0D)", "map('a', double('nan'))", "map('b', 1.0D)"],
}
ALIKE = {
    "double": [("1.0D", "1.0D + 1e-12D"), ("-0.0D", "0.0D"), ("1e300D", "1e300D * (1 + 1e-12D)")],
    "float": [("1.0F", "1.0000001F")],
    "array<double>": [("array(1.0D, double('nan'))", "array(1.0D + 1e-12D, double('nan'))")],
}


def same(spark: SparkSession, pairs: list[tuple[str, str]], type_: str) -> list[bool]:
    values = ", ".join(f"({one}, {other})" for one, other in pairs)
    condition = Macros()._same_value("one", "other", type_)
    return [
        row[0]
        for row in spark.sql(f"select {condition} from values {values} t(one, other)").collect()
    ]


@pytest.mark.parametrize("type_", DIFFERENT)
def test_different_values_are_not_one(spark: SparkSession, type_: str) -> None:
    pairs = list(combinations_with_replacement(DIFFERENT[type_], 2))
    found = dict(zip(pairs, same(spark, pairs, type_), strict=True))
    assert found == {(one, other): one == other for one, other in pairs}


@pytest.mark.parametrize("type_", ALIKE)
def test_values_within_the_error_of_a_sum_are_one(spark: SparkSession, type_: str) -> None:
    assert all(same(spark, ALIKE[type_], type_))
