"""Hopping windows [start, start + size), one per advance (section 2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .panes import Panes
from .records import Result, Row
from .task import Task, computed


def hopping_windows(size: int, advance: int, grace: int | None, origin: int | None = None) -> Panes:
    """`origin` none: aligned to 0 with no first window; otherwise no window starts before it."""

    def windows_of(time: int) -> Iterator[tuple[int, int]]:
        zero = origin or 0
        earliest = time - zero - size + advance
        if origin is not None:
            earliest = max(0, earliest)
        start = zero + earliest // advance * advance
        while start <= time:
            yield start, start + size
            start += advance

    return Panes(windows_of, grace)


def hopping(
    rows: Sequence[Row],
    size: int,
    advance: int,
    grace: int | None,
    origin: int | None = None,
    scope: str = "key",
) -> Result:
    return computed(rows, Task(hopping_windows(size, advance, grace, origin), scope, origin))
