"""Sources whose rows are updated and deleted, any window and cut: judged by the reference over the
rows that are left. Some runs are killed; of the others explain has said before what they do.

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
from tests.generated.specs import SECOND, Spec, a_spec
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
    """Rows of a source, of which some are updated and some deleted."""

    def __init__(self, number: int, spec: Spec, cases: Any) -> None:
        super().__init__(number, spec, cases)
        self.gone: set[int] = set()

    def change(self, chance: random.Random, base: int) -> tuple[list[int], list[tuple[Any, ...]]]:
        """Ids to delete, and rows as they are after an update."""
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
                step = chance.randint(-20, 20) * SECOND
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
        which clock a row was dropped is then of the refresh that read it.
        """
        task = self.spec.task()
        for place, record in enumerate(self.records()):
            if place in self.gone:
                task.received.append(record)
            else:
                task.receive(record)
        return task


def _told(tables: Tables, spec: Spec) -> Tables:
    """What a full refresh must give as well."""
    if spec.ordered:
        return tables
    dropped = Counter[tuple[Any, ...]]()
    for line, count in tables["dropped"].items():
        dropped[line[:-1]] += count
    return tables | {"dropped": dropped}


def plans(seed: int, models: int, cases: int) -> list[Plan]:
    """Models whose keys can be made anew."""
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
    return result


def check(project: DbtProject, seed: int, models: int, cases: int, each: bool) -> None:
    chance = random.Random(seed)
    layout = chance.choice(LAYOUTS)
    print(f"seed {seed}: {models} models of {cases} cases, {layout}")
    arrivals = {
        f"r{n}": Changing(n, p.spec, p.cases) for n, p in enumerate(plans(seed, models, cases))
    }
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
            _change(project, arrivals, chance)
        is_killed = number > 0 and chance.random() < 0.4
        if is_killed:
            name = chance.choice([*arrivals])
            with killed_after(after(name, chance.randrange(16)), may_end=True), suppress(Killed):
                project.run(name)
        # a run that was killed is ended by the next one, which the ledger does not tell apart
        before = {name: len(ledger(project, name)) for name in arrivals}
        with in_a_zone(project, number):
            told = explained(project, *arrivals) if number and not is_killed else {}
            with recorded() as statements:
                project.run(*arrivals, full_refresh=number == 0, threads=THREADS)
        for name, said in told.items():
            wrong = otherwise(said, statements, ledger(project, name)[before[name] :])
            problems += [f"refresh {number} of {name} was explained otherwise: {w}" for w in wrong]
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


def _change(project: DbtProject, arrivals: dict[str, Changing], chance: random.Random) -> None:
    deleted: dict[str, list[str]] = {}
    updated: dict[str, list[tuple[Any, ...]]] = {}
    for name, of in arrivals.items():
        source = "changing" if of.spec.ordered else f"changing_{name}"
        ids, rows = of.change(chance, 0)
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
