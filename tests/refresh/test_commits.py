"""How many commits a run makes: each costs time, and others may come between two."""

from __future__ import annotations

from tests.formats import commits
from tests.harness import DbtProject
from tests.session_models import EVENTS, events, ledger, session_model

WINDOW = "event_windows.session(gap='30 minutes', grace='20 minutes')"
TABLES = ["{}", "{}__ew_clocks", "{}__dropped", "event_windows_runs"]
FIRST = events([("a", 0), ("b", 10), ("a", 500)])
ON_TIME = events([("a", 510), ("b", 600)], first_arrival=3)
# behind the clock of its key by more than the grace, and too far from a window to join it
LATE = events([("a", 700), ("a", 100), ("b", 610)], first_arrival=5)


def test_a_refresh_is_one_commit_and_its_line_in_the_ledger(project: DbtProject) -> None:
    """With late rows what became of them is a commit more, which counts once the first is there."""
    project.model("watched", session_model("clicks", WINDOW))
    project.create_source("clicks", FIRST, EVENTS)
    project.run("watched")
    assert _made(project, ON_TIME) == {"{}": 1, "event_windows_runs": 1}
    assert _made(project, LATE) == {"{}": 1, "{}__dropped": 1, "event_windows_runs": 1}
    assert [row.rows_late for row in ledger(project, "watched")] == [0, 0, 1]


def _made(project: DbtProject, rows: list[tuple[object, ...]]) -> dict[str, int]:
    """The commits of each table that a refresh over new rows makes, whatever they write."""
    before = {table: commits(project, table.format("watched")) for table in TABLES}
    project.append("clicks", rows)
    project.run("watched")
    after = {table: commits(project, table.format("watched")) for table in TABLES}
    return {table: after[table] - before[table] for table in TABLES if after[table] > before[table]}
