"""What windows at fixed places share: each row is in given [start, end) windows (section 2)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence

from .records import Row, Window


class Panes:
    """A row counts in each of its windows that is open: end > stream time - grace.

    Retention changes nothing here: a window that has left the state has closed before.
    """

    def __init__(
        self, windows_of: Callable[[int], Iterable[tuple[int, int]]], grace: int | None
    ) -> None:
        self.windows_of = windows_of
        self.grace = grace
        self.contents: dict[tuple[Hashable, int, int], list[int]] = {}

    def add(
        self, key: Hashable, arrived: Sequence[tuple[int, Row]], clock: int | None
    ) -> dict[int, str]:
        reasons = {}
        for index, row in arrived:
            counted = missed = 0
            for start, end in self.windows_of(row.time):
                if self.grace is None or clock is None or end > clock - self.grace:
                    self.contents.setdefault((key, start, end), []).append(index)
                    counted += 1
                else:
                    missed += 1
            if missed:
                reasons[index] = "late_partial" if counted else "late"
        return reasons

    def windows(self) -> list[Window]:
        return [Window(*place, tuple(indices)) for place, indices in self.contents.items()]

    def is_closed(self, window: Window, clock: int) -> bool:
        return self.grace is not None and clock >= window.end + self.grace
