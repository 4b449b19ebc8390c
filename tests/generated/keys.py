"""Key columns of every type, with the values that are told apart badly, if any are."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from pyspark.sql import Row

# The type of each column, and its values: those in one list are one key.
COLUMNS: dict[str, tuple[str, list[list[Any]]]] = {
    "k_bigint": ("bigint", [[0], [-1], [2**62]]),
    "k_string": ("string", [["a"], ["A"], [""]]),
    "k_decimal": ("decimal(38, 2)", [[Decimal("0.10")], [Decimal("-7.00")], [Decimal(10**35)]]),
    "k_date": ("date", [[date(1969, 12, 31)], [date(1970, 1, 1)], [date(2024, 2, 29)]]),
    "k_timestamp": (
        "timestamp",
        [[datetime(2024, 3, 31, 1, tzinfo=UTC).replace(microsecond=step)] for step in range(3)],
    ),
    "k_boolean": ("boolean", [[True], [False]]),
    "k_struct": (
        "struct<a: int, b: string>",
        [[{"a": None, "b": "x"}], [{"a": 1, "b": None}], [{"a": None, "b": None}]],
    ),
    "k_array": ("array<string>", [[[]], [[None]], [["a", None]]]),
    "k_binary": ("binary", [[b""], [b"\0"], [b"ab"]]),
    "k_double": ("double", [[0.0, -0.0], [math.nan], [1.5]]),
}


def value(column: str, symbol: int, variant: int) -> Any:
    """The value that stands for a symbol, in one of the ways to write it."""
    values = COLUMNS[column][1]
    alike = values[symbol % len(values)]
    return alike[variant % len(alike)]


def identity(found: Any) -> Any:
    """What two values have in common that are one key, as something that can be compared."""
    if isinstance(found, float):
        return "nan" if math.isnan(found) else found + 0.0
    if isinstance(found, dict):
        return tuple(identity(part) for part in found.values())
    if isinstance(found, Row | list | tuple):
        return tuple(identity(part) for part in found)
    if isinstance(found, bytearray):
        return bytes(found)
    if isinstance(found, datetime) and found.tzinfo:
        return found.astimezone(UTC).replace(tzinfo=None)
    return found
