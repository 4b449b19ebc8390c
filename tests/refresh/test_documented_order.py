"""What dbt sends to Spark comes in the order that docs/refresh.md lists."""

from __future__ import annotations

from typing import Any

import pytest

from tests.documents import statement_order
from tests.harness import DbtProject, Statements, killed_after, recorded
from tests.session_models import EVENTS, events, session_model

WINDOW = "event_windows.session(gap='30 minutes', grace='1 hour')"
FINAL = {"emit": "final"}
# a key's rows lie within its grace: a look at their oldest and newest shows that none is late
ON_TIME = [("a", 0), ("b", 5), ("a", 20), ("b", 30)]
# far behind the clock of its key, and an hour and a half or more: the last of them is late
LATE = [("a", 600), ("b", 590), ("a", 300)]


def arrive(project: DbtProject, source: str, rows: list[tuple[str, int]], turn: int) -> None:
    later = [(key, 1000 * turn + minutes) for key, minutes in rows]
    made = events(later, first_arrival=100 * turn)
    if turn:
        project.append(source, made)
    else:
        project.create_source(source, made, EVENTS)


def sent(project: DbtProject, *models: str, **options: Any) -> Statements:
    with recorded() as statements:
        project.run(*models, **options)
    return statements


def steps(statements: Statements, model: str) -> list[str]:
    order = statements.steps_of(model)
    # the first run in a schema makes the ledger
    return order[1:] if order[0] == "ledger" else order


@pytest.fixture(scope="module")
def undisturbed(project: DbtProject) -> dict[str, list[str]]:
    """The steps of each kind of run that comes to its end."""
    project.model("plain", session_model("on_time", WINDOW))
    project.model("final", session_model("on_time", WINDOW, config=FINAL))
    project.model("behind", session_model("late", WINDOW))
    found = {}
    for turn, kind in enumerate(["build", "refresh"]):
        arrive(project, "on_time", ON_TIME, turn)
        arrive(project, "late", LATE, turn)
        statements = sent(project)
        without = "" if kind == "build" else " without late rows"
        found[f"A {kind}{without}"] = steps(statements, "plain")
        found[f"A {kind} with late rows"] = steps(statements, "behind")
        found[f"A {kind} of final windows"] = steps(statements, "final")
    found["A refresh with nothing new"] = steps(sent(project, "plain"), "plain")
    return found


@pytest.fixture(scope="module")
def killed(project: DbtProject, undisturbed: dict[str, list[str]]) -> dict[str, list[str]]:
    """The steps of those that come after a run that was killed."""
    found = {}
    for turn, (place, after) in enumerate(
        {"before": "dropped_rows", "after": "windows"}.items(), 2
    ):
        arrive(project, "late", LATE, turn)
        with killed_after(lambda sql, step=after: sql.step == step) as kill:
            project.run("behind")
        assert kill.happened
        title = f"A refresh that was killed {place} its commit"
        found[title] = steps(sent(project, "behind"), "behind")

    with killed_after(lambda sql: sql.step == "windows") as kill:
        project.run("plain", full_refresh=True)
    assert kill.happened
    title = "A build that was killed after its commit"
    found[title] = steps(sent(project, "plain"), "plain")
    return found


KILLED = [title for title in statement_order() if "killed" in title]
UNDISTURBED = [title for title in statement_order() if title not in KILLED]


@pytest.mark.slow
@pytest.mark.parametrize("title", UNDISTURBED)
def test_the_order_is_the_documented_one(undisturbed: dict[str, list[str]], title: str) -> None:
    assert undisturbed[title] == statement_order()[title]


@pytest.mark.slow
@pytest.mark.parametrize("title", KILLED)
def test_the_order_of_what_is_left_is_the_documented_one(
    killed: dict[str, list[str]], title: str
) -> None:
    assert killed[title] == statement_order()[title]


@pytest.mark.slow
def test_every_run_has_a_place_in_the_document(undisturbed: dict[str, list[str]]) -> None:
    assert undisturbed.keys() == {*UNDISTURBED}


@pytest.mark.slow
def test_every_killed_run_has_a_place_in_the_document(
    killed: dict[str, list[str]],
) -> None:
    assert killed.keys() == {*KILLED}
