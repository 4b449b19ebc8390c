"""The sessions of one key while its rows are replayed."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate


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
    one, so normally none of a key's sessions touch each other. A session that left the state cannot
    be joined any more, though, and a new one may lie across it. So beside each session stands how
    far it and those before it reach: a search goes back only as far as one can be that touches.
    """

    __slots__ = ("_firsts", "_reached", "_sessions")

    def __init__(self, sessions: Iterable[Session]) -> None:
        self._sessions = sorted(sessions, key=lambda session: session.first)
        self._firsts = [session.first for session in self._sessions]
        self._reached = list(accumulate((session.reach for session in self._sessions), max))

    def touched(self, first: int, reach: int, oldest_last: int | None) -> list[int]:
        """Positions, descending, of the sessions that touch `[first, reach]`.

        Sessions with `last` before `oldest_last` have left the state and are not found.
        """
        found = []
        for position in range(bisect_right(self._firsts, reach) - 1, -1, -1):
            if self._reached[position] < first:
                break
            session = self._sessions[position]
            has_left = oldest_last is not None and session.last < oldest_last
            if session.reach >= first and not has_left:
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
        owners = [self._sessions[position].owner for position in positions]
        for position in positions:  # descending, so the positions to come stay right
            del self._firsts[position], self._sessions[position], self._reached[position]
        position = bisect_left(self._firsts, hull.first)
        self._firsts.insert(position, hull.first)
        self._sessions.insert(position, hull)
        self._reached.insert(position, hull.reach)
        # None of those that went began before the hull. Behind them all is as it was from where
        # the furthest reach is.
        same_from = positions[0] + 2 - len(positions) if positions else position + 1
        reached = self._reached[position - 1] if position else hull.reach
        for place in range(position, len(self._sessions)):
            reached = max(reached, self._sessions[place].reach)
            if place >= same_from and self._reached[place] == reached:
                break
            self._reached[place] = reached
        return owners
