"""Stream time: the largest event time so far in a scope, the current row included (section 1)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from .records import Result, Row, Window
from .task import Task


class _NoWindows:
    def add(
        self, key: Hashable, arrived: Sequence[tuple[int, Row]], clock: int | None
    ) -> dict[int, str]:
        return {}

    def windows(self) -> list[Window]:
        return []

    def is_closed(self, window: Window, clock: int) -> bool:
        return False


def stream_times(rows: Sequence[Row], scope: str, origin: int | None = None) -> list[int | None]:
    """The stream time of each row's scope (`key`, `partition` or `global`) at its arrival."""
    task = Task(_NoWindows(), scope, origin)
    times = []
    for row in rows:
        task.receive(row)
        times.append(task.clock(row))
    return times


def countable_rows(
    rows: Sequence[Row], scope: str, origin: int | None, result: Result
) -> Iterator[tuple[int, Row, int]]:
    """(index, row, stream time) of each row that may be in a window; drops the others."""
    task = Task(_NoWindows(), scope, origin, dropped=result)
    for index, row in enumerate(rows):
        before = len(result.dropped)
        task.receive(row)
        if len(result.dropped) == before:
            clock = task.clock(row)
            assert clock is not None
            yield index, row, clock
