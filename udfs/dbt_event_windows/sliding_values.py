"""Which sliding windows new rows change, and what is in them where that is sums, least or greatest.

SQL can give the contents of a window for any aggregate, at the price of joining each window to what
is in it. Numbers that are merged by adding them up, or by taking the smaller or greater one, are
merged here for all windows at once, with the windows that are made anyway.

New rows are cut into blocks of time as long as a window. A window then begins in one block and ends
in it or in the next: it holds the end of the one, from its first new row on, and the beginning of
the other, up to its last. Each such share is made once, however many windows it goes into, by
merging alone: nothing is subtracted, so that sums of floating point numbers do not cancel.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from dbt_event_windows.arguments import (
    Bools,
    Int64s,
    constant,
    given_constant,
    number_lists,
    refuse_nulls,
)
from dbt_event_windows.columns import Batch, batches, batches_type
from dbt_event_windows.errors import FunctionInputError
from dbt_event_windows.sliding_windows import (
    ChangedWindows,
    Instants,
    changed_windows,
    read_instants,
)

NAME = "event_windows_sliding_values"

Numbers = npt.NDArray[Any]


@dataclass(frozen=True)
class Merge:
    """How two numbers become one, and the number that changes no other."""

    of: np.ufunc
    nothing: int | float


# Integers have 64 bits and wrap round, as Spark's do outside ANSI mode. Spark takes NaN for the
# greatest number: the least of it and another is the other.
INT64 = np.iinfo(np.int64)
MERGES: dict[str, dict[str, Merge]] = {
    "integers": {
        "sum": Merge(np.add, 0),
        "min": Merge(np.minimum, INT64.max),
        "max": Merge(np.maximum, INT64.min),
    },
    "doubles": {
        "sum": Merge(np.add, 0.0),
        "min": Merge(np.fmin, np.nan),
        "max": Merge(np.maximum, -np.inf),
    },
}
# Whether anything is there at all.
ANY = Merge(np.logical_or, False)


class Shares:
    """New rows in their blocks: where each stands in its block, and which shares a window takes."""

    def __init__(self, instants: Instants, changed: ChangedWindows, difference: int) -> None:
        new = np.flatnonzero(instants.is_new)
        self._rows = new[np.lexsort((instants.first[new], instants.key[new]))]
        key, block = instants.key[self._rows], instants.first[self._rows] // (difference + 1)
        begins = np.ones(len(new), dtype=np.bool_)
        begins[1:] = (key[1:] != key[:-1]) | (block[1:] != block[:-1])
        firsts = np.flatnonzero(begins)
        length = np.diff(np.append(firsts, len(new)))
        before = np.arange(len(new)) - np.repeat(firsts, length)
        self._steps = list(_steps(before, np.repeat(length, length) - 1 - before))

        place = np.zeros(len(instants.first), dtype=np.int64)
        place[self._rows] = np.arange(len(new))
        self._first, self._last = place[changed.first_new], place[changed.last_new]
        own = changed.window // (difference + 1)
        self._has_onward = changed.has_new & (block[self._first] == own)
        self._has_so_far = changed.has_new & (block[self._last] != own)

    def merged(self, numbers: Numbers, merge: Merge) -> Numbers:
        """The numbers of each window's new rows, merged; `merge.nothing` where it has none."""
        onward = numbers[self._rows]
        so_far = onward.copy()
        for step, late, early in self._steps:
            so_far[late] = merge.of(so_far[late - step], so_far[late])
            onward[early] = merge.of(onward[early], onward[early + step])
        merged: Numbers = merge.of(
            np.where(self._has_onward, onward[self._first], merge.nothing),
            np.where(self._has_so_far, so_far[self._last], merge.nothing),
        )
        return merged


def _steps(before: Int64s, after: Int64s) -> Iterator[tuple[int, Int64s, Int64s]]:
    """1, 2, 4, ... with the rows that have so many rows before them in their block, or after.

    With each step a row's merge reaches twice as far, until it reaches to the end of the block.
    """
    step = 1
    while before.max(initial=0) >= step:
        yield step, np.flatnonzero(before >= step), np.flatnonzero(after >= step)
        step *= 2


def window_values(
    instants: Instants,
    changed: ChangedWindows,
    difference: int,
    columns: list[tuple[Numbers, Bools, Merge]],
) -> list[tuple[Numbers, Bools]]:
    """What is in each changed window, for each column of numbers of the instants and its merge.

    A column comes with where it is null, and its values with where they are: in windows in which
    it is null throughout. Both are empty arrays if nothing is null.
    """
    shares = Shares(instants, changed, difference)

    def merged(numbers: Numbers, merge: Merge) -> Numbers:
        base = np.where(changed.has_base, numbers[changed.base], merge.nothing)
        result: Numbers = merge.of(shares.merged(numbers, merge), base)
        return result

    return [
        (
            merged(np.where(absent, merge.nothing, numbers), merge),
            ~merged(~absent, ANY),
        )
        if len(absent)
        else (merged(numbers, merge), absent)
        for numbers, absent, merge in columns
    ]


def event_windows_sliding_values(
    k: pa.Array,
    first: pa.Array,
    newest: pa.Array,
    integers: pa.Array,
    doubles: pa.Array,
    integer_merges: pa.Array,
    double_merges: pa.Array,
    difference: pa.Array,
    resolution: pa.Array,
    origin: pa.Array,
) -> list[Batch]:
    """`changed_windows` for Spark, with their values: one call takes the items of many keys.

    A row with `newest` is a stored window, one without is an event time of new rows, once a key.
    `integers` and `doubles` are lists of its numbers, as many in each row as `integer_merges` and
    `double_merges` name, with commas between: sum, min or max. These and the last three are
    constant over a call; `origin` may be null.

    Returns batches of columns: k, window, reach (the largest event time in the window), integers
    and doubles (a list of columns each) and absent, a list with a column for each of these: whether
    the value is null; an empty one if none is.

    Raises:
        FunctionInputError: a null where none is allowed, merges that are not known or more or fewer
            than there are numbers, or what `changed_windows` refuses.
    """
    refuse_nulls(NAME, {"k": k, "first": first, "integers": integers, "doubles": doubles})
    if len(k) == 0:
        return []
    instants, names = read_instants(k, first, newest)
    columns = []
    for kind, lists, merges in (
        ("integers", integers, integer_merges),
        ("doubles", doubles, double_merges),
    ):
        merge_names = _merge_names(kind, merges)
        numbers = number_lists(NAME, kind, lists, len(merge_names))
        columns += [
            (*column, MERGES[kind][name]) for column, name in zip(numbers, merge_names, strict=True)
        ]
    length = given_constant(NAME, "difference", difference)
    changed = changed_windows(
        instants,
        difference=length,
        resolution=given_constant(NAME, "resolution", resolution),
        origin=constant(NAME, "origin", origin),
    )
    if len(changed.key) == 0:
        return []
    values = window_values(instants, changed, length, columns)
    newest_new = np.where(changed.has_new, instants.first[changed.last_new], INT64.min)
    newest_old = np.where(changed.has_base, instants.newest[changed.base], INT64.min)
    return batches(
        {
            "k": names[changed.key],
            "window": changed.window,
            "reach": np.maximum(newest_new, newest_old),
            "integers": [numbers for numbers, _ in values if numbers.dtype == np.int64],
            "doubles": [numbers for numbers, _ in values if numbers.dtype == np.float64],
            "absent": [absent for _, absent in values],
        }
    )


def _merge_names(kind: str, merges: pa.Array) -> list[str]:
    given: Any = given_constant(NAME, f"merges of {kind}", merges)
    names = given.split(",") if given else []
    unknown = [name for name in names if name not in MERGES[kind]]
    if unknown:
        raise FunctionInputError(
            f"{NAME}: {', '.join(unknown)} is no merge of {kind}: "
            f"allowed are {', '.join(MERGES[kind])}"
        )
    return names


def make_udf() -> Any:
    """The function as an aggregate that `spark.udf.register` takes."""
    # Public, but pyspark re-exports it in a way that mypy does not see.
    from pyspark.sql.functions import arrow_udf  # type: ignore[attr-defined]
    from pyspark.sql.types import ArrayType, BooleanType, DoubleType, LongType, StringType

    columns = {
        "k": StringType(),
        "window": LongType(),
        "reach": LongType(),
        "integers": ArrayType(LongType()),
        "doubles": ArrayType(DoubleType()),
        "absent": ArrayType(BooleanType()),
    }
    # The type hints make it an aggregate: arrays in, one value out.
    return arrow_udf(event_windows_sliding_values, batches_type(columns))
