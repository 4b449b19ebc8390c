"""Replays rows into sessions one at a time, for keys in which a row may be late.

The rule is Kafka Streams' session aggregation (KIP-94; grace: KIP-633), record by record, made
general for a gap per row: a row joins the sessions that touch it, and it is late where even the
session that they would make together lies before its own stream time less grace.

Only times come in and only windows go out, so that SQL can do the aggregating with any function.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dbt_event_windows.arguments import (
    Bools,
    Int64s,
    constant,
    int64s,
    key_codes,
    refuse_long_keys,
    refuse_nulls,
)
from dbt_event_windows.errors import FunctionInputError
from dbt_event_windows.live_sessions import LiveSessions, Session

NAME = "event_windows_replay_sessions"


@dataclass(frozen=True)
class Items:
    """Stored sessions (`item` < 0) and new rows (`item` > 0) of many keys, as parallel arrays.

    `key` is any number per key. Times are int64 in one unit, microseconds in Spark: a session is
    `[first, last]`, a row has `first` = `last`; `reach` is the last instant that joins;
    `clock` is the stream time at a row's arrival, the row included (ignored for sessions).
    """

    key: Int64s
    item: Int64s
    first: Int64s
    last: Int64s
    reach: Int64s
    clock: Int64s


@dataclass(frozen=True)
class Replayed:
    """What became of the items: `position` in the input, and the window that holds each now.

    Every new row is here, and every stored session that rows joined. Where `late` is set the
    row is in no window and `first` and `last` mean nothing.
    """

    position: Int64s
    first: Int64s
    last: Int64s
    late: Bools


def replay(items: Items, grace: int | None, retention: int | None) -> Replayed:
    """Put each key's new rows, in ascending order of `item`, into its stored sessions.

    A row touches the sessions with first <= row.reach and reach >= row.first, but not those that
    have left the state at its clock: last < clock - `retention` (none: sessions never leave).
    The row is late if `grace` is given and the hull of the row and those sessions has
    reach < clock - `grace`; then nothing changes. Otherwise the hull replaces them.

    The clocks of a key may go back (several partitions can feed one key), so whether a session has
    left is asked again for every row.

    Raises:
        FunctionInputError: an item is zero, two rows of a key have the same item, a row is longer
            than an instant, times are in the wrong order, or grace or retention is negative.
    """
    order = np.lexsort((items.item, items.key))
    _check(items, order, grace, retention)
    owner, late, first, last = _replay_in_order(items, order, grace, retention)

    is_row = items.item[order] > 0
    joined = np.zeros(len(order), dtype=np.bool_)
    joined[owner[is_row & ~late]] = True
    kept = is_row | joined[owner]
    return Replayed(order[kept], first[owner[kept]], last[owner[kept]], late[kept])


def _replay_in_order(
    items: Items, order: Int64s, grace: int | None, retention: int | None
) -> tuple[Int64s, Bools, Int64s, Int64s]:
    """For each place in `order`: the place that names its session, and whether it is late.

    The last two arrays are the first and last instant of the session that a place names.

    Python integers throughout, because a clock less a very long grace may leave the int64 range.
    """
    keys = items.key[order]
    firsts, lasts = items.first[order], items.last[order]
    first, last = firsts.tolist(), lasts.tolist()
    reach, clock = items.reach[order].tolist(), items.clock[order].tolist()
    is_row = (items.item[order] > 0).tolist()
    joined_to = list(range(len(order)))
    late = np.zeros(len(order), dtype=np.bool_)

    key_starts = np.flatnonzero(np.diff(keys, prepend=keys[:1] - 1)).tolist()
    for start, stop in zip(key_starts, [*key_starts, len(order)][1:], strict=True):
        rows_from = start
        while rows_from < stop and not is_row[rows_from]:
            rows_from += 1
        sessions = LiveSessions(
            Session(i, first[i], last[i], reach[i]) for i in range(start, rows_from)
        )
        for i in range(rows_from, stop):
            row = Session(i, first[i], last[i], reach[i])
            oldest_last = None if retention is None else clock[i] - retention
            touched = sessions.touched(row.first, row.reach, oldest_last)
            hull = sessions.hull(touched, row)
            if grace is not None and hull.reach < clock[i] - grace:
                late[i] = True
                continue
            for absorbed in sessions.replace(touched, hull):
                joined_to[absorbed] = hull.owner
            joined_to[i] = hull.owner
            first[hull.owner], last[hull.owner] = hull.first, hull.last

    return (
        _ends_of_chains(np.array(joined_to, dtype=np.int64)),
        late,
        np.array(first, dtype=np.int64),
        np.array(last, dtype=np.int64),
    )


def _ends_of_chains(joined_to: Int64s) -> Int64s:
    """Follow `joined_to` from each place to its end; each pass doubles the distance."""
    while True:
        further = joined_to[joined_to]
        if np.array_equal(further, joined_to):
            return joined_to
        joined_to = further


def _check(items: Items, order: Int64s, grace: int | None, retention: int | None) -> None:
    is_row = items.item > 0
    key, item = items.key[order], items.item[order]
    same_as_next = (key[1:] == key[:-1]) & (item[1:] == item[:-1]) & (item[1:] > 0)
    faults = {
        "item must not be zero: below it are stored sessions, above it new rows": np.any(
            items.item == 0
        ),
        "item must differ for each new row of a key": np.any(same_as_next),
        "first must equal last in a new row": np.any(is_row & (items.first != items.last)),
        "first must not be after last": np.any(items.first > items.last),
        "last must not be after reach": np.any(items.last > items.reach),
        f"grace must not be negative, got {grace}": grace is not None and grace < 0,
        f"retention must not be negative, got {retention}": (
            retention is not None and retention < 0
        ),
    }
    found = [fault for fault, is_there in faults.items() if is_there]
    if found:
        raise FunctionInputError(f"{NAME}: " + "; ".join(found))


def event_windows_replay_sessions(
    k: pa.Array,
    item: pa.Array,
    first: pa.Array,
    last: pa.Array,
    reach: pa.Array,
    clock: pa.Array,
    grace: pa.Array,
    retention: pa.Array,
    most: pa.Array,
) -> list[dict[str, Any]]:
    """`replay` for Spark: one call takes the items of many keys, told apart by the string `k`.

    `grace`, `retention` and `most` are constant over a call; null means unbounded. A key has at
    most `most` items. `clock` may be null for stored sessions only. A late row comes back with null
    in `window_first` and `window_last`.

    Raises:
        FunctionInputError: a null where none is allowed, a key with too many items, or what
            `replay` refuses.
    """
    clocks_missing = pc.any(pc.and_(pc.is_null(clock), pc.greater(item, 0))).as_py()
    refuse_nulls(
        NAME,
        {"k": k, "item": item, "first": first, "last": last, "reach": reach},
        *(["clock (of new rows)"] if clocks_missing else []),
    )
    key, names = key_codes(k)
    refuse_long_keys(NAME, key, names, constant(NAME, "most", most))
    items = Items(
        key=key,
        item=int64s(item),
        first=int64s(first),
        last=int64s(last),
        reach=int64s(reach),
        clock=int64s(clock),
    )
    replayed = replay(items, constant(NAME, "grace", grace), constant(NAME, "retention", retention))
    position = pa.array(replayed.position)
    # A list of dicts: pyspark makes pa.array([result]) of it, which takes a ListScalar of the same
    # content several times as long.
    return [
        {"k": k_, "item": item_, "window_first": first_, "window_last": last_}
        for k_, item_, first_, last_ in zip(
            k.take(position).to_pylist(),
            item.take(position).to_pylist(),
            pa.array(replayed.first, mask=replayed.late).to_pylist(),
            pa.array(replayed.last, mask=replayed.late).to_pylist(),
            strict=True,
        )
    ]


def make_udf() -> Any:
    """The function as an aggregate that `spark.udf.register` takes.

    It returns array<struct<k: string, item: bigint, window_first: bigint, window_last: bigint>>.
    """
    # Public, but pyspark re-exports it in a way that mypy does not see.
    from pyspark.sql.functions import arrow_udf  # type: ignore[attr-defined]
    from pyspark.sql.types import ArrayType, LongType, StringType, StructType

    element = StructType().add("k", StringType()).add("item", LongType())
    element = element.add("window_first", LongType()).add("window_last", LongType())
    # The type hints make it an aggregate: arrays in, one value out.
    return arrow_udf(event_windows_replay_sessions, ArrayType(element))
