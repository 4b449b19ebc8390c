"""Sliding windows of rows without an order, which come refresh by refresh at one instant each.

All rows of an instant go into their windows as if none were late; then the windows that were closed
before it stay as they were. Beside late rows of an earlier instant Kafka makes more windows or
fewer, by the order in which the rows come, and here there is none. So windows are made in two ways,
in turn and by their definition, and a key for which these differ is undecided from there on.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from .records import Row
from .sliding import SlidingWindows, _Contents, _Key

Windows = dict[int, _Contents]


class SlidingAtOnce(SlidingWindows):
    def __init__(
        self,
        difference: int,
        grace: int | None,
        resolution: int = 1,
        origin: int | None = None,
        retention: int | None = None,
    ) -> None:
        super().__init__(difference, grace, resolution, origin, retention)
        self.times: dict[int, int] = {}
        self.undecided: set[Hashable] = set()

    def add(
        self, name: Hashable, arrived: Sequence[tuple[int, Row]], clock: int | None
    ) -> dict[int, str]:
        key = self.keys.setdefault(name, _Key(self.difference, self.resolution))
        if clock is not None and self.retention is not None:
            key.leaves(clock - self.retention)
        new = {index: row.time for index, row in arrived}
        self.times |= new
        made = self._in_turn(key, new)
        changed = {s: made[s] for s in made if made[s] != key.windows.get(s)}
        defined = self._by_definition(key.windows, new)
        kept = {s: of for s, of in changed.items() if not self._is_closed(s, clock)}
        if _rows(kept) != {s: r for s, r in defined.items() if not self._is_closed(s, clock)}:
            self.undecided.add(name)
        reasons = {i: self._reason(i, defined, clock) for i in new}
        if reasons != {i: self._reason(i, _rows(changed), clock) for i in new}:
            self.undecided.add(name)
        key.windows |= kept
        return {index: reason for index, reason in reasons.items() if reason}

    def _in_turn(self, key: _Key, new: dict[int, int]) -> Windows:
        """All windows after the rows, one after the other, in the order of their time."""
        copy = _Key(self.difference, self.resolution)
        copy.windows = dict(key.windows)
        for index, time in sorted(new.items(), key=lambda row: row[1]):
            copy.add(index, time, None, self.origin)
        return copy.windows

    def _by_definition(self, stored: Windows, new: dict[int, int]) -> dict[int, set[int]]:
        """The windows to the left and to the right of each row that counts; of those that change.

        One that is there holds what it held; one that is not holds all that counts in any.
        """
        counted = {index for window in stored.values() for index in window.rows}
        starts = {*stored, *(self._left_of(time) for time in new.values())}
        starts |= {self.times[index] + self.resolution for index in counted | new.keys()}
        after_new = {time + self.resolution for time in new.values()}
        result = {}
        for start in starts:
            is_there = start in stored
            old = {*stored[start].rows} if is_there else self._inside(start, counted)
            fresh = self._inside(start, new)
            if fresh or (old and start in after_new and not is_there):
                result[start] = old | fresh
        return result

    def _left_of(self, time: int) -> int:
        start = time - self.difference
        return start if self.origin is None else max(start, self.origin)

    def _inside(self, start: int, rows: set[int] | dict[int, int]) -> set[int]:
        return {index for index in rows if 0 <= self.times[index] - start <= self.difference}

    def _is_closed(self, start: int, clock: int | None) -> bool:
        bounded = self.grace is not None and clock is not None
        return bounded and start + self.difference < clock - self.grace

    def _reason(self, index: int, windows: dict[int, set[int]], clock: int | None) -> str | None:
        closed = [self._is_closed(start, clock) for start, rows in windows.items() if index in rows]
        if all(closed):
            return "late"
        return "late_partial" if any(closed) else None


def _rows(windows: Windows) -> dict[int, set[int]]:
    return {start: {*window.rows} for start, window in windows.items()}
