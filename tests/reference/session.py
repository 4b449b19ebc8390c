"""Session windows [first event, last event], both inclusive (section 3, ample retention)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from .clock import countable_rows
from .records import Result, Row, Window


@dataclass(frozen=True)
class _Session:
    first: int
    last: int
    reach: int  # the last instant that joins: the largest time + gap of its rows
    rows: tuple[int, ...]


def session(
    rows: Sequence[Row],
    gap: int | None,
    grace: int | None,
    retention: int | None = None,
    scope: str = "key",
) -> Result:
    """`gap` none: each row brings its own. `retention` none: sessions never leave the state.

    A session has left the state for a row if its last event is before the row's stream time less
    `retention`; then the row does not join it.
    """
    result = Result()
    sessions: dict[Hashable, list[_Session]] = {}
    for index, row, clock in countable_rows(rows, scope, None, result):
        reach = row.time + (row.gap if gap is None else gap)
        touched = [
            s
            for s in sessions.get(row.key, [])
            if s.first <= reach
            and s.reach >= row.time
            and not (retention is not None and s.last < clock - retention)
        ]
        hull = _Session(
            min([row.time, *(s.first for s in touched)]),
            max([row.time, *(s.last for s in touched)]),
            max([reach, *(s.reach for s in touched)]),
            tuple(sorted([index, *(i for s in touched for i in s.rows)])),
        )
        if grace is not None and hull.reach < clock - grace:
            result.drop(index, "late", clock)
            continue
        others = [s for s in sessions.get(row.key, []) if s not in touched]
        sessions[row.key] = [*others, hull]
    result.windows = [
        Window(key, s.first, s.last, s.rows) for key, held in sessions.items() for s in held
    ]
    return result
