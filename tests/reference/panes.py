"""What tumbling, hopping and cumulating windows share: fixed [start, end) windows (section 2)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence

from .clock import countable_rows
from .records import Result, Row, Window


def count_in_panes(
    rows: Sequence[Row],
    windows_of: Callable[[int], Iterable[tuple[int, int]]],
    grace: int | None,
    scope: str,
    origin: int | None,
) -> Result:
    """Count each row in each of its windows that is open: end > stream time - grace."""
    result = Result()
    contents: dict[tuple[Hashable, int, int], list[int]] = {}
    for index, row, clock in countable_rows(rows, scope, origin, result):
        counted = missed = 0
        for start, end in windows_of(row.time):
            if grace is None or end > clock - grace:
                contents.setdefault((row.key, start, end), []).append(index)
                counted += 1
            else:
                missed += 1
        if missed:
            result.drop(index, "late_partial" if counted else "late", clock)
    result.windows = [
        Window(key, start, end, tuple(indices)) for (key, start, end), indices in contents.items()
    ]
    return result
