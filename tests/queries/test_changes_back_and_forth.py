"""changes of a windows table that was set back, and forward again: each version as it came."""

from __future__ import annotations

from collections import Counter

from tests.formats import set_back, version
from tests.harness import DbtProject
from tests.rollups.chain import CLICKS
from tests.session_models import at, session_model


def test_a_version_that_comes_back_is_a_change_when_it_does(project: DbtProject) -> None:
    project.create_source("clicks", [("a", at(0), 0, 1.0)], CLICKS)
    session = "event_windows.session(gap='30 minutes', grace='unbounded')"
    project.model("visits", session_model("clicks", session))
    project.run()
    built = version(project, "visits")
    project.append("clicks", [("b", at(0), 1, 1.0)])
    project.run()
    refreshed = version(project, "visits")
    set_back(project, "visits", built)
    back = version(project, "visits")
    set_back(project, "visits", refreshed)
    forward = version(project, "visits")
    for first, expected in {
        built + 1: {(refreshed, "insert"): 1, (back, "delete"): 1, (forward, "insert"): 1},
        back: {(back, "delete"): 1, (forward, "insert"): 1},
        forward: {(forward, "insert"): 1},
    }.items():
        query = f"{{{{ event_windows.changes(ref('visits'), {first}) }}}}"
        rows = project.rows(project.compile(inline=query))
        assert {row.key for row in rows} == {"b"}
        assert Counter((row.change_version, row.change_type) for row in rows) == expected
