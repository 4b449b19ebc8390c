"""A source whose rows come, change and go: after each step the tables are a full refresh's."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.formats import keep_log
from tests.harness import DbtProject
from tests.session_models import EVENTS, events, ledger, public, session_model

FIRST = [("a", 0), ("a", 10), ("a", 25), ("b", 5), ("b", 6), ("c", 3), ("a", 5000), ("a", 1)]

Step = Callable[[DbtProject], object]


def statement(sql: str) -> Step:
    return lambda project: project.rows(sql)


def rows(*given: tuple[str, float], first: int) -> Step:
    return lambda project: project.append("steps", events(given, first))


STEPS: dict[str, list[Step]] = {
    "rows are added": [rows(("a", 30), ("d", 4), first=8)],
    "a session splits": [statement("delete from steps where arrival_seq = 1")],
    "a row changes its key, and others come": [
        statement("update steps set key = 'b' where arrival_seq = 5"),
        rows(("a", 40), ("d", 40), first=10),
    ],
    "a key goes": [statement("delete from steps where key = 'd'")],
    "the clock goes back, so that a row is late no more": [
        statement("delete from steps where arrival_seq = 6")
    ],
    "rows come below the last number": [rows(("a", 15), ("z", 40), first=2)],
    "nothing is left": [statement("delete from steps")],
    "it is loaded again": [rows(("a", 15), ("z", 40), first=2)],
}


@pytest.mark.slow
def test_step_by_step(project: DbtProject) -> None:
    project.create_source("steps", events(FIRST), EVENTS)
    keep_log(project, "steps")
    project.model("kept", session_model("steps", config={"source_changes": "retract"}))
    project.model("anew", session_model("steps"))
    project.run("kept", full_refresh=True)
    for step, actions in STEPS.items():
        for action in actions:
            action(project)
        project.run("kept")
        project.run("anew", full_refresh=True)
        for table in ("", "__stream_time"):
            assert public(project, "kept" + table) == public(project, "anew" + table), step
        dropped = [public(project, f"{name}__dropped", ["run_id"]) for name in ("kept", "anew")]
        assert dropped[0] == dropped[1], step
    told = [(run.rows_read, run.keys_rebuilt, run.rows_rebuilt) for run in ledger(project, "kept")]
    assert told[:5] == [(8, 0, 0), (2, 0, 0), (0, 1, 5), (2, 2, 3), (0, 1, 0)]
