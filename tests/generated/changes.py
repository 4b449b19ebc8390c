"""Generated models that are changed between refreshes: refused, or what a full refresh makes."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from tests.generated.cases import Arrival, Arrivals, some_cases
from tests.generated.judge import differences, expected, found
from tests.generated.play import BASES, THREADS, Plan, anew, arrive, drop, in_a_zone, write
from tests.generated.specs import HAVINGS, SECOND, Spec, a_spec
from tests.harness import DbtProject

# Said of a model that takes a build, and of options that do not go together.
SENTENCE = "nothing was changed"
OPTIONS = [
    *["grace", "retention", "expire", "values", "replay", "emit", "window", "origin"],
    *["clock", "partition", "keys", "max_ahead", "plain", "wall", "shape", "where", "having"],
]
# What a model may go on with where the tables are those of a full refresh.
LIKELY = [*["grace"] * 3, *["retention"] * 2, *["expire"] * 2, "values", "having"]


def changed(chance: random.Random, spec: Spec, base: int) -> Spec:
    """The model with one option or two changed: mostly such that it may go on from what it has."""
    if chance.random() < 0.15:
        other = spec
        while other == spec or other.kind != spec.kind or not other.ordered:
            other = a_spec(chance, base)
        names = chance.sample(OPTIONS, chance.choice([1, 1, 2]))
        after = replace(spec, **{name: getattr(other, name) for name in names})
        return replace(after, origin=None) if after.plain else after
    after = spec
    for name in chance.sample(LIKELY, chance.choice([1, 1, 2])):
        after = replace(after, **{name: _likely(chance, after, name)})
    return after


def _likely(chance: random.Random, spec: Spec, name: str) -> Any:
    """Another value of an option, if it may have one."""
    value = getattr(spec, name)
    step = chance.choice([1, SECOND, 5 * SECOND, 30 * SECOND])
    room = 0 if spec.retention is None else spec.retention - (spec.least_retention or 0)
    if name == "grace" and value is not None and spec.clock == "key":
        # keys are made anew
        has_room = spec.retention is None or step <= room
        is_told = spec.emit == "updates" and spec.partition != "outside"
        return value + step if has_room and is_told else value
    if name == "retention" and value is not None and spec.kind not in ("session", "sliding"):
        return value + chance.choice([step, -min(step, room)])
    if name == "expire" and spec.retention is not None and spec.partition != "outside":
        return "delete"
    if name == "having":
        return chance.choice([*HAVINGS])
    return False if name == "values" else value


def must_be_taken(before: Spec, after: Spec) -> bool:
    """Whether a single option has changed, as docs/reference.md, A changed model, has it taken."""
    names = _options(before, after)
    if len(names) != 1:
        return False
    was, now = getattr(before, names[0]), getattr(after, names[0])
    plain, updates = after.plain, after.emit == "updates"
    room = after.retention is None or after.retention >= (after.least_retention or 0)
    if names == ["grace"]:
        can_be_made_anew = updates and after.clock == "key" and after.partition != "outside"
        return None not in (was, now) and now > was and can_be_made_anew and room
    if names == ["retention"]:
        is_asked = after.kind in ("session", "sliding")
        sooner = now is not None and (was is None or now <= was)
        return not is_asked and room and (after.expire == "keep" or sooner)
    if names == ["expire"]:
        return bool(now == "delete" and after.retention is not None and updates)
    if names == ["values"]:
        return bool(was and (updates or not plain))
    return names == ["having"] and (updates or not plain)


def plans(seed: int, models: int, cases: int) -> list[tuple[Plan, Spec]]:
    """Models with rows for each, and what each is changed into before its last refresh."""
    chance = random.Random(seed)
    base = chance.choice(BASES)
    result: list[tuple[Plan, Spec]] = []
    while len(result) < models:
        spec = a_spec(chance, base)
        after = changed(chance, spec, base)
        if not spec.ordered or after == spec:
            continue
        count = 1 if after.clock == "global" else cases
        result.append((Plan(spec, some_cases(chance, spec, base, count)), after))
    return result


def play(project: DbtProject, seed: int, models: int, cases: int) -> tuple[Counter[str], list[str]]:
    """How many models of each change were taken, and refused; and what was wrong of which."""
    drawn = plans(seed, models, cases)
    arrivals = {f"c{n}": Arrivals(n, plan.spec, plan.cases) for n, (plan, _) in enumerate(drawn)}
    drop(project, arrivals)
    tasks = {name: of.spec.task() for name, of in arrivals.items()}
    for name, of in arrivals.items():
        write(project, name, of)
    for number in range(2):
        arrive(project, arrivals, tasks, number)
        with in_a_zone(project, number):
            project.run(*arrivals, threads=THREADS)
    before = {name: tuple(of.rows) for name, of in arrivals.items()}
    arrive(project, arrivals, tasks, 2)
    after = {}
    for (_, spec), (name, of) in zip(drawn, arrivals.items(), strict=True):
        after[name] = _with(of, spec, of.rows)
        write(project, name, after[name])
    with in_a_zone(project, 2):
        outcome = project.run(*after, threads=THREADS, expect_error=None)
    ends: Counter[str] = Counter()
    wrong: list[str] = []
    for result in outcome.results:
        name = result.node.name
        is_taken = result.status == "success"
        what = ", ".join(_options(arrivals[name].spec, after[name].spec))
        ends[f"{what}: {'taken' if is_taken else 'refused'}"] += 1
        should = must_be_taken(arrivals[name].spec, after[name].spec)
        if not is_taken and (should or SENTENCE not in str(result.message)):
            told = [str(result.message)]
        elif is_taken:
            told = _different(project, name, after[name])
        else:
            told = _different(
                project, name, _with(arrivals[name], arrivals[name].spec, before[name])
            )
        if told:
            texts = (arrivals[name].spec, after[name].spec)
            wrong.append("\n".join([f"{name}: {what}, taken: {is_taken}", *map(str, texts), *told]))
    return ends, wrong


def _with(of: Arrivals, spec: Spec, rows: Iterable[Arrival]) -> Arrivals:
    """A model as if it were another one, or only these rows had come."""
    other = Arrivals(of.number, spec, of.cases)
    other.rows = list(rows)
    return other


def _different(project: DbtProject, name: str, of: Arrivals) -> list[str]:
    due = expected(of, anew(of))
    told = differences(due, found(project, name, of.spec))
    return [line for lines in list(told.values())[:3] for line in lines]


def _options(before: Spec, after: Spec) -> list[str]:
    return [name for name in OPTIONS if getattr(before, name) != getattr(after, name)]
