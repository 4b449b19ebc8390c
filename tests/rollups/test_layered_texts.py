"""Generated texts over CTEs and subqueries: after each refresh what Spark gives for the text."""

from __future__ import annotations

import os
import random

import pytest

from tests.harness import DbtProject
from tests.rollups.chain import CLICKS, USERS, VISITS, clicks, from_scratch, stored
from tests.rollups.layered import draw_text
from tests.windows.conformance import cuts

SEED = int(os.environ["EVENT_WINDOWS_SEED"])


@pytest.mark.parametrize(
    ("texts", "refreshes"), [(4, 2), pytest.param(30, 4, marks=pytest.mark.slow)]
)
def test_any_text(project: DbtProject, texts: int, refreshes: int) -> None:
    chance = random.Random(f"{SEED} {texts}")
    project.create_source("users", USERS, "key string, country string")
    project.create_source("clicks", [], CLICKS)
    project.model("visits", VISITS)
    written = {f"layered_{texts}_{place}": draw_text(chance) for place in range(texts)}
    for name, text in written.items():
        project.model(name, "{{ config(materialized='rollup') }}\n" + text)
    rows = clicks(SEED, 60 * refreshes)
    for first, last in cuts(len(rows), refreshes, SEED):
        project.append("clicks", rows[first:last])
        project.run("visits", *written, full_refresh=first == 0)
        for name, text in written.items():
            assert stored(project, name) == from_scratch(project, text), f"seed {SEED}:\n{text}"
