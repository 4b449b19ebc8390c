"""The log of clocks is tidied now and then, and no clock changes by it; all are moved together."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tests.harness import DbtProject
from tests.macros.rendering import Macros
from tests.session_models import EVENTS, at, session_model

COLUMNS = {"global": "", "key": "key string, ", "partition": "part int, "}
LOGS: dict[str, list[tuple[Any, ...]]] = {
    # scope, clock, number of the refresh: the largest clock is not that of the last refresh
    "global": [(900, 9), (50, 10), (None, 10), (70, 11), (None, 11), (60, 12), (None, 12)],
    "key": [
        ("a", 900, 9),
        ("a", 80, 10),
        (None, 80, 10),
        (None, None, 10),
        ("a", 70, 11),
        (None, None, 11),
        ("b", 60, 12),
        (None, None, 12),
    ],
    "partition": [(None, 80, 10), (None, None, 10), (1, 10, 12), (None, 70, 12), (None, None, 12)],
}


def clocks(project: DbtProject, log: str, scope: str, before: int) -> list[Any]:
    by = f"group by {scope[:-1]}" if scope else ""
    return project.rows(
        f"select {scope} max(_ew_clock) as clock from {log} where _ew_clock is not null "
        f"and _ew_refresh >= 10 and _ew_refresh < {before} {by} order by all"
    )


@pytest.mark.parametrize("clock", LOGS)
def test_tidying_changes_no_clock(project: DbtProject, clock: str) -> None:
    log = f"log_{clock}"
    columns = COLUMNS[clock]
    scope = columns.split()[0] + "," if columns else ""
    project.create_source(log, LOGS[clock], f"{columns}_ew_clock bigint, _ew_refresh bigint")
    # those before the last refresh too: who does again what follows from it asks them
    before, after = (clocks(project, log, scope, number) for number in (12, 13))
    own = project.rows(f"select * from {log} where _ew_refresh = 12")
    spec = SimpleNamespace(clock=clock, key=["key"], partition="part" if scope == "part," else None)
    tables = SimpleNamespace(clocks=f"{project.schema}.{log}")
    run = SimpleNamespace(generation=10, number=12)
    sql = Macros()._compact_clocks(spec, tables, run)
    for _ in range(2):
        project.rows(sql)
        assert clocks(project, log, scope, 12) == before
        assert clocks(project, log, scope, 13) == after
    left = project.rows(f"select * from {log}")
    # the last refresh has its own lines, and every scope the one that counted before it
    assert len(left) == len(before) + len(own)


REBUILT = {"event_windows__rebuild": "key = 'z'"}


@pytest.mark.slow
def test_a_clock_is_moved_whose_window_bears_the_refresh(project: DbtProject) -> None:
    """The log has no line of `new` yet, and a run that changes no window marks its only one."""
    names = ["nothing_new", "made_anew"]
    for name in names:
        project.create_source(f"{name}_rows", [("z", at(0), 1, 1), ("old", at(30), 2, 1)], EVENTS)
        project.model(name, session_model(f"{name}_rows"))
    project.run(*names)
    for name in names:
        project.append(f"{name}_rows", [("new", at(300), 3, 1)])
    project.run(*names)
    moment = "2024-05-01 00:00:00"
    project.run("nothing_new", vars={"event_windows__advance_to": moment})
    # its windows go, and one of another key bears what is recorded
    project.rows("delete from made_anew_rows where key = 'z'")
    project.run("made_anew", vars=REBUILT | {"event_windows__advance_to": moment})
    for name, keys in {"nothing_new": ["new", "old", "z"], "made_anew": ["new", "old"]}.items():
        clocks = project.rows(
            f"select key, cast(stream_time as string) as at from {name}__stream_time order by key"
        )
        assert [tuple(clock) for clock in clocks] == [(key, moment) for key in keys]
