"""Parts of new rows, a refresh each: of large numbers, and where rows have gone from the source."""

from __future__ import annotations

from typing import Any

from tests.explain.told import came_true, explained
from tests.harness import DbtProject
from tests.session_models import EVENTS, at, events, ledger, session_model

LARGE = 10**18  # doubles are 128 apart here
TUMBLING = "event_windows.tumbling(size='1 hour', grace='1 day')"
MOST = "event_windows__max_rows_per_refresh"


def numbered(*numbers: int) -> list[tuple[Any, ...]]:
    return [("a", at(number), LARGE + number, number) for number in numbers]


def test_each_number_is_read_once(project: DbtProject) -> None:
    """Beyond 2^53 doubles do not tell one number from the next."""
    project.create_source("ids", numbered(*range(1, 101)), EVENTS)
    project.model("ids_m", session_model("ids", TUMBLING))
    project.run("ids_m")
    read = 100
    for last in (120, 125, 129, 150):
        rows = numbered(*range(read + 1, last + 1))
        project.append("ids", rows)
        project.run("ids_m", vars={MOST: 10})
        assert project.rows("select sum(n) as n from ids_m")[0].n == last
        read = last
    refreshes = sorted(ledger(project, "ids_m"), key=lambda line: line.arrival_to)
    assert refreshes[-1].arrival_to == LARGE + 150
    assert [line.rows_read for line in refreshes] == [100, 10, 10, 5, 4, 10, 10, 1]


def test_rows_that_went_are_no_reason_to_read_all_new_ones_at_once(project: DbtProject) -> None:
    project.create_source("trimmed", events([("a", n) for n in range(30)]), EVENTS)
    project.model("trimmed_m", session_model("trimmed", TUMBLING))
    project.run("trimmed_m")
    project.rows("delete from trimmed where arrival_seq < 25")
    for first in (30, 36):
        project.append("trimmed", events([("a", first + n) for n in range(6)], first))
        project.run("trimmed_m", vars={MOST: 2})
    refreshes = sorted(ledger(project, "trimmed_m"), key=lambda line: line.arrival_to)
    assert [line.rows_read for line in refreshes] == [30, 2, 2, 2, 2, 2, 2]


def test_rows_in_order_are_not_replayed_however_far_apart_they_lie(project: DbtProject) -> None:
    """Nor counted for what a replay of them would take."""
    project.create_source("spread", events([("a", n) for n in range(3)]), EVENTS)
    window = "event_windows.sliding(difference='10 minutes', grace='10 minutes')"
    project.model("spread_m", session_model("spread", window))
    project.run("spread_m")
    last = 1202
    project.append("spread", events([("a", n) for n in range(3, last + 1)], 3))
    told = explained(project, "spread_m")["spread_m"]
    statements = came_true(project, told, vars={"event_windows__max_rows_per_key": 5000})
    assert "late_rows" not in statements.steps_of("spread_m")
    ending = sum(min(n + 1, 11) for n in range(last + 1))
    after = sum(min(last - n, 10) for n in range(last))
    assert project.rows("select sum(n) as n from spread_m")[0].n == ending + after


def test_the_first_part_counts_no_row(project: DbtProject) -> None:
    """No row of the table bears how far that one read."""
    project.create_source("keyless", events([(None, 0), (None, 1), ("a", 2), ("a", 3)]), EVENTS)
    project.model("keyless_m", session_model("keyless", TUMBLING))
    project.run("keyless_m", vars={MOST: 1})
    project.append("keyless", events([("a", 4)], 4))
    project.run("keyless_m")
    assert [row.n for row in project.rows("select n from keyless_m")] == [3]
    assert sum(line.rows_read for line in ledger(project, "keyless_m")) == 5
