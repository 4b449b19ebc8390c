"""Refreshes that touch no group: each stays there once, whichever of them bears the record."""

from __future__ import annotations

import pytest

from tests.harness import DbtProject
from tests.rollups.chain import CLICKS, from_scratch, stored
from tests.session_models import at, events, session_model

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


def test_a_nan_in_a_file_that_another_window_rewrites(project: DbtProject) -> None:
    """To Spark NaN is above every number, and Iceberg skips files by bounds that leave it out."""
    nan = float("nan")
    project.create_source("clicks", [("a", at(0), 0, 1.0), ("n", at(0), 1, nan)], CLICKS)
    session = "event_windows.session(gap='30 minutes', grace='unbounded')"
    project.model("visits", session_model("clicks", session, aggregates={"total": "sum(amount)"}))
    select = "select key, count(*) as n from {{ ref('visits') }} where total > 5 group by key"
    project.model("rich_by_key", "{{ config(materialized='rollup') }} " + select)
    select = "select key, total from {{ ref('visits') }} where total > 5"
    project.model("rich", "{{ config(materialized='rollup') }} " + select)
    project.run()
    for arrived in [[], [("a", at(1), 2, 100.0)], [("a", at(2), 3, -200.0)]]:
        if arrived:
            project.append("clicks", arrived)
            project.run()
        there = {"n", "a"} if arrived and arrived[0][3] > 0 else {"n"}
        for name in ["rich", "rich_by_key"]:
            assert {row.key for row in project.rows(f"select key from {name}")} == there, name
