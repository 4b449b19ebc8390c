"""A source whose columns are called as statements call their tables."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.harness import REPOSITORY, DbtProject
from tests.retract.test_any_change import LAYOUTS
from tests.session_models import EVENTS, disordered, public, session_model

pytestmark = pytest.mark.slow
TABLE = re.compile(r"(?:\)|\}\}|\b(?:from|join) \S+) as ([a-z][a-z_]*)|^([a-z][a-z_]*) as \(", re.M)
SESSIONS = "event_windows.session(gap='30 minutes', grace='1 hour')"
HOURS = "event_windows.hopping(size='2 hours', advance_by='1 hour', grace='1 hour')"
SLIDES = "event_windows.sliding(difference='1 hour', grace='1 hour')"
RETRACT = {"source_changes": "retract"}
MODELS: dict[str, tuple[str, dict[str, Any], str | None]] = {
    "sessions": (SESSIONS, {}, "arrival_seq"),
    "hours": (HOURS, {}, "arrival_seq"),
    "slides": (SLIDES, {}, "arrival_seq"),
    "versions": (SESSIONS.replace("1 hour", "unbounded"), {}, None),
    "retract": (SESSIONS, RETRACT, "arrival_seq"),
    "retract_versions": (SESSIONS.replace("1 hour", "unbounded"), RETRACT, None),
}
ROWS = disordered(1, 40)


def names() -> list[str]:
    """What macros call tables, CTEs among them."""
    texts = [path.read_text() for path in (REPOSITORY / "macros").rglob("*.sql")]
    found = {name for text in texts for match in TABLE.findall(text) for name in match if name}
    own = {word.split()[0] for word in EVENTS.split(", ")}
    return sorted(found - own - {"array", "string", "timestamp", "bigint"})


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_columns_named_as_tables_are(project: DbtProject, layout: dict[str, str]) -> None:
    named = names()
    assert {"arrived", "stored", "slices", "late_rows"} <= set(named)
    sources = {"bare": [], "named": named}
    options = ", ".join(f"'{name}' = '{value}'" for name, value in layout.items())
    for source, more in sources.items():
        project.create_source(source, [], EVENTS + "".join(f", {name} int" for name in more))
        project.rows(f"alter table {source} set tblproperties ({options})")
        for model, (window, config, order) in MODELS.items():
            text = session_model(source, window, config=config, arrival_order=order)
            project.model(f"{source}_{model}", text)

    def arrive(first: int, last: int) -> None:
        for source, more in sources.items():
            project.append(source, [row + (1,) * len(more) for row in ROWS[first:last]])

    def compare() -> None:
        for model in MODELS:
            for end, without in [("", ()), ("__dropped", ("source_row", "run_id"))]:
                bare, other = (public(project, f"{s}_{model}{end}", without) for s in sources)
                assert bare == other, f"{model}{end}"

    arrive(0, 15)
    project.run(full_refresh=True)
    arrive(15, 30)
    project.run()
    compare()
    for source in sources:
        project.rows(f"delete from {source} where arrival_seq in (3, 20)")
    for source in sources:
        gone = project.run(f"{source}_versions", expect_error=True).error
        assert "its rows were not only added to" in gone
    arrive(30, 40)
    kept = [model for model in MODELS if model != "versions"]
    project.run(*[f"{source}_{model}" for source in sources for model in kept])
    compare()
    assert public(project, "named_sessions__dropped")
