"""Rollups over sessions, and over a rollup, after each refresh: what Spark gives for their text."""

from __future__ import annotations

import pytest

from tests.harness import DbtProject
from tests.rollups.chain import ROLLUPS, check, clicks, stored, write_models
from tests.windows.conformance import cuts

FEW = ("by_hour", "by_day", "by_country", "by_visit", "imported", "renamed")


@pytest.mark.parametrize(
    ("seed", "refreshes", "names"),
    [(1, 2, FEW), *[pytest.param(n, 8, tuple(ROLLUPS), marks=pytest.mark.slow) for n in (2, 3)]],
)
def test_any_cut(project: DbtProject, seed: int, refreshes: int, names: tuple[str, ...]) -> None:
    write_models(project)
    rows = clicks(seed, 60 * refreshes)
    for first, last in cuts(len(rows), refreshes, seed):
        project.append("clicks", rows[first:last])
        project.run("visits", *names, full_refresh=first == 0)
        check(project, *names)
    assert len(stored(project, "by_hour")) > 10
