"""The sessions of one key while its rows are replayed."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(slots=True)
class Session:
    """A session `[first, last]`, both inclusive, and `reach`: the last instant that joins it.

    `owner` names it among the input items. All times have one unit, microseconds in Spark.
    """

    owner: int
    first: int
    last: int
    reach: int


class LiveSessions:
    """One key's sessions, in ascending order of their first event.

    Two sessions touch when their `[first, reach]` meet, ends included. Sessions that touch become
    one, so normally none of a key's sessions touch each other and a search can stop at the first
    that ends too early. A session that left the state cannot be joined any more, though, and a new
    one may lie across it: from then on the search goes back as far as the widest session.
    """

    __slots__ = ("_firsts", "_overlapping", "_sessions", "_widest")

    def __init__(self, sessions: Iterable[Session]) -> None:
        self._sessions = sorted(sessions, key=lambda session: session.first)
        self._firsts = [session.first for session in self._sessions]
        self._widest = 0
        self._overlapping = False
        reached: int | None = None
        for session in self._sessions:
            self._widest = max(self._widest, session.reach - session.first)
            if reached is not None:
                self._overlapping = self._overlapping or session.first <= reached
                reached = max(reached, session.reach)
            else:
                reached = session.reach

    def touched(self, first: int, reach: int, oldest_last: int | None) -> list[int]:
        """Positions, descending, of the sessions that touch `[first, reach]`.

        Sessions with `last` before `oldest_last` have left the state and are not found.
        """
        sessions = self._sessions
        found = []
        for position in range(bisect_right(self._firsts, reach) - 1, -1, -1):
            session = sessions[position]
            if session.reach < first:
                if not self._overlapping or session.first < first - self._widest:
                    break
            elif oldest_last is not None and session.last < oldest_last:
                self._overlapping = True
            else:
                found.append(position)
        return found

    def hull(self, positions: list[int], row: Session) -> Session:
        """`row` together with the sessions at `positions`, under the owner of one of those."""
        hull = Session(row.owner, row.first, row.last, row.reach)
        for position in positions:
            session = self._sessions[position]
            hull.owner = session.owner
            hull.first = min(hull.first, session.first)
            hull.last = max(hull.last, session.last)
            hull.reach = max(hull.reach, session.reach)
        return hull

    def replace(self, positions: list[int], hull: Session) -> list[int]:
        """Put `hull` in the place of the sessions at `positions`; returns the owners of those."""
        self._widest = max(self._widest, hull.reach - hull.first)
        owners = [self._sessions[position].owner for position in positions]
        for position in positions:  # descending, so the positions to come stay right
            del self._firsts[position], self._sessions[position]
        position = bisect_left(self._firsts, hull.first)
        self._firsts.insert(position, hull.first)
        self._sessions.insert(position, hull)
        return owners
