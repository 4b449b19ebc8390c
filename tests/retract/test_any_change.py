"""Sources whose rows are updated and deleted, any window and cut: judged by the reference over the
rows that are left. Some runs are killed, some make keys anew by hand and some move clocks; of
those that are not killed explain has said before what they do.

The same seed gives the same models, rows and changes:

    EVENT_WINDOWS_SEED=7 make test PYTEST_ARGS='tests/retract'
"""

from __future__ import annotations

import os
import random
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from tests.explain.told import explained, otherwise
from tests.generated.cases import REFRESHES, SCHEMA, Arrivals, some_cases
from tests.generated.judge import Tables, differences, expected, found
from tests.generated.play import BASES, THREADS, Plan, in_a_zone
from tests.generated.specs import SECOND, Spec, a_spec, instant
from tests.harness import FILE_FORMAT, DbtProject, Killed, killed_after, recorded
from tests.protocol.test_kills import after
from tests.reference.task import Task
from tests.session_models import ledger

SEED = int(os.environ["EVENT_WINDOWS_SEED"])
MERGE_ON_READ = {f"write.{what}.mode": "merge-on-read" for what in ("delete", "update", "merge")}
LAYOUTS = {
    "iceberg": [{"format-version": "2"}, MERGE_ON_READ, {"format-version": "3"}],
    "delta": [{"delta.enableChangeDataFeed": "true"}, {"delta.enableRowTracking": "true"}],
}[FILE_FORMAT]
# of which the rows of both versions stand side by side
BOTH_VERSIONS = LAYOUTS[1]
ALL_OF_THEM = {name: value for layout in LAYOUTS for name, value in layout.items()}


class Changing(Arrivals):
    """Rows of a source, of which some are updated and some deleted.

    `moves` are the refreshes that moved clocks, with how many rows had come and until when they
    did; `rebuilt` which refresh was the last that made a key anew.
    """

    def __init__(self, number: int, spec: Spec, cases: Any) -> None:
        super().__init__(number, spec, cases)
        self.gone: set[int] = set()
        self.read = 0  # how many rows refreshes have read
        self.moves: list[tuple[int, int, int]] = []
        self.rebuilt: dict[Any, int] = {}

    @property
    def can_be_moved(self) -> bool:
        """Whether it is plain which keys a refresh makes anew, and each key has one clock."""
        spec = self.spec
        return spec.ordered and not spec.plain and spec.clock == "key" and spec.partition is None

    def change(self, chance: random.Random, number: int) -> tuple[list[int], list[tuple[Any, ...]]]:
        """Ids to delete, and rows as they are after an update, before a refresh."""
        before = [*self.rows]
        deleted, updated = self._changed(chance)
        for place in [*deleted, *(row[2] for row in updated)]:
            is_other = place in self.gone or self.rows[place] != before[place]
            if place < self.read and is_other:
                for grp, event, _, part in (before[place], self.rows[place]):
                    self.rebuilt[self.key_of(grp, event, part)] = number
        return deleted, updated

    def make_anew(self, grp: int, number: int) -> None:
        """All keys of a case are, by hand."""
        for case, event, _, part in self.rows:
            if case == grp:
                self.rebuilt[self.key_of(case, event, part)] = number

    def _changed(self, chance: random.Random) -> tuple[list[int], list[tuple[Any, ...]]]:
        there = [place for place in range(len(self.rows)) if place not in self.gone]
        touched = chance.sample(there, min(len(there), chance.choice([0, 1, 2, 12])))
        deleted = [place for place in touched if chance.random() < 0.5]
        self.gone |= {*deleted}
        updated = []
        for place in touched:
            if place in self.gone:
                continue
            grp, event, arrival, part = self.rows[place]
            what = chance.choice(["time", "key", "v", "null"])
            if what == "time" and event.time is not None:
                step = chance.choice([-1, 1]) * chance.randint(1, 20) * SECOND
                event = replace(event, time=event.time + step, arrived=None)
            elif what == "key":
                event = replace(event, key=chance.choice([0, 1, 2, None]))
            elif what == "v":
                event = replace(event, v=chance.randint(-50, 50))
            else:
                event = replace(event, time=None)
            self.rows[place] = (grp, event, arrival, part)
            row = list(self._row(grp, event, arrival, part))
            row[2] = place
            updated.append(tuple(row))
        return deleted, updated

    def anew(self) -> Task:
        """What a full refresh makes of the rows that are left.

        Without an order nothing is late here, so that they may as well come one by one; but at
        which clock a row was dropped is then of the refresh that read it. A clock that was moved
        is forgotten with what a key was before it was made anew.
        """
        task = self.spec.task()
        moves = [*self.moves]
        for place, record in enumerate(self.records()):
            while moves and moves[0][1] <= place:
                self._move(task, *moves.pop(0))
            if place in self.gone:
                task.received.append(record)
            else:
                task.receive(record)
        for move in moves:
            self._move(task, *move)
        return task

    def _move(self, task: Task, number: int, _: int, time: int) -> None:
        for key, clock in task.clocks.items():
            if self.rebuilt.get(key, 0) <= number:
                task.clocks[key] = max(clock, time)


def _told(tables: Tables, spec: Spec) -> Tables:
    """What a full refresh must give as well."""
    if spec.ordered:
        return tables
    dropped = Counter[tuple[Any, ...]]()
    for line, count in tables["dropped"].items():
        dropped[line[:-1]] += count
    return tables | {"dropped": dropped}


def plans(seed: int, models: int, cases: int) -> tuple[int, list[Plan]]:
    """Models whose keys can be made anew, and about when their rows are."""
    chance = random.Random(seed)
    base = chance.choice(BASES)
    result: list[Plan] = []
    while len(result) < models:
        spec = a_spec(chance, base)
        if not spec.ordered:
            spec = replace(spec, grace=None, retention=None, expire="keep")
        if spec.shape == "union":  # reads two tables, of which no log tells
            spec = replace(spec, shape="direct")
        shared = spec.clock != "key" and spec.grace is not None
        if spec.emit == "final" or spec.partition == "outside" or shared:
            continue
        result.append(Plan(spec, some_cases(chance, spec, base, cases)))
    return base, result


def check(project: DbtProject, seed: int, models: int, cases: int, each: bool) -> None:
    chance = random.Random(seed)
    layout = chance.choice(LAYOUTS)
    print(f"seed {seed}: {models} models of {cases} cases, {layout}")
    base, drawn = plans(seed, models, cases)
    arrivals = {f"r{n}": Changing(n, plan.spec, plan.cases) for n, plan in enumerate(drawn)}
    for name, of in arrivals.items():
        source = "changing" if of.spec.ordered else f"changing_{name}"
        relation = f"source('raw', '{source}')"
        if of.spec.ordered:
            relation = f"'(select * from ' ~ {relation} ~ ' where spec = {of.number})'"
        text = of.spec.text(relation).replace("config(", "config(source_changes='retract', ", 1)
        project.model(name, text)
    problems = []
    for number in range(REFRESHES + 1):
        _arrive(project, arrivals, number, layout)
        if number:
            _change(project, arrivals, chance, number)
        given = _given(arrivals, chance, number, base)
        is_killed = number > 0 and chance.random() < 0.4
        if is_killed:
            name = chance.choice([*arrivals])
            with killed_after(after(name, chance.randrange(16)), may_end=True), suppress(Killed):
                project.run(name, vars=given[arrivals[name].can_be_moved])
        # a run that was killed is ended by the next one, which the ledger does not tell apart
        before = {name: len(ledger(project, name)) for name in arrivals}
        for can_be_moved, set_ in given.items():
            names = [name for name, of in arrivals.items() if of.can_be_moved == can_be_moved]
            if not names:
                continue
            with in_a_zone(project, number):
                told = explained(project, *names, vars=set_) if number and not is_killed else {}
                with recorded() as statements:
                    project.run(*names, full_refresh=number == 0, threads=THREADS, vars=set_)
            for name, said in told.items():
                problems += [
                    f"refresh {number} of {name} was explained otherwise: {wrong}"
                    for wrong in otherwise(said, statements, ledger(project, name)[before[name] :])
                ]
        for of in arrivals.values():
            of.read = len(of.rows)
        if not each and number < REFRESHES:
            continue
        for name, of in arrivals.items():
            wrong = differences(
                _told(expected(of, of.anew()), of.spec),
                _told(found(project, name, of.spec), of.spec),
            )
            for case, lines in list(wrong.items())[:2]:
                problems.append(
                    f"after refresh {number}: {name}, case {case}\n{of.spec}\n  "
                    + "\n  ".join(lines)
                )
        if problems:
            break
    assert not problems, f"seed {seed}, {layout}\n\n" + "\n\n".join(problems)


def _given(
    arrivals: dict[str, Changing], chance: random.Random, number: int, base: int
) -> dict[bool, dict[str, Any]]:
    """The vars of a refresh, for models whose clocks it may move and for others."""
    by_hand: dict[str, Any] = {}
    if number and chance.random() < 0.3:
        grp = chance.randrange(4)
        by_hand = {"event_windows__rebuild": f"grp = {grp}"}
        for of in arrivals.values():
            of.make_anew(grp, number)
    moved: dict[str, Any] = {}
    if number and chance.random() < 0.5:
        time = base + chance.randint(-5, 40) * SECOND
        moved = {"event_windows__advance_to": instant(time)}
        for of in arrivals.values():
            if of.can_be_moved:
                of.moves.append((number, len(of.rows), time))
    return {False: by_hand, True: by_hand | moved}


def _arrive(
    project: DbtProject, arrivals: dict[str, Changing], number: int, layout: dict[str, str]
) -> None:
    batches: dict[str, list[tuple[Any, ...]]] = {"changing": []}
    for name, of in arrivals.items():
        source = "changing" if of.spec.ordered else f"changing_{name}"
        new = of.next_batch(number) if number < REFRESHES else []
        batches.setdefault(source, []).extend(new)
    for source, rows in batches.items():
        if number == 0:
            project.create_source(source, [], SCHEMA)
            options = ", ".join(f"'{name}' = '{value}'" for name, value in layout.items())
            project.rows(f"alter table {source} set tblproperties ({options})")
        if rows:
            project.append(source, rows)


def _change(
    project: DbtProject, arrivals: dict[str, Changing], chance: random.Random, number: int
) -> None:
    deleted: dict[str, list[str]] = {}
    updated: dict[str, list[tuple[Any, ...]]] = {}
    for name, of in arrivals.items():
        source = "changing" if of.spec.ordered else f"changing_{name}"
        ids, rows = of.change(chance, number)
        deleted.setdefault(source, []).extend(f"({of.number}, {one}L)" for one in ids)
        updated.setdefault(source, []).extend(rows)
    for source, pairs in deleted.items():
        if pairs:
            project.rows(f"delete from {source} where (spec, id) in ({', '.join(pairs)})")
    for source, rows in updated.items():
        if rows:
            project.create_source("updates", rows, SCHEMA)
            project.rows(
                f"merge into {source} as t using updates as u on t.spec = u.spec and t.id = u.id "
                "when matched then update set *"
            )


def test_a_sample(project: DbtProject) -> None:
    check(project, SEED, models=2, cases=30, each=False)


@pytest.mark.slow
@pytest.mark.parametrize("place", range(8))
def test_many(project: DbtProject, place: int) -> None:
    check(project, SEED + 1 + place, models=16, cases=60, each=True)
