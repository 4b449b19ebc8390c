"""Generated models on generated rows, judged by the record-at-a-time reference.

Promises 1, 2 and 6 over the whole space: any window, clock, key, emission, retention and cut, also
where each run is killed somewhere and run again, or takes several commits. What fails is made small
and printed. The same seed gives the same models and rows:

    EVENT_WINDOWS_SEED=7 EVENT_WINDOWS_SWEEP_MINUTES=30 make test PYTEST_ARGS='tests/generated'
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Sequence

import pytest

from tests.generated.play import THREADS, Plan, Way, plans, play
from tests.generated.shrink import smallest, told
from tests.harness import IS_SMALL, DbtProject

SEED = int(os.environ["EVENT_WINDOWS_SEED"])
SHRUNK = 3  # of one round: it takes a dozen runs each
MINUTES = float(os.environ.get("EVENT_WINDOWS_SWEEP_MINUTES", "60"))


def a_way(seed: int, of: Sequence[Plan]) -> Way:
    chance = random.Random(seed)
    known = [e.time for plan in of for e in plan.cases[0].events if e.time is not None]
    moves = chance.random() < 0.4
    return Way(
        advance_to=max(known, default=None) if moves else None,
        kills=seed if chance.random() < 0.3 else None,
        rows=chance.randint(20, 60) if chance.random() < 0.25 else None,
    )


def check(project: DbtProject, seed: int, models: int, cases: int, each: bool = False) -> None:
    print(f"seed {seed}: {models} models of {cases} cases, {THREADS} threads")
    generated = plans(seed, models, cases)
    way = a_way(seed, generated)
    wrong = play(project, generated, way, each)
    if wrong:
        texts = []
        for place, found in wrong.items():
            plan = generated[place]
            small = len(texts) < SHRUNK
            texts.append(told(*(smallest(project, plan, found, way) if small else (plan, found))))
        pytest.fail(f"seed {seed}, {way}\n\n" + "\n\n".join(texts))


@pytest.mark.sample
def test_a_sample(project: DbtProject) -> None:
    # with the settings that users have each model costs some twenty statements' code
    check(project, SEED, models=2 if IS_SMALL else 1, cases=40, each=True)


@pytest.mark.slow
def test_for_some_time(project: DbtProject, capsys: pytest.CaptureFixture[str]) -> None:
    """EVENT_WINDOWS_SWEEP_MINUTES says for how long; seeds are told as they go."""
    until = time.monotonic() + 60 * MINUTES
    failed = []
    seed = SEED
    while time.monotonic() < until:
        seed += 1
        with capsys.disabled():
            print(f"\nseed {seed}, after {len(failed)} that failed")
        try:
            check(project, seed, models=24, cases=100, each=True)
        except pytest.fail.Exception as failure:
            print(failure)
            failed.append(seed)
    assert not failed, f"seeds {failed}"
