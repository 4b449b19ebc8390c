"""Replays rows into sliding windows one at a time, for keys in which a row may be late.

The rule is Kafka Streams' sliding window aggregation (KIP-450), record by record: a row counts in
the windows that are open when it comes, and which windows it adds depends on those that are there.
Whatever happens, a window afterwards is a window stored before, or nothing, and a list of new rows.

Only times come in and only windows go out, so that SQL can do the aggregating with any function.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, pairwise
from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from dbt_event_windows.arguments import (
    Int64s,
    Objects,
    constant,
    given_constant,
    int64s,
    key_codes,
    refuse_long_keys,
    refuse_nulls,
    too_long,
)
from dbt_event_windows.columns import Batch, batches, batches_type, nulls
from dbt_event_windows.errors import FunctionInputError
from dbt_event_windows.live_sliding_windows import LiveSlidingWindows, SlidingWindow
from dbt_event_windows.sliding_limits import sliding_faults

NAME = "event_windows_replay_sliding"


@dataclass(frozen=True)
class SlidingItems:
    """Stored windows (`item` < 0) and new rows (`item` > 0) of many keys, as parallel arrays.

    `key` is any number per key. Times are int64 in one unit, microseconds in Spark. Of a stored
    window `first` is the start and `newest` the largest event time in it. Of a row `first` is the
    event time, and `clock` the stream time at its arrival, the row included. The `newest` of rows
    and the `clock` of windows mean nothing.
    """

    key: Int64s
    item: Int64s
    first: Int64s
    newest: Int64s
    clock: Int64s


@dataclass(frozen=True)
class SlidingReplay:
    """Which item is in which changed window, and what rows missed.

    `position` is an item's place in the input and `window` the start of a window that it is in now:
    once for each changed or new window. A stored window stands for all that was in it; it is in
    itself, and in new windows that took over its contents. `missed` has each row's place in the
    input that was not counted in a window because that is closed.
    """

    position: Int64s
    window: Int64s
    missed: Int64s


def replay_sliding(
    items: SlidingItems,
    grace: int | None,
    retention: int | None,
    difference: int,
    resolution: int,
    origin: int | None,
    names: Objects,
    most: int | None,
) -> SlidingReplay:
    """Count each key's new rows, in ascending order of `item`, in its stored and in new windows.

    A window [start, start + `difference`] is closed for a row if it ends before the row's clock
    less `grace`, and has left the state if it ends before the clock less `retention`; with none,
    never. Both are asked again for every row, because the clocks of a key may go back: several
    partitions can feed one key. A retention of `grace` + 2 * `difference`, Kafka's default, or
    longer changes nothing; with a shorter one a late row may miss windows that are open.

    Of a key with new rows from t to u, the stored windows that start from t - 2 * `difference` to
    u + `resolution` must be there; more may be. No window starts before `origin`, and no row may
    be before it.

    A row stands in each of its windows. Of a key that is called `names[key]` rows are put into
    windows at most `most` times (none: without end), rather than run out of memory on it.

    Raises:
        FunctionInputError: as `sliding_faults` says; or an item is zero, two of a key are the same,
            grace or retention is negative, or a key has more rows in its windows than allowed.
    """
    _check(items, grace, retention, difference, resolution, origin)
    order = np.lexsort((items.item, items.key))
    keys, is_row = items.key[order], items.item[order] > 0
    # Python integers, because a clock less a very long grace may leave the int64 range.
    first, newest, clock = items.first.tolist(), items.newest.tolist(), items.clock.tolist()

    changed: list[SlidingWindow] = []
    missed: list[int] = []
    key_bounds = np.flatnonzero(np.diff(keys, prepend=keys[:1] - 1, append=keys[-1:] + 1)).tolist()
    for begin, end in pairwise(key_bounds):
        rows_from = begin + int(np.count_nonzero(~is_row[begin:end]))
        stored = order[begin:rows_from].tolist()
        windows = LiveSlidingWindows(
            (SlidingWindow(first[i], newest[i], base=i, is_stored=True) for i in stored),
            difference,
            resolution,
            origin,
        )
        for i in order[rows_from:end].tolist():
            open_from = -inf if grace is None else clock[i] - grace - difference
            found_from = -inf if retention is None else clock[i] - retention - difference
            if windows.add(i, first[i], open_from, found_from):
                missed.append(i)
            if most is not None and windows.places > most:
                what = f"rows of one key would be put {windows.places:,} times into windows"
                raise too_long(NAME, what, most, names[keys[begin]])
        changed += windows.changed()
    return _members(changed, missed)


def _members(changed: list[SlidingWindow], missed: list[int]) -> SlidingReplay:
    starts = np.array([window.start for window in changed], dtype=np.int64)
    count = np.array([len(window.rows) for window in changed], dtype=np.int64)
    rows = chain.from_iterable(window.rows for window in changed)
    has_base = np.array([window.base is not None for window in changed], dtype=np.bool_)
    bases = np.array([w.base for w in changed if w.base is not None], dtype=np.int64)
    return SlidingReplay(
        position=np.append(bases, np.fromiter(rows, dtype=np.int64, count=count.sum())),
        window=np.append(starts[has_base], np.repeat(starts, count)),
        missed=np.array(missed, dtype=np.int64),
    )


def _check(
    items: SlidingItems,
    grace: int | None,
    retention: int | None,
    difference: int,
    resolution: int,
    origin: int | None,
) -> None:
    is_row = items.item > 0
    order = np.lexsort((items.item, items.key))
    key, item = items.key[order], items.item[order]
    known = np.append(items.first, items.newest[~is_row])
    found = sliding_faults(known, items.first[is_row], difference, resolution, origin)
    faults = {
        "item must not be zero: below it are stored windows, above it new rows": np.any(
            items.item == 0
        ),
        "item must differ within a key": np.any((key[1:] == key[:-1]) & (item[1:] == item[:-1])),
        f"grace must not be negative, got {grace}": grace is not None and grace < 0,
        f"retention must not be negative, got {retention}": (
            retention is not None and retention < 0
        ),
    }
    found += [fault for fault, is_there in faults.items() if is_there]
    if found:
        raise FunctionInputError(f"{NAME}: " + "; ".join(found))


def event_windows_replay_sliding(
    k: pa.Array,
    item: pa.Array,
    first: pa.Array,
    newest: pa.Array,
    clock: pa.Array,
    grace: pa.Array,
    retention: pa.Array,
    difference: pa.Array,
    resolution: pa.Array,
    origin: pa.Array,
    most: pa.Array,
) -> list[Batch]:
    """`replay_sliding` for Spark: one call takes the items of many keys, told apart by `k`.

    All but the first five arguments are constant over a call. Null means unbounded in `grace`,
    `retention` and `most`, the number of items that a key may have, and how often its rows may be
    put into windows, and no first window in `origin`. `newest` may be null for new rows and
    `clock` for stored windows.

    Returns batches of columns: k, item, window, missed; a row for each changed or new window and
    item in it, and one with a null `window` for each new row that is in none. `missed` says of a
    new row that it is not counted in a window because that is closed.

    Raises:
        FunctionInputError: a null where none is allowed, a key with too many items, or what
            `replay_sliding` refuses.
    """
    needed = {
        "newest (of stored windows)": pc.and_(pc.is_null(newest), pc.less(item, 0)),
        "clock (of new rows)": pc.and_(pc.is_null(clock), pc.greater(item, 0)),
    }
    refuse_nulls(
        NAME,
        {"k": k, "item": item, "first": first},
        *(name for name, is_missing in needed.items() if pc.any(is_missing).as_py()),
    )
    if len(k) == 0:
        return []
    key, names = key_codes(k)
    allowed = constant(NAME, "most", most)
    refuse_long_keys(NAME, key, names, allowed)
    items = SlidingItems(
        key=key,
        item=int64s(item),
        first=int64s(first),
        newest=int64s(newest),
        clock=int64s(clock),
    )
    replayed = replay_sliding(
        items,
        grace=constant(NAME, "grace", grace),
        retention=constant(NAME, "retention", retention),
        difference=given_constant(NAME, "difference", difference),
        resolution=given_constant(NAME, "resolution", resolution),
        origin=constant(NAME, "origin", origin),
        names=names,
        most=allowed,
    )
    missed = np.zeros(len(item), dtype=np.bool_)
    missed[replayed.missed] = True
    uncounted = items.item > 0
    uncounted[replayed.position] = False

    def columns(position: Int64s, window: npt.NDArray[Any]) -> Batch:
        return {
            "k": names[key[position]],
            "item": items.item[position],
            "window": window,
            "missed": missed[position],
        }

    nowhere = np.flatnonzero(uncounted)
    return [
        *batches(columns(replayed.position, replayed.window)),
        *batches(columns(nowhere, nulls(len(nowhere)))),
    ]


def make_udf() -> Any:
    """The function as an aggregate that `spark.udf.register` takes."""
    # Public, but pyspark re-exports it in a way that mypy does not see.
    from pyspark.sql.functions import arrow_udf  # type: ignore[attr-defined]
    from pyspark.sql.types import BooleanType, LongType, StringType

    columns = {
        "k": StringType(),
        "item": LongType(),
        "window": LongType(),
        "missed": BooleanType(),
    }
    # The type hints make it an aggregate: arrays in, one value out.
    return arrow_udf(event_windows_replay_sliding, batches_type(columns))
