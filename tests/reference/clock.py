"""Stream time: the largest event time so far in a scope, the current row included (section 1)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from .records import Result, Row


def stream_times(rows: Sequence[Row], scope: str, origin: int | None = None) -> list[int | None]:
    """The stream time of each row's scope (`key`, `partition` or `global`) at its arrival.

    Rows that no window can count move no clock: a null key or event time, a time before the origin.
    Under scope `key` a row without a key has none.
    """
    clocks: dict[Hashable, int] = {}
    times: list[int | None] = []
    for row in rows:
        place = {"key": row.key, "partition": row.partition, "global": "global"}[scope]
        countable = row.key is not None and row.time is not None
        if countable and (origin is None or row.time >= origin):
            clocks[place] = max(clocks.get(place, row.time), row.time)
        times.append(clocks.get(place))
    return times


def countable_rows(
    rows: Sequence[Row], scope: str, origin: int | None, result: Result
) -> Iterator[tuple[int, Row, int]]:
    """(index, row, stream time) of each row that may be in a window; drops the others."""
    for index, (row, clock) in enumerate(zip(rows, stream_times(rows, scope, origin), strict=True)):
        if row.key is None:
            result.drop(index, "null_key", clock)
        elif row.time is None:
            result.drop(index, "null_event_time", clock)
        elif origin is not None and row.time < origin:
            result.drop(index, "before_origin", clock)
        else:
            assert clock is not None
            yield index, row, clock
