"""window_counts after refreshes: by the rule of each type, and all windows in the end."""

from __future__ import annotations

import itertools
import random

import pytest
from pyspark.sql import Row

from tests.harness import DbtProject
from tests.session_models import EPOCH, EVENTS, at, events, ledger, session_model

pytestmark = pytest.mark.slow

# Window, whose clock closes it, and when: minutes after its end, by the rule of their type.
MODELS = {
    "sessions": ("session(gap='30 minutes', grace='20 minutes')", "key", "> window_end", 50),
    "panes": (
        "hopping(size='1 hour', advance_by='20 minutes', grace='20 minutes')",
        "global",
        ">= window_end",
        20,
    ),
}
CUTS = [0, 80, 140, 200]


def disordered_keys(seed: int) -> list[tuple[object, ...]]:
    """Two days of keys that are idle for long and begin again, and rows up to an hour late."""
    numbers = random.Random(seed)
    times = sorted(numbers.uniform(0, 48 * 60) for _ in range(CUTS[-1]))
    keys = numbers.choices("abcdefgh", weights=[40, 30, 20, 10, 4, 3, 2, 1], k=len(times))
    late = [time - numbers.choice([0, 0, 5, 25, 60]) for time in times]
    return events(zip(keys, late, strict=True))


ROWS = disordered_keys(7)


def closed_now(project: DbtProject, name: str) -> int:
    """Windows that are closed at the stored stream time."""
    _, clock, end, minutes = MODELS[name]
    scope = "using (key)" if clock == "key" else "on true"
    rows = project.rows(
        f"select count(*) as n from {name} join {name}__stream_time {scope}"
        f" where stream_time {end} + interval {minutes} minutes"
    )
    return int(rows[0].n)


def told(project: DbtProject, name: str) -> Row:
    [row] = project.asked("window_counts", name)
    return row


@pytest.fixture(scope="module")
def refreshed(project: DbtProject) -> dict[str, list[tuple[Row, int]]]:
    """Of each model, after each refresh: what is told, and closed windows in its tables."""
    found: dict[str, list[tuple[Row, int]]] = {name: [] for name in MODELS}
    for name, (window, clock, _, _) in MODELS.items():
        text = session_model("clicks", f"event_windows.{window}", stream_time=clock)
        project.model(name, text)
    for first, last in itertools.pairwise(CUTS):
        if first:
            project.append("clicks", ROWS[first:last])
        else:
            project.create_source("clicks", ROWS[:last], EVENTS)
        project.run()
        note(project, found)
    later = at(4 * 24 * 60).isoformat(sep=" ", timespec="seconds")
    project.run(vars={"event_windows__advance_to": later})
    note(project, found)
    return found


def note(project: DbtProject, found: dict[str, list[tuple[Row, int]]]) -> None:
    for name, figures in found.items():
        figures.append((told(project, name), closed_now(project, name)))


@pytest.mark.parametrize("name", MODELS)
def test_closed_windows_are_counted_as_the_clocks_stand(
    project: DbtProject, refreshed: dict[str, list[tuple[Row, int]]], name: str
) -> None:
    """Rows come late, sessions that had closed are joined and open again, idle keys come back."""
    closed = [row.closed for row, _ in refreshed[name]]
    assert closed == [by_rule for _, by_rule in refreshed[name]]
    # something closes each time, and the last time all that is left does
    assert closed == sorted(set(closed))
    assert [row.open > 0 for row, _ in refreshed[name]] == [True, True, True, False]
    assert closed[-1] == project.rows(f"select count(*) as n from {name}")[0].n


@pytest.mark.usefixtures("refreshed")
@pytest.mark.parametrize("name", MODELS)
def test_the_ledger_counts_the_clocks(project: DbtProject, name: str) -> None:
    clocks = project.rows(f"select count(*) as n, max(stream_time) as at from {name}__stream_time")
    last = ledger(project, name)[-1]
    assert (last.keys_tracked, last.stream_time) == tuple(clocks[0])
    assert last.stream_time.replace(tzinfo=EPOCH.tzinfo) == at(4 * 24 * 60)
