"""Hopping windows [start, start + size), one per advance (section 2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .panes import count_in_panes
from .records import Result, Row


def hopping(
    rows: Sequence[Row],
    size: int,
    advance: int,
    grace: int | None,
    origin: int | None = None,
    scope: str = "key",
) -> Result:
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

    return count_in_panes(rows, windows_of, grace, scope, origin)
