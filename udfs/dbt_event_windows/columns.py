"""Turns columns of numpy into what a grouped function returns, without a Python object per row.

A grouped function returns one value. For many rows that value is an array of batches, each a
struct with one array per column: pyarrow copies a numpy array of integers as it is, while a list of
dicts, an array of structs in SQL, costs it half a microsecond per row. In batches, because SQL
makes the rows of one struct all at once. In SQL:

    select inline(arrays_zip(a, b)) from (select inline(f(...)) from items group by ...)

A column of a batch can be a list of columns, where the caller says how many: arrays_zip(a, b[0]).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from pyspark.sql.types import ArrayType, DataType

ROWS = 1 << 16

Column = npt.NDArray[Any]
Batch = dict[str, Column | list[Column]]


def batches(columns: Batch) -> list[Batch]:
    """Columns of the first one's length, in batches of `ROWS` rows; no batch for no row."""
    length = len(next(iter(columns.values())))
    return [
        {name: _rows_from(start, column) for name, column in columns.items()}
        for start in range(0, length, ROWS)
    ]


def _rows_from(start: int, column: Column | list[Column]) -> Column | list[Column]:
    if isinstance(column, list):
        return [one[start : start + ROWS] for one in column]
    return column[start : start + ROWS]


def nulls(length: int) -> npt.NDArray[Any]:
    """A column of nothing but null.

    A column is best all null or not at all: with some nulls among its integers it would have to
    be one of Python objects.
    """
    return np.full(length, None, dtype=object)


def batches_type(columns: Mapping[str, DataType]) -> ArrayType:
    """The SQL type of `batches`, from that of each column."""
    from pyspark.sql.types import ArrayType, StructField, StructType

    fields = [StructField(name, ArrayType(type_)) for name, type_ in columns.items()]
    return ArrayType(StructType(fields))
