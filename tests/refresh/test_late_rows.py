"""Late rows that are kept as text: each is judged once, whatever tells it from others."""

from __future__ import annotations

import pytest

from tests.harness import DbtProject
from tests.session_models import EVENTS, at, ledger, session_model

SESSIONS = "event_windows.session(gap='10 minutes', grace='0 minutes')"
HOURS = "event_windows.tumbling(size='1 hour', grace='0 minutes', origin='1970-01-01')"
BY_KEY = (
    "event_windows.session(grace='0 minutes', "
    "gap_by=\"if(key = 'a', interval 1 hour, interval 10 minutes)\")"
)


@pytest.mark.slow
def test_rows_that_share_a_number(project: DbtProject) -> None:
    """Nothing says which of them came first; each is dropped or counted, with its own reason."""
    project.create_source("shared", [("k", at(630), 1, 1)], EVENTS)
    for name, window in {"sessions": SESSIONS, "hours": HOURS}.items():
        project.model(name, session_model("shared", window))
    project.run()
    times = {1: at(613), 2: at(621), 3: at(613), 4: at(500), 5: None, 6: at(-40_000_000)}
    project.append("shared", [("k", time, 2, value) for value, time in times.items()])
    project.run()
    # sessions have no origin
    of_no_window = {"sessions": {"null_event_time": 1}, "hours": {"null_event_time": 1}}
    of_no_window["hours"]["before_origin"] = 1
    for name, due in of_no_window.items():
        counted = project.rows(f"select sum(n) as n from {name}")[0].n
        dropped = project.rows(f"select reason, count(*) as n from {name}__dropped group by reason")
        reasons = {row.reason: row.n for row in dropped}
        late = reasons.pop("late")
        assert reasons == due
        assert counted + late == 1 + len(times) - sum(due.values())
        assert ledger(project, name)[-1].rows_late == late


def test_a_gap_that_depends_on_the_key(project: DbtProject) -> None:
    project.create_source("by_key", [("a", at(0), 1, 1), ("b", at(0), 2, 1)], EVENTS)
    project.model("gaps", session_model("by_key", BY_KEY))
    project.run("gaps")
    later = [("a", at(50), 3, 1), ("b", at(50), 4, 1), ("a", at(-70), 5, 1), ("b", at(39), 6, 1)]
    project.append("by_key", later)
    project.run("gaps")
    found = {(row.key, row.n) for row in project.rows("select key, n from gaps")}
    assert found == {("a", 2), ("b", 1)}
    dropped = project.rows("select key, arrival_seq from gaps__dropped")
    assert {(row.key, row.arrival_seq) for row in dropped} == {("a", 5), ("b", 6)}
