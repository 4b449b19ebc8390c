"""Refreshes that touch no group: each stays there once, whichever of them bears the record."""

from __future__ import annotations

import pytest

from tests.harness import DbtProject
from tests.rollups.chain import CLICKS, from_scratch, stored
from tests.session_models import events, session_model

TEXT = """
    select key, count(*) as visits, sum(clicks) as clicks
    from {{ ref('visits') }} where clicks < 3 group by key
"""


@pytest.mark.slow
def test_refreshes_that_touch_no_group(project: DbtProject) -> None:
    project.create_source("clicks", events([("a", 0)]), CLICKS)
    project.model(
        "visits",
        session_model(
            "clicks",
            "event_windows.session(gap='30 minutes', grace='9 days')",
            aggregates={"clicks": "count(*)"},
        ),
    )
    project.model("by_key", "{{ config(materialized='rollup') }}" + TEXT)
    project.run()
    # a file of its own for each group, and then sessions that no group is of
    arrivals = [[("b", 0)], [("c", 0)], *[[("z", n)] * 3 for n in range(3)]]
    sent = 1
    for rows in arrivals:
        project.append("clicks", events(rows, sent))
        sent += len(rows)
        project.run()
        assert stored(project, "by_key") == from_scratch(project, TEXT), rows
