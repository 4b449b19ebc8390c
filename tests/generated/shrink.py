"""A failing case made small: fewest rows, then fewest refreshes, then the plainest model."""

from __future__ import annotations

import random
from dataclasses import replace

from tests.generated.cases import Arrivals
from tests.generated.judge import shown
from tests.generated.play import Plan, Way, Wrong, play
from tests.harness import DbtProject

ROUNDS = 6


def smallest(project: DbtProject, plan: Plan, wrong: Wrong, way: Way) -> tuple[Plan, Wrong]:
    """The plan with the one case that says most; as it was if nothing smaller fails."""
    named = [grp for grp in wrong.cases if grp is not None]
    if named and plan.spec.clock != "global":
        grp = min(named, key=lambda grp: plan.cases[grp].size)
        plan, wrong = Plan(plan.spec, [plan.cases[grp]]), Wrong(wrong.when, {0: wrong.cases[grp]})
    elif len(plan.cases) > 1:
        return plan, wrong
    chance = random.Random(0)
    for _ in range(ROUNDS):
        tried = _fewer_rows(project, plan, chance, way)
        if tried is None:
            break
        plan, wrong = tried
    while tried := _plainer(project, plan, way):
        plan, wrong = tried
    return _fewer_rows(project, plan, chance, way) or (plan, wrong)


def _fewer_rows(
    project: DbtProject, plan: Plan, chance: random.Random, way: Way
) -> tuple[Plan, Wrong] | None:
    """Where one clock is for all each case needs a model of its own; else one model has them."""
    one_clock = plan.spec.clock == "global"
    [case] = plan.cases
    found = list(dict.fromkeys(case.smaller(chance, most=0 if one_clock else 250)))
    smaller = [candidate for candidate in found if candidate.size[0] > 0 and candidate != case]
    if one_clock:
        chance.shuffle(smaller)
        tried = [Plan(plan.spec, [candidate]) for candidate in smaller[:16]]
        failed = play(project, tried, way, each=True)
        results = [(tried[place], wrong) for place, wrong in failed.items()]
    else:
        whole = play(project, [Plan(plan.spec, smaller)], way, each=True).get(0)
        cases = {} if whole is None else whole.cases
        results = [
            (Plan(plan.spec, [smaller[grp]]), Wrong(whole.when, {0: told}))
            for grp, told in cases.items()
            if grp is not None
        ]
    better = [result for result in results if result[0].cases[0].size < case.size]
    return min(better, key=lambda result: result[0].cases[0].size) if better else None


def _plainer(project: DbtProject, plan: Plan, way: Way) -> tuple[Plan, Wrong] | None:
    tried = [replace(plan, spec=spec) for spec in plan.spec.simpler()]
    failed = play(project, tried, way, each=True) if tried else {}
    return next(((tried[place], wrong) for place, wrong in failed.items()), None)


def told(plan: Plan, wrong: Wrong) -> str:
    """A failing plan as a recipe."""
    if len(plan.cases) > 3:
        some = [line for lines in wrong.cases.values() for line in lines][:20]
        return "\n".join([plan.spec.text("..."), f"{wrong.when}:", *some])
    arrivals = Arrivals(0, plan.spec, plan.cases)
    batches = [shown(arrivals.next_batch(number)) for number in range(3)]
    lines = [line for lines in wrong.cases.values() for line in lines]
    return "\n".join(
        [
            plan.spec.text("source('raw', 'arrivals')"),
            *(f"refresh {number}:\n{batch}" for number, batch in enumerate(batches)),
            f"{wrong.when}:",
            *lines[:30],
            repr(plan),
        ]
    )
