"""The sliding windows of one key while its rows are replayed."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import inf

# A time, or minus infinity where there is no bound.
Bound = int | float


@dataclass(slots=True)
class SlidingWindow:
    """The window [start, start + difference]: all that is in the stored window `base`, and `rows`.

    `newest` is the largest event time in it. `base` and `rows` are positions among the input
    items. All times have one unit, microseconds in Spark.
    """

    start: int
    newest: int
    base: int | None = None
    rows: list[int] = field(default_factory=list)
    is_stored: bool = False

    def copy(self, start: int) -> SlidingWindow:
        """A new window with the same contents."""
        return SlidingWindow(start, self.newest, self.base, self.rows.copy())

    def count(self, row: int, time: int) -> None:
        self.rows.append(row)
        if time > self.newest:
            self.newest = time


class LiveSlidingWindows:
    """One key's windows, in ascending order of their start."""

    __slots__ = ("_difference", "_origin", "_resolution", "_starts", "_windows")

    def __init__(
        self,
        stored: Iterable[SlidingWindow],
        difference: int,
        resolution: int,
        origin: int | None,
    ) -> None:
        self._windows = sorted(stored, key=lambda window: window.start)
        self._starts = [window.start for window in self._windows]
        self._difference = difference
        self._resolution = resolution
        self._origin = origin

    def changed(self) -> Iterator[SlidingWindow]:
        """The windows that are not as they were stored."""
        return (window for window in self._windows if window.rows or not window.is_stored)

    def add(self, row: int, time: int, open_from: Bound = -inf, found_from: Bound = -inf) -> bool:
        """Count a row in its windows; returns whether it missed one that is closed.

        Windows that start before `open_from` are closed. Those that start before `found_from` have
        left the state: nothing finds them, and a new window takes the place of one.

        Step by step as Kafka Streams does it (KIP-450, KStreamSlidingWindowAggregate), since after
        late rows what is made depends on the windows that are there, not on the rows alone.
        """
        if time < open_from:
            return True
        left = time - self._difference
        clamped = self._origin is not None and left < self._origin
        if self._origin is not None and clamped:
            left = self._origin
        found = bisect_left(self._starts, max(left - self._difference, found_from))
        inside = max(found, bisect_left(self._starts, left))
        holding = self._windows[inside : bisect_right(self._starts, time)]

        at_left = holding[0] if holding and holding[0].start == left else None
        # The last one that ends before the row. The one at the origin stands in for it there.
        ended = self._windows[inside - 1] if inside > found and not clamped else None
        before = ended or at_left

        made: list[SlidingWindow] = []
        copies: list[SlidingWindow] = []
        # At the origin several rows share a left window, so that it tells nothing about this one.
        if at_left is None or clamped or at_left.newest < time:
            if before is not None and before.newest < time:
                start = before.newest + self._resolution
                reaches = start + self._difference >= time
                # At `left` it would be the left window, which comes next.
                if reaches and start > left and not self._has(start, found_from):
                    made.append(SlidingWindow(start, time))
            if at_left is None:
                reaches = ended is not None and ended.newest >= left
                made.append(ended.copy(left) if ended and reaches else SlidingWindow(left, time))
            start = time + self._resolution
            if holding and holding[-1].newest > time and not self._has(start, found_from):
                copies.append(holding[-1].copy(start))

        missed = False
        for window in holding:
            if window.start < open_from:
                missed = True
            else:
                window.count(row, time)
        for window in made:
            if window.start < open_from:
                missed = True
            else:
                window.count(row, time)
                self._put(window)
        # Without the row in it, this one is made even if it is closed.
        for window in copies:
            self._put(window)
        return missed

    def _has(self, start: int, found_from: Bound) -> bool:
        position = bisect_left(self._starts, start)
        is_there = position < len(self._starts) and self._starts[position] == start
        return is_there and start >= found_from

    def _put(self, window: SlidingWindow) -> None:
        position = bisect_left(self._starts, window.start)
        if position < len(self._starts) and self._starts[position] == window.start:
            self._windows[position] = window
        else:
            self._starts.insert(position, window.start)
            self._windows.insert(position, window)
