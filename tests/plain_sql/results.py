"""What a query gives, so that two can be compared: columns with their types, and rows."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from pyspark.sql import Row, SparkSession


@dataclass(frozen=True)
class Result:
    """Columns with their types, and all rows in one order."""

    columns: tuple[tuple[str, str], ...]
    rows: tuple[str, ...]

    def without(self, other: Result) -> str:
        """What this has and another has not, in a few lines."""
        columns = f"columns {self.columns} " if self.columns != other.columns else ""
        rows = list((Counter(self.rows) - Counter(other.rows)).elements())
        return f"{columns}{len(self.rows)} rows, {len(rows)} of them alone: {'; '.join(rows[:4])}"


def run(spark: SparkSession, sql: str) -> Result:
    frame = spark.sql(sql)
    columns = tuple((one.name, one.dataType.simpleString()) for one in frame.schema.fields)
    return Result(columns, tuple(sorted(repr(comparable(row)) for row in frame.collect())))


def without_signs(result: Result) -> Result:
    """The same with zeros that have no sign: as text, which is all that is kept of rows."""
    return Result(result.columns, tuple(sorted(row.replace("-0.0", "0.0") for row in result.rows)))


# a float as `repr` writes it, which decimals are not: these stand in quotes
_FLOAT = re.compile(r"(?<!['\w.])-?\d+\.\d+(?:e[+-]?\d+)?(?!['\w.])")


def without_last_digits(result: Result) -> Result:
    """The same with floats of twelve digits: the last ones of a sum are of its order."""
    rows = (_FLOAT.sub(lambda found: f"{float(found[0]):.12g}", row) for row in result.rows)
    return Result(result.columns, tuple(sorted(rows)))


def comparable(value: Any) -> Any:
    if isinstance(value, Row | tuple | list):
        return [comparable(one) for one in value]
    if isinstance(value, dict):
        return sorted((repr(comparable(key)), comparable(one)) for key, one in value.items())
    if isinstance(value, float) and math.isnan(value):
        return "nan"
    if isinstance(value, Decimal):
        return str(value)
    return value
