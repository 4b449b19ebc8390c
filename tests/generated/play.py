"""Lets generated models refresh on Spark and has them judged."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from tests.generated.cases import REFRESHES, SCHEMA, Arrivals, Case, some_cases
from tests.generated.judge import differences, expected, found, ledger, undecided
from tests.generated.specs import SECOND, Spec, a_spec, instant
from tests.harness import DbtProject, killed_after
from tests.reference.task import Task

THREADS = 4
# What a session takes local times to be in, another one in each refresh: no window depends on it.
ZONES = ["America/St_Johns", "UTC", "Pacific/Apia", "Europe/Berlin"]
# A run of more writes is killed at one of these; one of fewer may get to its end.
WRITES = 10
BASES = [1_713_312_000 * SECOND, 1_711_846_800 * SECOND, 0, -86_400 * 400 * SECOND]


@dataclass
class Plan:
    """A model and the cases that it is tried on."""

    spec: Spec
    cases: Sequence[Case]


@dataclass(frozen=True)
class Way:
    """How the refreshes go: the last moves clocks, each is killed and run again, in commits of so
    many rows."""

    advance_to: int | None = None
    kills: int | None = None  # the seed of where
    rows: int | None = None

    def killed_at(self, refresh: int) -> int:
        """After how many writes; the same for all models, so that fewer of them fail as all do."""
        return random.Random(f"{self.kills} {refresh}").randrange(WRITES)


@dataclass
class Wrong:
    """The cases of a plan that went wrong, with what was wrong of each; none: of no one case."""

    when: str
    cases: dict[Any, list[str]] = field(default_factory=dict)


def plans(seed: int, models: int, cases: int) -> list[Plan]:
    """Models with rows for each. Of one clock for all there is one case, with as many rows."""
    chance = random.Random(seed)
    base = chance.choice(BASES)
    result: list[Plan] = []
    while len(result) < models:
        spec = a_spec(chance, base)
        result.append(Plan(spec, some_cases(chance, spec, base, cases)))
    return result


def play(project: DbtProject, of: Sequence[Plan], way: Way, each: bool = False) -> dict[int, Wrong]:
    """Build and refresh the models; returns those that went wrong, by their place, and how.

    Where the way moves clocks, the last refresh does, and before it a run without new rows to the
    latest time that has come by then. With `each` they are judged after every refresh, else after
    the last; in the end after a full refresh.
    """
    arrivals = {f"m{n}": Arrivals(n, plan.spec, plan.cases) for n, plan in enumerate(of)}
    tasks = {name: of.spec.task() for name, of in arrivals.items()}
    for name, of_model in arrivals.items():
        write(project, name, of_model)
    if project.spark.catalog.tableExists(f"{project.schema}.event_windows_runs"):
        project.rows("delete from event_windows_runs")
    if way.kills is not None:
        drop(project, arrivals)
    wrong: dict[int, Wrong] = {}
    for number in range(REFRESHES):
        last = number == REFRESHES - 1
        latest = _latest(arrivals) if last and way.advance_to is not None else None
        if latest is not None:
            _refresh(project, tasks, number, replace(way, advance_to=latest))
            _judge(project, arrivals, tasks, "after clocks were moved", wrong)
        arrive(project, arrivals, tasks, number)
        _refresh(project, tasks, number, way if last else replace(way, advance_to=None))
        if each or last:
            _judge(project, arrivals, tasks, f"after refresh {number}", wrong)
    for name, told in ledger(project, arrivals, tasks).items():
        place = arrivals[name].number
        wrong.setdefault(place, Wrong("after the last refresh")).cases.setdefault(None, told)
    project.run(*arrivals, full_refresh=True, threads=THREADS)
    of_all = {name: anew(of_model) for name, of_model in arrivals.items()}
    _judge(project, arrivals, of_all, "after a full refresh", wrong)
    return wrong


def write(project: DbtProject, name: str, of_model: Arrivals) -> None:
    """The model of this name; those with an order read one source, and each its own part of it."""
    source = "arrivals" if of_model.spec.ordered else f"arrivals_{name}"
    relation = f"source('raw', '{source}')"
    if of_model.spec.ordered:
        relation = f"'(select * from ' ~ {relation} ~ ' where spec = {of_model.number})'"
    project.model(name, of_model.spec.text(relation))


def drop(project: DbtProject, names: Iterable[str]) -> None:
    """The tables of models, and their views, which others before may have left."""
    for table in project.rows("show tables"):
        if table.tableName.split("__")[0] in names:
            project.drop(table.tableName)


def _latest(arrivals: dict[str, Arrivals]) -> int | None:
    """The latest event time that has come."""
    rows = [row for of_model in arrivals.values() for row in of_model.rows]
    return max((row[1].time for row in rows if row[1].time is not None), default=None)


def _refresh(project: DbtProject, tasks: dict[str, Task], number: int, way: Way) -> None:
    to = way.advance_to
    set_: dict[str, Any] = {
        "event_windows__advance_to": None if to is None else instant(to),
        "event_windows__max_rows_per_refresh": way.rows,
    }
    given: dict[str, Any] = {
        # a build that was killed is finished or made anew by the next run as it is
        "full_refresh": number == 0 and way.kills is None,
        "vars": {name: value for name, value in set_.items() if value is not None},
    }
    with in_a_zone(project, number):
        for name in tasks if way.kills is not None else ():
            with killed_after(way.killed_at(number), may_end=True):
                project.run(name, **given)
        project.run(*tasks, threads=THREADS, **given)
    if to is not None:
        for task in tasks.values():
            task.advance_to(to)


@contextmanager
def in_a_zone(project: DbtProject, refresh: int) -> Iterator[None]:
    """The session zone that a refresh has."""
    project.spark.conf.set("spark.sql.session.timeZone", ZONES[refresh % len(ZONES)])
    try:
        yield
    finally:
        project.spark.conf.set("spark.sql.session.timeZone", "UTC")


def arrive(
    project: DbtProject, arrivals: dict[str, Arrivals], tasks: dict[str, Task], number: int
) -> None:
    """A batch comes into the sources, and into the reference."""
    batches: dict[str, list[tuple[Any, ...]]] = {"arrivals": []}
    for name, of_model in arrivals.items():
        before = len(of_model.rows)
        source = "arrivals" if of_model.spec.ordered else f"arrivals_{name}"
        batches.setdefault(source, []).extend(of_model.next_batch(number))
        new = of_model.records()[before:]
        if of_model.spec.ordered:
            for record in new:
                tasks[name].receive(record)
        else:
            tasks[name].receive_at_once(new)
    for source, rows in batches.items():
        if number == 0:
            project.create_source(source, rows, SCHEMA)
        elif rows:
            project.append(source, rows)


def anew(of_model: Arrivals) -> Task:
    """What a full refresh makes of all rows: without an order they come at one instant."""
    task = of_model.spec.task()
    if of_model.spec.ordered:
        for record in of_model.records():
            task.receive(record)
    else:
        task.receive_at_once(of_model.records())
    return task


def _judge(
    project: DbtProject,
    arrivals: dict[str, Arrivals],
    tasks: dict[str, Task],
    when: str,
    wrong: dict[int, Wrong],
) -> None:
    for name, of_model in arrivals.items():
        if of_model.number in wrong:
            continue
        due = expected(of_model, tasks[name])
        told = differences(due, found(project, name, of_model.spec))
        for case in undecided(tasks[name]):
            told.pop(case, None)
        if told:
            wrong[of_model.number] = Wrong(when, told)
