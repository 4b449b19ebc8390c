"""Takes apart what Spark hands to a grouped function: one Arrow array per argument."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from dbt_event_windows.errors import FunctionInputError

Int64s = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Objects = npt.NDArray[np.object_]


def key_codes(k: pa.Array) -> tuple[Int64s, Objects]:
    """The number of each row's key, from zero up, and the keys in the order of their numbers."""
    encoded = k.dictionary_encode()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.combine_chunks()
    numbers = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    return numbers, encoded.dictionary.to_numpy(zero_copy_only=False)


def int64s(column: pa.Array) -> Int64s:
    """The column's values, with zero for null."""
    filled = pc.fill_null(column, 0) if column.null_count else column
    values: Int64s = filled.to_numpy(zero_copy_only=False)
    return values


def number_lists(
    function: str, name: str, column: pa.Array, width: int
) -> list[tuple[npt.NDArray[Any], Bools]]:
    """A column of lists, all of `width` numbers, as so many columns with where each is null.

    A number that is null is zero here. Where no number is null at all, the second is empty.

    Raises:
        FunctionInputError: the lists have more numbers, or fewer.
    """
    flat = column.flatten()
    if len(flat) != width * len(column):
        raise FunctionInputError(
            f"{function}: {name} must have {width} numbers in each row, "
            f"got {len(flat)} in {len(column)} rows"
        )
    shape = len(column), width
    absent = flat.is_null().to_numpy(zero_copy_only=False).reshape(shape)
    filled = pc.fill_null(flat, 0) if flat.null_count else flat
    numbers = filled.to_numpy(zero_copy_only=False).reshape(shape)
    nowhere = np.zeros(0, dtype=np.bool_)
    return [
        (np.ascontiguousarray(numbers[:, place]), absent[:, place] if some else nowhere)
        for place, some in enumerate(absent.any(axis=0))
    ]


def refuse_nulls(function: str, columns: dict[str, pa.Array], *more: str) -> None:
    """Stop if one of the columns has a null; `more` names what else was found to have one.

    Raises:
        FunctionInputError: naming all of them.
    """
    nulls = [*(name for name, column in columns.items() if column.null_count), *more]
    if nulls:
        raise FunctionInputError(f"{function}: null is not allowed in {', '.join(nulls)}")


def refuse_long_keys(function: str, key: Int64s, names: Objects, most: int | None) -> None:
    """Stop if a key has more than `most` items, rather than run out of memory on it.

    Raises:
        FunctionInputError: naming the longest key, what is allowed, and what to do.
    """
    if most is None or len(key) <= most:
        return
    lengths = np.bincount(key)
    longest = int(lengths.argmax())
    if lengths[longest] > most:
        what = f"one key has {lengths[longest]:,} rows and stored windows to replay at once"
        raise too_long(function, what, most, names[longest])


def too_long(function: str, what: str, most: int, name: str) -> FunctionInputError:
    """The error that a key is too much for memory, with what is allowed and what to do."""
    return FunctionInputError(
        f"{function}: {what}, allowed are {most:,}: {name}. Refresh more often, cut refreshes with "
        "the var event_windows__max_rows_per_refresh, or raise event_windows__max_rows_per_key"
    )


def constant(function: str, name: str, column: pa.Array) -> int | None:
    """The one value of a column; null, or no row at all, is None.

    Raises:
        FunctionInputError: the column has several values.
    """
    values = pc.unique(column)
    if len(values) > 1:
        raise FunctionInputError(
            f"{function}: {name} must be constant, got {values[0].as_py()} and {values[1].as_py()}"
        )
    value: int | None = values[0].as_py() if len(values) else None
    return value


def given_constant(function: str, name: str, column: pa.Array) -> int:
    """The one value of a column, which is not null.

    Raises:
        FunctionInputError: the value is null, or there are several.
    """
    value = constant(function, name, column)
    if value is None:
        raise FunctionInputError(f"{function}: null is not allowed in {name}")
    return value
