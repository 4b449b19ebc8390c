"""What runs leave that ended early or were overtaken, before the next is asked otherwise."""

from __future__ import annotations

from contextlib import suppress

import pytest

from tests.harness import DbtProject, Killed, killed_after
from tests.session_models import EVENTS, at, events, public, session_model

HOURS = "event_windows.tumbling(size='10 minutes', grace='{grace}')"


def windows(project: DbtProject, name: str) -> list[tuple[object, ...]]:
    rows = project.rows(f"select key, window_start, n from {name} order by all")
    start = at(0).replace(tzinfo=None)
    return [(row.key, (row.window_start - start).total_seconds() / 60, row.n) for row in rows]


def test_a_build_that_was_killed_before_a_longer_grace(project: DbtProject) -> None:
    """Its dropped rows were not written: which were late by the grace before, nobody knows."""
    project.create_source("clicks", events([("a", 0), ("a", 60), ("a", 5), ("b", 0)]), EVENTS)
    project.model("longer", session_model("clicks", HOURS.format(grace="0 seconds")))
    with (
        killed_after(lambda sql: sql.model == "longer" and sql.step == "windows"),
        suppress(Killed),
    ):
        project.run("longer")
    project.model("longer", session_model("clicks", HOURS.format(grace="2 hours")))
    project.run("longer")
    assert windows(project, "longer") == [("a", 0, 2), ("a", 60, 1), ("b", 0, 1)]
    assert public(project, "longer__dropped") == []


def test_no_rows_are_no_reason_to_make_keys_anew(project: DbtProject) -> None:
    project.create_source("kept", events([("a", 0), ("a", 60), ("a", 5), ("b", 0)]), EVENTS)
    project.model("kept_m", session_model("kept", HOURS.format(grace="0 seconds")))
    project.run("kept_m")
    before = [public(project, f"kept_m{end}") for end in ("", "__dropped", "__stream_time")]
    project.run("kept_m", empty=True, vars={"event_windows__rebuild": "key = 'a'"})
    project.model("kept_m", session_model("kept", HOURS.format(grace="2 hours")))
    project.run("kept_m", empty=True)
    assert [public(project, f"kept_m{end}") for end in ("", "__dropped", "__stream_time")] == before
    project.run("kept_m")
    assert windows(project, "kept_m") == [("a", 0, 2), ("a", 60, 1), ("b", 0, 1)]


@pytest.mark.parametrize("later", [1, 3])
def test_dropped_rows_of_a_run_that_was_overtaken(project: DbtProject, later: int) -> None:
    """It wrote them under a number that another one has committed, so many refreshes ago."""
    source = f"overtaken_{later}"
    project.create_source(source, events([("a", 0), ("a", 60)]), EVENTS)
    project.model(f"{source}_m", session_model(source, HOURS.format(grace="0 seconds")))
    project.run(f"{source}_m")
    project.append(source, events([("a", 5), ("a", 70)], 2))
    project.run(f"{source}_m")
    rows = project.rows(f"select * from {source}_m__dropped")
    columns = [name if name != "run_id" else "'overtaken' as run_id" for name in rows[0].asDict()]
    project.rows(
        f"insert into {source}_m__dropped select {', '.join(columns)} from {source}_m__dropped"
    )
    for step in range(later):
        project.append(source, events([("a", 80 + 10 * step)], 4 + step))
        project.run(f"{source}_m")
    assert project.rows(f"select * from {source}_m__dropped") == rows
