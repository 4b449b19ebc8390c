"""Session windows [first event, last event], both inclusive (section 3, ample retention)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from .records import Result, Row, Window
from .task import Task, computed


@dataclass(frozen=True)
class _Session:
    first: int
    last: int
    reach: int  # the last instant that joins: the largest time + gap of its rows
    rows: tuple[int, ...]

    def touches(self, other: _Session) -> bool:
        return self.first <= other.reach and other.first <= self.reach

    def with_all(self, others: Sequence[_Session]) -> _Session:
        held = [self, *others]
        return _Session(
            min(s.first for s in held),
            max(s.last for s in held),
            max(s.reach for s in held),
            tuple(sorted(index for s in held for index in s.rows)),
        )


class Sessions:
    """`gap` none: each row brings its own; null or negative is none, it joins what reaches it.

    A session has left the state if its last event is before stream time less `retention`; then no
    row joins it. `retention` none: sessions never leave.
    """

    def __init__(self, gap: int | None, grace: int | None, retention: int | None = None) -> None:
        self.gap, self.grace, self.retention = gap, grace, retention
        self.sessions: dict[Hashable, list[_Session]] = {}

    def add(
        self, key: Hashable, arrived: Sequence[tuple[int, Row]], clock: int | None
    ) -> dict[int, str]:
        """Rows at one instant are tested together, with all that they join, as a single one is."""
        held = self.sessions.setdefault(key, [])
        live = [s for s in held if not self._has_left(s, clock)]
        hulls = list(live)
        for index, row in arrived:
            own = _Session(row.time, row.time, self._reach(row), (index,))
            touched = [s for s in hulls if s.touches(own)]
            hulls = [s for s in hulls if s not in touched] + [own.with_all(touched)]
        late = [s for s in hulls if s not in live and self._is_late(s.reach, clock)]
        kept = [s for s in live if any(s.touches(hull) for hull in late)]
        self.sessions[key] = [
            *(s for s in held if s not in live),
            *(s for s in hulls if s not in late),
            *kept,
        ]
        new = {index for index, _ in arrived}
        return {index: "late" for hull in late for index in hull.rows if index in new}

    def _reach(self, row: Row) -> int:
        return row.time + (max(row.gap or 0, 0) if self.gap is None else self.gap)

    def _has_left(self, session: _Session, clock: int | None) -> bool:
        bounded = self.retention is not None and clock is not None
        return bounded and session.last < clock - self.retention

    def _is_late(self, reach: int, clock: int | None) -> bool:
        return self.grace is not None and clock is not None and reach < clock - self.grace

    def windows(self) -> list[Window]:
        return [
            Window(key, s.first, s.last, s.rows)
            for key, held in self.sessions.items()
            for s in held
        ]

    def is_closed(self, window: Window, clock: int) -> bool:
        """Of sessions with one gap for all rows."""
        return self._is_late(window.end + self.gap, clock)


def session(
    rows: Sequence[Row],
    gap: int | None,
    grace: int | None,
    retention: int | None = None,
    scope: str = "key",
) -> Result:
    return computed(rows, Task(Sessions(gap, grace, retention), scope))
