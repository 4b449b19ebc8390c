"""Late rows that are kept as text: each is judged once, whatever tells it from others."""

from __future__ import annotations

import pytest

from tests.harness import DbtProject, killed_after, sampled
from tests.session_models import EVENTS, at, counted, events, ledger, session_model

SESSIONS = "event_windows.session(gap='10 minutes', grace='0 minutes')"
HOURS = "event_windows.tumbling(size='1 hour', grace='0 minutes', origin='1970-01-01')"
BY_KEY = (
    "event_windows.session(grace='0 minutes', "
    "gap_by=\"if(key = 'a', interval 1 hour, interval 10 minutes)\")"
)
SLIDING = "event_windows.sliding(difference='10 minutes', grace='5 minutes', resolution='1 minute')"


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


def test_rows_that_share_a_number_come_in_the_order_of_their_times(project: DbtProject) -> None:
    """So a full refresh judges them alike: one of them, read first, would bring the other in."""
    project.create_source("tied", [(key, at(1000), 1, 1) for key in "ab"], EVENTS)
    project.model("tied_s", session_model("tied", SESSIONS))
    project.run()
    times = {"a": [983, 992], "b": [992, 983]}
    project.append("tied", [(key, at(one), 2, 1) for key in times for one in times[key]])
    project.run()
    late = project.rows("select key, minute(event_time) as m from tied_s__dropped order by key")
    assert [tuple(row) for row in late] == [("a", 983 % 60), ("b", 983 % 60)]


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


# Of a row at 86 the windows that hold it are closed at 100, and the one behind it is not.
BEHIND = {("a", 78, 88, 1), ("a", 87, 97, 1), ("a", 90, 100, 1)}


@pytest.mark.parametrize("emit", sampled(["updates", "final"], ["updates"]))
def test_a_late_row_alone_makes_the_window_behind_it(project: DbtProject, emit: str) -> None:
    """Also where its run is killed after its commit, or after it has published."""
    source = f"behind_{emit}"
    kills = {"updates": (0, 2), "final": (0, 2, 4)}[emit]
    names = [f"{source}_{kill}" for kill in kills]
    project.create_source(source, events([("a", 88), ("a", 100)]), EVENTS)
    for name in names:
        project.model(name, session_model(source, SLIDING, config={"emit": emit}))
    project.run(*names)
    project.append(source, events([("a", 86)], 2))
    for kill, name in zip(kills, names, strict=True):
        if kill:
            with killed_after(kill):
                project.run(name)
    project.run(*names)
    windows = {"updates": "", "final": "__state"}[emit]
    for name in names:
        assert counted(project, name + windows) >= BEHIND - {("a", 78, 88, 1)}
        dropped = project.rows(f"select arrival_seq, reason from {name}__dropped")
        assert [tuple(row) for row in dropped] == [(2, "late")]
        line = ledger(project, name)[-1]
        due = {"updates": 1, "final": 0}[emit]
        assert (line.windows_inserted, line.windows_updated) == (due, 0)

    # a row that is in that window, and one that closes it
    project.append(source, events([("a", 96), ("a", 115)], 3))
    project.run(*names)
    found = {name: counted(project, name) for name in names}
    assert all(("a", 87, 97, 2) in windows for windows in found.values())
    project.run(*names, full_refresh=True)
    assert {name: counted(project, name) for name in names} == found


def test_a_late_row_makes_the_window_behind_it_beside_keys_made_anew(
    project: DbtProject,
) -> None:
    project.create_source("beside", events([("a", 88), ("a", 100), ("b", 5)]), EVENTS)
    project.model("beside_s", session_model("beside", SLIDING))
    project.run("beside_s")
    project.append("beside", events([("a", 86)], 3))
    project.run("beside_s", vars={"event_windows__rebuild": "key = 'b'"})
    assert counted(project, "beside_s") == BEHIND | {("b", -5, 5, 1)}


def test_a_late_row_without_an_order_makes_the_window_behind_it(project: DbtProject) -> None:
    names = ["at_once", "at_once_killed"]
    project.create_source("instants", events([("a", 88), ("a", 100)]), EVENTS)
    for name in names:
        project.model(name, session_model("instants", SLIDING, arrival_order=None))
    project.run(*names)
    project.append("instants", events([("a", 86)], 2))
    with killed_after(lambda sql: sql.model == names[1] and sql.step == "windows"):
        project.run(names[1])
    project.run(*names)
    for name in names:
        assert counted(project, name) == BEHIND
        line = ledger(project, name)[-1]
        assert (line.rows_late, line.windows_inserted, line.windows_updated) == (1, 1, 0)
    # there are none behind these: nothing is stored that could be in one
    project.append("instants", events([("a", 60), ("a", 61)], 3))
    project.run(names[0])
    assert counted(project, names[0]) == BEHIND
    assert ledger(project, names[0])[-1].rows_late == 2
