"""Cumulating windows, as Flink's CUMULATE: one start per size, and one end per step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .panes import count_in_panes
from .records import Result, Row


def cumulating(
    rows: Sequence[Row],
    size: int,
    step: int,
    grace: int | None,
    origin: int | None = None,
    scope: str = "key",
) -> Result:
    """`size` is a multiple of `step`."""
    assert size % step == 0

    def windows_of(time: int) -> Iterator[tuple[int, int]]:
        zero = origin or 0
        start = zero + (time - zero) // size * size
        for end in range(start + step, start + size + 1, step):
            if end > time:
                yield start, end

    return count_in_panes(rows, windows_of, grace, scope, origin)
