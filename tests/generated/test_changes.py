"""Models that change between refreshes: the tables are those of a full refresh, or it is refused.

EVENT_WINDOWS_SEED=7 make test PYTEST_ARGS='tests/generated/test_changes.py'
"""

from __future__ import annotations

import os

import pytest

from tests.generated.changes import play
from tests.harness import IS_SMALL, DbtProject

SEED = int(os.environ["EVENT_WINDOWS_SEED"])


def test_a_sample(project: DbtProject) -> None:
    _, wrong = play(project, SEED, models=2 if IS_SMALL else 1, cases=20)
    assert not wrong, f"seed {SEED}\n\n" + "\n\n".join(wrong)


@pytest.mark.slow
@pytest.mark.parametrize("place", range(8))
def test_many(project: DbtProject, place: int) -> None:
    seed = SEED + 1 + place
    ends, wrong = play(project, seed, models=16, cases=30)
    for what, count in sorted(ends.items()):
        print(f"{count:4} {what}")
    assert not wrong, f"seed {seed}\n\n" + "\n\n".join(wrong)
    assert any(what.endswith("taken") for what in ends)
    assert any(what.endswith("refused") for what in ends)
