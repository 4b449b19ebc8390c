"""Cumulating windows, as Flink's CUMULATE: one start per size, and one end per step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .panes import Panes
from .records import Result, Row
from .task import Task, computed


def cumulating_windows(size: int, step: int, grace: int | None, origin: int | None = None) -> Panes:
    """`size` is a multiple of `step`."""
    assert size % step == 0

    def windows_of(time: int) -> Iterator[tuple[int, int]]:
        zero = origin or 0
        start = zero + (time - zero) // size * size
        for end in range(start + step, start + size + 1, step):
            if end > time:
                yield start, end

    return Panes(windows_of, grace)


def cumulating(
    rows: Sequence[Row],
    size: int,
    step: int,
    grace: int | None,
    origin: int | None = None,
    scope: str = "key",
) -> Result:
    return computed(rows, Task(cumulating_windows(size, step, grace, origin), scope, origin))
