"""Sliding windows [start, start + difference], both inclusive (KIP-450; section 4).

Follows Kafka's record-at-a-time algorithm to the letter, because with late rows no description of
the resulting set of windows is exact.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from .records import Result, Row, Window
from .task import Task, computed


@dataclass(frozen=True)
class _Contents:
    rows: tuple[int, ...] = ()
    newest: int | None = None  # the largest event time in the window

    def plus(self, index: int, time: int) -> _Contents:
        newest = time if self.newest is None else max(self.newest, time)
        return _Contents((*self.rows, index), newest)


class _Key:
    """The windows of one key, and what the current row did to them."""

    def __init__(self, difference: int, resolution: int) -> None:
        self.difference = difference
        self.resolution = resolution
        self.windows: dict[int, _Contents] = {}
        self.left: dict[int, _Contents] = {}

    def leaves(self, before: int) -> None:
        """Windows that end before an instant leave the state."""
        for start in [start for start in self.windows if start + self.difference < before]:
            self.left[start] = self.windows.pop(start)

    def add(self, index: int, time: int, closes: int | None, origin: int | None) -> str | None:
        """Count a row; returns why it is not counted in full, if so."""
        self.index, self.time, self.closes = index, time, closes
        self.counted = self.missed = 0
        if closes is not None and time + self.difference < closes:
            return "late"
        if origin is not None and time - origin < self.difference:
            self._add_early(origin)
        else:
            self._add(time - 2 * self.difference, origin)
        if not self.missed:
            return None
        return "late_partial" if self.counted else "late"

    def _put(self, start: int, before: _Contents) -> None:
        """The window becomes `before` and the row, unless it is closed."""
        if self.closes is not None and start + self.difference < self.closes:
            self.missed += 1
        else:
            self.counted += 1
            self.windows[start] = before.plus(self.index, self.time)

    def _put_right_of_previous(self, previous: int | None, seen: set[int]) -> None:
        if previous is None:
            return
        start = previous + self.resolution
        if start not in seen and start + self.difference >= self.time:
            self._put(start, _Contents())

    def _put_right_of_row(self, overlapping: _Contents | None, seen: set[int]) -> None:
        """What lies to the right of the row, without it: no close test in Kafka."""
        start = self.time + self.resolution
        if start not in seen and overlapping is not None and overlapping.newest > self.time:
            self.windows[start] = overlapping

    def _add(self, earliest: int, origin: int | None) -> None:
        time, size = self.time, self.difference
        if origin is not None:
            earliest = max(origin, earliest)
        seen: set[int] = set()
        left: _Contents | None = None
        right: _Contents | None = None
        previous: int | None = None
        for start in sorted(self.windows, reverse=True):
            if not earliest <= start <= time + self.resolution:
                continue
            seen.add(start)
            window = self.windows[start]
            if start == time + self.resolution:
                continue
            if start + size > time:
                right = right or window
                self._put(start, window)
            elif start + size == time:
                self._put(start, window)
                if window.newest == time:
                    return
                previous = window.newest
            else:
                left, previous = window, window.newest
                break
        self._put_right_of_previous(previous, seen)
        if time - size not in seen:
            reaches = previous is not None and previous >= time - size
            self._put(time - size, left if reaches and left else _Contents())
        self._put_right_of_row(right, seen)

    def _add_early(self, origin: int) -> None:
        """A row nearer to the origin than the difference: [origin, ...] is its left window."""
        time = self.time
        seen: set[int] = set()
        combined: _Contents | None = None
        right: _Contents | None = None
        previous: int | None = None
        for start in sorted(self.windows):
            if not origin <= start <= time + self.resolution:
                continue
            seen.add(start)
            window = self.windows[start]
            if start == origin:
                combined = window
                if window.newest < time:
                    previous = window.newest
            elif start <= time:
                right = window
                self._put(start, window)
        if right is None and combined is not None and combined.newest > time:
            right = combined
        self._put_right_of_row(right, seen)
        self._put_right_of_previous(previous, seen)
        self._put(origin, combined or _Contents())


class SlidingWindows:
    """`origin`: no window starts before it; with 0, as in Kafka. None: there is no first window.

    Windows with end < stream time less `retention` have left the state, where no row sees them.
    """

    def __init__(
        self,
        difference: int,
        grace: int | None,
        resolution: int = 1,
        origin: int | None = None,
        retention: int | None = None,
    ) -> None:
        self.difference, self.grace, self.resolution = difference, grace, resolution
        self.origin, self.retention = origin, retention
        self.keys: dict[Hashable, _Key] = {}

    def add(
        self, name: Hashable, arrived: Sequence[tuple[int, Row]], clock: int | None
    ) -> dict[int, str]:
        """Rows that came in an order; for those of one instant see `SlidingAtOnce`."""
        key = self.keys.setdefault(name, _Key(self.difference, self.resolution))
        if clock is not None and self.retention is not None:
            key.leaves(clock - self.retention)
        reasons = {}
        for index, row in arrived:
            closes = None if self.grace is None or clock is None else clock - self.grace
            reason = key.add(index, row.time, closes, self.origin)
            if reason:
                reasons[index] = reason
        return reasons

    def windows(self) -> list[Window]:
        return [
            Window(name, start, start + self.difference, tuple(sorted(contents.rows)))
            for name, key in self.keys.items()
            for start, contents in [*key.left.items(), *key.windows.items()]
        ]

    def is_closed(self, window: Window, clock: int) -> bool:
        return self.grace is not None and clock > window.end + self.grace


def sliding(
    rows: Sequence[Row],
    difference: int,
    grace: int | None,
    resolution: int = 1,
    origin: int | None = None,
    scope: str = "key",
) -> Result:
    windows = SlidingWindows(difference, grace, resolution, origin)
    return computed(rows, Task(windows, scope, origin))
