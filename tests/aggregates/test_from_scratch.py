"""A model as a view has all in one query, late rows and aggregates over whole windows too."""

from __future__ import annotations

from tests.harness import DbtProject
from tests.session_models import EVENTS, disordered, public, session_model

HOURS = "event_windows.tumbling(size='1 hour', grace='10 minutes')"
VALUES = {
    "n": "count(*)",
    "middle": "approx_percentile(event_time, 0.5)",
    "some": "array_sort(collect_set(value / 2))",
    "histogram": "histogram_numeric(value, 3) filter (where value > 4)",
}


def test_a_view_has_the_windows_of_the_table(project: DbtProject) -> None:
    project.create_source("clicks", disordered(3, 40), EVENTS)
    project.model("kept", session_model("clicks", HOURS, aggregates=VALUES))
    project.model("asked", session_model("clicks", HOURS, "view", aggregates=VALUES))
    project.run("kept", "asked")
    assert project.rows("select 1 from kept__dropped where reason = 'late'")
    assert public(project, "asked") == public(project, "kept") != []
