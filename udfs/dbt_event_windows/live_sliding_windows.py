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


class LiveSlidingWindows:
    """One key's windows, in ascending order of their start.

    `places` is how often a row was put into a window: near enough how much memory they take.
    """

    __slots__ = ("_difference", "_origin", "_resolution", "_starts", "_windows", "places")

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
        self.places = 0

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
        at_origin = self._origin is not None and left < self._origin
        if self._origin is not None and at_origin:
            left = self._origin
        found = bisect_left(self._starts, max(left - self._difference, found_from))
        inside = max(found, bisect_left(self._starts, left))
        holding = self._windows[inside : bisect_right(self._starts, time)]
        at_left = holding[0] if holding and holding[0].start == left else None
        ended = self._windows[inside - 1] if inside > found and not at_origin else None

        made: list[SlidingWindow] = []
        behind: list[SlidingWindow] = []
        # All that a row can make was made by one at the same time, if that has this left window.
        # The window at the origin is the left window of several times.
        if at_left is None or at_left.newest < time or at_origin:
            made += self._right_of_previous(time, left, ended or at_left, found_from)
            if at_left is None:
                reaches = ended is not None and ended.newest >= left
                made.append(ended.copy(left) if ended and reaches else SlidingWindow(left, time))
            behind += self._right_of_row(time, holding, found_from)

        kept = [window for window in made if window.start >= open_from]
        opened = bisect_left(self._starts, open_from, inside, inside + len(holding)) - inside
        for window in (*holding[opened:], *kept):
            window.rows.append(row)
            if window.newest < time:
                window.newest = time
        # The row is not in the window behind it, which is made even if it is closed.
        self.places += len(holding) - opened
        for window in (*kept, *behind):
            self.places += len(window.rows)
            self._put(window)
        return opened > 0 or len(kept) < len(made)

    def _right_of_previous(
        self, time: int, left: int, before: SlidingWindow | None, found_from: Bound
    ) -> Iterator[SlidingWindow]:
        """The window just after the row before this one, if it is not there and reaches this one.

        That row is the newest in the last window that ended before this one or, failing that, in
        the one that ends with it.
        """
        if before is not None and before.newest < time:
            start = before.newest + self._resolution
            # The one at `left` is the left window.
            is_new = start > left and not self._has(start, found_from)
            if is_new and start + self._difference >= time:
                yield SlidingWindow(start, time)

    def _right_of_row(
        self, time: int, holding: list[SlidingWindow], found_from: Bound
    ) -> Iterator[SlidingWindow]:
        """The window just after the row, if it is not there and some row is in it.

        The last window that holds the row has then no other rows than those after it.
        """
        start = time + self._resolution
        if holding and holding[-1].newest > time and not self._has(start, found_from):
            yield holding[-1].copy(start)

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
