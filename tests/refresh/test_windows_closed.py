"""The ledger's closed windows, told without a look at windows that closed long ago."""

from __future__ import annotations

import itertools
import random

import pytest

from tests.harness import DbtProject, recorded
from tests.session_models import EPOCH, EVENTS, at, events, ledger, session_model

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


@pytest.fixture(scope="module")
def refreshed(project: DbtProject) -> dict[str, list[tuple[int, int]]]:
    """Of each model, after each refresh: closed windows by the ledger so far, and in its tables."""
    found: dict[str, list[tuple[int, int]]] = {name: [] for name in MODELS}
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


def note(project: DbtProject, found: dict[str, list[tuple[int, int]]]) -> None:
    for name, figures in found.items():
        told = sum(run.windows_closed for run in ledger(project, name))
        figures.append((told, closed_now(project, name)))


@pytest.mark.parametrize("name", MODELS)
def test_the_ledger_adds_up_to_the_closed_windows(
    project: DbtProject, refreshed: dict[str, list[tuple[int, int]]], name: str
) -> None:
    """Rows come late, sessions that had closed are joined and open again, idle keys come back."""
    told = [figures[0] for figures in refreshed[name]]
    assert told == [figures[1] for figures in refreshed[name]]
    # something closes each time, and the last time all that is left does
    assert told == sorted(set(told))
    assert told[-1] == project.rows(f"select count(*) as n from {name}")[0].n


@pytest.mark.usefixtures("refreshed")
@pytest.mark.parametrize("name", MODELS)
def test_the_ledger_counts_the_clocks(project: DbtProject, name: str) -> None:
    clocks = project.rows(f"select count(*) as n, max(stream_time) as at from {name}__stream_time")
    last = ledger(project, name)[-1]
    assert (last.keys_tracked, last.stream_time) == tuple(clocks[0])
    assert last.stream_time.replace(tzinfo=EPOCH.tzinfo) == at(4 * 24 * 60)


def test_a_key_that_was_idle_for_long_costs_no_look_at_old_segments(project: DbtProject) -> None:
    day = 24 * 60
    rows = [("idle", 0)] + [("busy", place * day) for place in range(30)]
    project.create_source("month", events(rows), EVENTS)
    project.model("monthly", session_model("month", config={"segment_interval": "1 day"}))
    project.run("monthly")

    project.append("month", events([("idle", 29 * day + 1)], first_arrival=len(rows)))
    with recorded() as statements:
        project.run("monthly")
    newest = int(at(29 * day).timestamp()) // 86400
    looks = [sql.split("stored._ew_segment >= ") for sql in statements if "_ew_segment >=" in sql]
    assert len(looks) == 2  # for windows that new rows join, and for those that are open now
    assert all(int(bound.split()[0]) >= newest - 2 for look in looks for bound in look[1:])
    last = ledger(project, "monthly")[-1]
    assert (last.windows_inserted, last.windows_closed) == (1, 1)
