"""Sessions with late rows where no Python function is registered: replay='sql'."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.harness import DbtProject
from tests.reference.records import Row
from tests.reference.session import session
from tests.session_models import EVENTS, counted, events, session_model

pytestmark = pytest.mark.usefixtures("unregistered")

WINDOW = "event_windows.session(gap='30 minutes', grace='20 minutes')"
BY_ROW = (
    "event_windows.session(gap_by='make_dt_interval(0, 0, 10 + value % 30)', grace='20 minutes')"
)
CHANCE = random.Random(21)
DRAWN = [(CHANCE.choice("ab"), 6 * i - CHANCE.randint(0, 160)) for i in range(160)]
GAPS = [10 + 10 * i % 30 for i in range(len(DRAWN))]
SQL: dict[str, Any] = {"replay": "sql"}
MODELS = {
    "kept_up": session_model("clicks", WINDOW, config=SQL),
    "by_row": session_model("clicks", BY_ROW, config=SQL | {"retention": "50 minutes"}),
    "as_view": session_model("clicks", WINDOW, "view", config=SQL),
    "as_table": session_model("clicks", WINDOW, "table", config=SQL),
}


@pytest.fixture(scope="module")
def clicks(project: DbtProject) -> DbtProject:
    project.create_source("clicks", events(DRAWN[:70]), EVENTS)
    for name, sql in MODELS.items():
        project.model(name, sql)
    return project


def check(project: DbtProject, model: str) -> None:
    rows = [Row(key, t, gap=gap) for (key, t), gap in zip(DRAWN, GAPS, strict=True)]
    of_row = model == "by_row"
    result = session(rows, None if of_row else 30, 20, 50 if of_row else None)
    assert counted(project, model) == {(w.key, w.start, w.end, len(w.rows)) for w in result.windows}
    if not model.startswith("as_"):
        dropped = project.rows(f"select arrival_seq, reason from {model}__dropped")
        assert {(row.arrival_seq, row.reason) for row in dropped} == {
            (late.index, late.reason) for late in result.dropped
        }
    assert result.dropped


def test_tables_and_views_are_exact(clicks: DbtProject) -> None:
    clicks.run(*MODELS)
    clicks.append("clicks", events(DRAWN[70:], 70))
    clicks.run("kept_up", "by_row", "as_table")  # the view says it by itself
    for model in MODELS:
        check(clicks, model)
    clicks.run("kept_up", full_refresh=True)
    check(clicks, "kept_up")


def test_too_many_rows_are_refused(clicks: DbtProject) -> None:
    clicks.model("too_many", session_model("clicks", WINDOW))
    given = {"event_windows__replay": "sql", "event_windows__max_replay_steps": 3}
    try:
        error = clicks.run("too_many", vars=given, expect_error=True).error
    finally:
        (clicks.root / "models/too_many.sql").unlink()
    assert "one key has so many rows that may be late" in error
    assert 'steps, allowed are 3: {"k1":"' in error
    assert "raise the var event_windows__max_replay_steps" in error
