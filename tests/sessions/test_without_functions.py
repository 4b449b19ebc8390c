"""Sessions with late rows where no Python function is registered: replay='sql'."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.harness import DbtProject, sampled, selected
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
    "as_view": session_model("clicks", WINDOW, "view"),
    "as_table": session_model("clicks", WINDOW, "table", config=SQL),
}

SAMPLE = ["kept_up", "as_view"]


@pytest.fixture(scope="module")
def clicks(request: pytest.FixtureRequest, project: DbtProject) -> DbtProject:
    """The models of the tests that will run, after a build and a refresh."""
    project.create_source("clicks", events(DRAWN[:70]), EVENTS)
    names = selected(request, "model") | {"kept_up"}
    for name in names:
        project.model(name, MODELS[name])
    project.run()
    project.append("clicks", events(DRAWN[70:], 70))
    project.run(*names - {"as_view"})  # a view says it by itself
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


@pytest.mark.parametrize("model", sampled(MODELS, SAMPLE))
def test_tables_and_views_are_exact(clicks: DbtProject, model: str) -> None:
    check(clicks, model)


@pytest.mark.slow
def test_a_full_refresh_is_exact(clicks: DbtProject) -> None:
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
