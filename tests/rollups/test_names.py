"""Columns that are called as the package or a table format calls its own."""

from __future__ import annotations

from tests.formats import versions
from tests.harness import DbtProject
from tests.rollups.chain import from_scratch, stored
from tests.session_models import events, session_model

COLUMNS = "snapshot_id string, event_time timestamp, arrival_seq bigint, value bigint"
NAMED = {"key": "snapshot_id", "aggregates": {"number": "count(*)", "change": "sum(value)"}}
# the last is called as a place of the GROUP BY is
TEXT = """
    select snapshot_id, count(*) as number, sum(number) as latest, max(change) as `0`
    from {{ ref('named') }} group by 1
"""


def test_a_rollup_and_changes_of_columns_of_any_name(project: DbtProject) -> None:
    project.create_source("named_rows", events([("a", 0), ("a", 1), ("b", 5)]), COLUMNS)
    project.model("named", session_model("named_rows", **NAMED))
    project.model("named_rollup", "{{ config(materialized='rollup') }}" + TEXT)
    project.run("named", "named_rollup")
    for arrival, row in enumerate([("a", 2), ("c", 7), ("b", 900)], 3):
        project.append("named_rows", events([row], arrival))
        project.run("named", "named_rollup")
        assert stored(project, "named_rollup") == from_scratch(project, TEXT), row
    # of the refreshes, which come after the build
    first = sorted(versions(project, "named"))[1]
    inline = f"{{{{ event_windows.changes(ref('named'), from_version={first}) }}}}"
    assert project.rows(project.compile(inline=inline))
