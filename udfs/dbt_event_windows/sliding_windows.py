"""Which sliding windows new rows change, for every key at once and without going row by row.

A sliding window is [start, start + difference], both inclusive (KIP-450). Each event time of a key
has a window that ends at it and, if it holds another row, one that starts just after it. While no
row is late, the event times alone say which windows there are and what is in them, in whatever
order the rows came; Kafka Streams then gives the same.

Only times come in and only windows go out, so that SQL can do the aggregating with any function.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import pyarrow as pa

from dbt_event_windows.arguments import (
    Bools,
    Int64s,
    Objects,
    constant,
    given_constant,
    int64s,
    key_codes,
    refuse_nulls,
)
from dbt_event_windows.columns import Batch, batches, batches_type, nulls
from dbt_event_windows.errors import FunctionInputError
from dbt_event_windows.sliding_limits import LONGEST, sliding_faults

NAME = "event_windows_sliding_windows"

# The keys are laid side by side on one number line, which has to fit into int64. One key takes at
# most half of this: see LONGEST.
LONGEST_LINE = 1 << 62


@dataclass(frozen=True)
class Instants:
    """Event times of new rows, once each, and stored windows of many keys, as parallel arrays.

    `key` is a number per key, from zero up. Times are int64 in one unit, microseconds in Spark.
    Where `is_new` is set, `first` is an event time and `newest` means nothing; elsewhere `first`
    is where a stored window starts and `newest` the largest event time in it.
    """

    key: Int64s
    first: Int64s
    newest: Int64s
    is_new: Bools

    def where(self, chosen: Bools) -> Instants:
        return Instants(*(getattr(self, field.name)[chosen] for field in fields(self)))

    def times(self) -> Int64s:
        """The latest event time of each: its own, or the largest one in a stored window."""
        return np.where(self.is_new, self.first, self.newest)


@dataclass(frozen=True)
class ChangedWindows:
    """Windows that are not stored as they are now, in ascending order of `key` and `window`.

    The window that starts at `window` holds all that is in the stored window `base`, if `has_base`
    is set, and the new rows from `first_new` to `last_new`, if `has_new` is set. These three are
    places in the instants that were given.
    """

    key: Int64s
    window: Int64s
    base: Int64s
    has_base: Bools
    first_new: Int64s
    last_new: Int64s
    has_new: Bools

    def where(self, chosen: Bools) -> ChangedWindows:
        return ChangedWindows(*(getattr(self, field.name)[chosen] for field in fields(self)))

    def of(self, places: Int64s) -> ChangedWindows:
        """The same where the instants given were those at `places` of more."""
        moved = {name: places[getattr(self, name)] for name in ("base", "first_new", "last_new")}
        return replace(self, **moved)

    def then(self, others: ChangedWindows) -> ChangedWindows:
        pairs = ((getattr(self, f.name), getattr(others, f.name)) for f in fields(self))
        return ChangedWindows(*(np.append(*pair) for pair in pairs))


def changed_windows(
    instants: Instants, difference: int, resolution: int, origin: int | None
) -> ChangedWindows:
    """The windows that are new or hold a new row, if none of the new rows is late.

    Of a key with new rows from t to u, the stored windows that start from
    t - 2 * `difference` - `resolution` to u + `resolution` must be there; more may be.

    With an `origin` no window starts before it: instead of the window that ends at a row and
    would, there is one that starts at the origin. No row may be before it.

    Raises:
        FunctionInputError: as `sliding_faults` says.
    """
    new = instants.first[instants.is_new]
    known = np.append(instants.times(), instants.first)
    faults = sliding_faults(known, new, difference, resolution, origin)
    if faults:
        raise FunctionInputError(f"{NAME}: " + "; ".join(faults))
    return _changed(instants, difference, resolution, origin)


def _changed(
    instants: Instants, difference: int, resolution: int, origin: int | None
) -> ChangedWindows:
    if not instants.is_new.any():
        times, flags = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.bool_)
        return ChangedWindows(times, times, times, flags, times, times, flags)
    key_from = instants.key.min()
    lowest, width = _stretches(instants, key_from, difference + resolution)
    if width.sum(dtype=np.float64) > LONGEST_LINE:
        in_first_half = instants.key < key_from + len(width) // 2
        halves = [
            _changed(instants.where(half), difference, resolution, origin).of(np.flatnonzero(half))
            for half in (in_first_half, ~in_first_half)
        ]
        return halves[0].then(halves[1])

    # From here on times are places on the line, until `shift` is taken off again.
    ends = np.cumsum(width)
    shift = ends - width - lowest
    shift_of_item = shift[instants.key - key_from]
    first, newest = instants.first + shift_of_item, instants.newest + shift_of_item
    new_at, stored_at = (
        of_kind[np.argsort(first[of_kind], kind="stable")]
        for of_kind in (np.flatnonzero(instants.is_new), np.flatnonzero(~instants.is_new))
    )
    new = first[new_at]
    # One before all others, with nothing in it, so that every place has a stored window before it.
    stored_at = np.append(0, stored_at)
    starts, newest = np.append(-1, first[stored_at[1:]]), np.append(-1, newest[stored_at[1:]])

    left = new - difference
    if origin is not None:
        key = np.searchsorted(ends, new, side="right")
        left = np.maximum(left, (np.maximum(lowest, origin) + shift)[key])
    windows = _candidates(new, left, starts, newest, difference, resolution)

    # The stored window with the greatest start up to a place holds the old rows from there on, as
    # far as a window that starts there goes, and no others, unless all its rows are before.
    base = _last_to(windows, starts)
    first_new = _first_from(windows, new)
    last_new = _last_to(windows + difference, new)
    has_base = newest[base] >= windows
    has_new = first_new <= last_new

    key = np.searchsorted(ends, windows, side="right")
    return ChangedWindows(
        key=key + key_from,
        window=windows - shift[key],
        base=stored_at[base],
        has_base=has_base,
        first_new=new_at.take(first_new, mode="clip"),
        last_new=new_at.take(last_new, mode="clip"),
        has_new=has_new,
    ).where(has_new | (has_base & (starts[base] < windows)))


def _candidates(
    new: Int64s, left: Int64s, starts: Int64s, newest: Int64s, difference: int, resolution: int
) -> Int64s:
    """Where windows start that can have changed.

    They are the stored windows that hold a new row; the windows that end at one, from `left`; those
    just after one; and those just after the last old row before one. That old row is the newest
    one in the stored window with the greatest start up to `left`: if it is not, a window just
    after it is stored already.
    """
    holding = starts[_first_from(starts, new) <= _last_to(starts + difference, new)]
    previous = newest[_last_to(left, starts)]
    reaches = (previous < new) & (previous + resolution + difference >= new)
    return _distinct(holding, left, new + resolution, previous[reaches] + resolution)


def _stretches(instants: Instants, key_from: int, margin: int) -> tuple[Int64s, Int64s]:
    """Each key's stretch of time: its lowest time less `margin`, and how long it is.

    With a margin of difference and resolution nothing that belongs to a key, or is looked for, is
    in the stretch of another.
    """
    count = instants.key.max() - key_from + 1
    lowest, highest = np.full(count, LONGEST), np.full(count, -LONGEST)
    np.minimum.at(lowest, instants.key - key_from, instants.first)
    np.maximum.at(highest, instants.key - key_from, instants.times())
    return lowest - margin, highest - lowest + 2 * margin + 1


def _first_from(bounds: Int64s, places: Int64s) -> Int64s:
    """For each bound the position of the first place at or after it."""
    positions: Int64s = np.searchsorted(places, bounds, side="left")
    return positions


def _last_to(bounds: Int64s, places: Int64s) -> Int64s:
    """For each bound the position of the last place at or before it."""
    positions: Int64s = np.searchsorted(places, bounds, side="right") - 1
    return positions


def _distinct(*places: Int64s) -> Int64s:
    # A stable sort merges runs that are sorted already, which most of these are.
    merged: Int64s = np.sort(np.concatenate(places), kind="stable")
    is_first = np.ones(len(merged), dtype=np.bool_)
    is_first[1:] = merged[1:] != merged[:-1]
    return merged[is_first]


def read_instants(k: pa.Array, first: pa.Array, newest: pa.Array) -> tuple[Instants, Objects]:
    """What Spark hands over as instants, and the keys in the order of their numbers."""
    key, names = key_codes(k)
    instants = Instants(
        key=key,
        first=int64s(first),
        newest=int64s(newest),
        is_new=newest.is_null().to_numpy(zero_copy_only=False),
    )
    return instants, names


def event_windows_sliding_windows(
    k: pa.Array,
    first: pa.Array,
    newest: pa.Array,
    difference: pa.Array,
    resolution: pa.Array,
    origin: pa.Array,
) -> list[Batch]:
    """`changed_windows` for Spark: one call takes the items of many keys, told apart by `k`.

    A row with `newest` is a stored window, one without is an event time of new rows. `difference`,
    `resolution` and `origin` are constant over a call; `origin` may be null.

    Returns batches of columns: k, window, base, first_new, last_new. Null are `base` without a
    stored window, `first_new` and `last_new` without new rows.

    Raises:
        FunctionInputError: a null where none is allowed, or what `changed_windows` refuses.
    """
    refuse_nulls(NAME, {"k": k, "first": first})
    if len(k) == 0:
        return []
    instants, names = read_instants(k, first, newest)
    changed = changed_windows(
        instants,
        difference=given_constant(NAME, "difference", difference),
        resolution=given_constant(NAME, "resolution", resolution),
        origin=constant(NAME, "origin", origin),
    )
    # By which columns are null, so that a batch has them null from end to end: see `nulls`.
    result = []
    for has_base, has_new in ((False, True), (True, True), (True, False)):
        chosen = np.flatnonzero((changed.has_base == has_base) & (changed.has_new == has_new))
        none = nulls(len(chosen))
        result += batches(
            {
                "k": names[changed.key[chosen]],
                "window": changed.window[chosen],
                "base": instants.first[changed.base[chosen]] if has_base else none,
                "first_new": instants.first[changed.first_new[chosen]] if has_new else none,
                "last_new": instants.first[changed.last_new[chosen]] if has_new else none,
            }
        )
    return result


def make_udf() -> Any:
    """The function as an aggregate that `spark.udf.register` takes."""
    # Public, but pyspark re-exports it in a way that mypy does not see.
    from pyspark.sql.functions import arrow_udf  # type: ignore[attr-defined]
    from pyspark.sql.types import LongType, StringType

    columns = {"k": StringType()} | dict.fromkeys(
        ("window", "base", "first_new", "last_new"), LongType()
    )
    # The type hints make it an aggregate: arrays in, one value out.
    return arrow_udf(event_windows_sliding_windows, batches_type(columns))
