"""What was put together from parts, against Spark's own aggregates over the plain rows."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from tests.aggregates.rows import DISTINCT, MERGEABLE
from tests.harness import FILE_FORMAT

Values = dict[tuple[Any, ...], dict[str, Any]]


def of_spark(
    spark: SparkSession, names: dict[str, str], by: list[str], relation: str
) -> tuple[Values, dict[str, str]]:
    """Values by key and name, and types by name, of the calls in `names`."""
    values: Values = {}
    types: dict[str, str] = {}
    # Spark cannot plan distinct aggregates beside ordered ones.
    for distinct in [True, False]:
        calls = [
            f"{MERGEABLE[sql]} as {name}"
            for name, sql in names.items()
            if (sql in DISTINCT) == distinct
        ]
        if not calls:
            continue
        keys = ", ".join(by)
        found = spark.sql(f"select {keys}, {', '.join(calls)} from {relation} group by {keys}")
        types |= dict(found.dtypes)
        for row in found.collect():
            values.setdefault(tuple(row[: len(by)]), {}).update(row.asDict())
    return values, types


def same(one: Any, other: Any) -> bool:
    """Equal; floating numbers up to their last bits."""
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def stored(type: str) -> str:
    """A type as the format has it: Iceberg has no whole numbers below INT."""
    return re.sub(r"\b(tiny|small)int\b", "int", type) if FILE_FORMAT == "iceberg" else type


def differences(
    found: DataFrame,
    names: dict[str, str],
    by: list[str],
    relation: str,
    as_type: Callable[[str], str] = str,
) -> list[str]:
    """Where values or types in `found` are not those of Spark's aggregates over `relation`."""
    expected, types = of_spark(found.sparkSession, names, by, relation)
    rows = [row.asDict() for row in found.collect()]
    got = {tuple(row[column] for column in by): row for row in rows}
    assert len(got) == len(rows)
    assert got.keys() == expected.keys()
    wrong = []
    for name, sql in names.items():
        if dict(found.dtypes)[name] != as_type(types[name]):
            wrong.append(f"{sql} is of type {dict(found.dtypes)[name]}, not {as_type(types[name])}")
        unequal = [key for key in got if not same(got[key][name], expected[key][name])]
        wrong += [
            f"{sql} of {key} is {got[key][name]!r}, not {expected[key][name]!r}"
            for key in unequal[:1]
        ]
    return wrong
