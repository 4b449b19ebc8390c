"""emit='final' under random cuts, for the window types whose closed windows no later row changes.

That is all but sessions: what becomes of a row near a session that has closed is Kafka's to say in
the vectors' clean cases.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tests.harness import DbtProject
from tests.reference.clock import stream_times
from tests.windows.cases import arrivals, drawn, expected, found, model, records

# The scope of stream time, the origin in seconds, and whether a window has closed (RULES 2 and 4).
Closed = Callable[[int, int], bool]
TABLES: dict[str, tuple[str, int | None, Closed]] = {
    "tumbling": ("global", 2, lambda end, clock: clock >= end + 3),
    "hopping": ("key", None, lambda end, clock: clock >= end + 2),
    "cumulating": ("global", None, lambda end, clock: clock >= end),
    "sliding": ("key", 0, lambda end, clock: clock > end + 4),
}


def clocks(rows: Sequence[tuple[Any, ...]], scope: str, origin: int | None) -> dict[Any, int]:
    """Stream time after the rows, by (group, key)."""
    counted = records(rows)
    times = stream_times(counted, scope, origin)
    after = {
        record.key: time
        for record, time in zip(counted, times, strict=True)
        if record.key is not None and time is not None
    }
    return dict.fromkeys(after, max(after.values(), default=0)) if scope == "global" else after


@pytest.mark.slow
@pytest.mark.parametrize("kinds", [("cumulating",), ("tumbling", "hopping", "sliding")])
def test_each_window_comes_once_and_as_it_ended(
    project: DbtProject, kinds: tuple[str, ...]
) -> None:
    cases = drawn(1, 60)[0]
    for kind in kinds:
        scope = TABLES[kind][0]
        sql = model(kind, scope, "cases").replace("'windowed'", "'windowed', emit='final'")
        project.model(kind, sql)
    before: dict[str, set[Any]] = {kind: set() for kind in kinds}
    for number, arrived in enumerate(arrivals(project, cases)):
        project.run(*kinds, full_refresh=number == 0)
        for kind in kinds:
            scope, origin, is_closed = TABLES[kind]
            windows, dropped = expected(kind, scope, arrived)
            after = clocks(arrived, scope, origin)
            closed = {w for w in windows if is_closed(w[3], after[w[0], w[1]])}
            published = found(project, kind)
            assert published == (closed, dropped)
            assert before[kind] <= published[0]
            before[kind] = published[0]
    assert all(before.values())
