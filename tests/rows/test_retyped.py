"""A source whose columns have other types than before: a full refresh takes them."""

from __future__ import annotations

from tests.harness import FILE_FORMAT, DbtProject
from tests.session_models import EVENTS, events, session_model

DAYS = """{{ config(materialized='rollup') }}
select date_trunc('day', window_start) as day, count(*) as n, max(window_end) as latest
from {{ ref('retyped_windows') }} group by day"""


def test_a_full_refresh_takes_columns_of_other_types(project: DbtProject) -> None:
    """Delta wants a feature for TIMESTAMP_NTZ and VARIANT; a table that is replaced lacks it."""
    project.create_source("retyped", events([("a", 0), ("a", 5), ("b", 90)]), EVENTS)
    project.model("retyped_windows", session_model("retyped"))
    project.model("retyped_days", DAYS)
    project.run("retyped_windows", "retyped_days")
    project.rows("alter table retyped rename to retyped_before")
    project.rows(
        f"create table retyped using {FILE_FORMAT} as select key, cast(event_time as timestamp_ntz)"
        " as event_time, arrival_seq, value from retyped_before"
    )
    project.run("retyped_windows", "retyped_days", full_refresh=True)
    types = {row.col_name: row.data_type for row in project.rows("describe retyped_windows")}
    assert types["window_start"] == "timestamp_ntz"
    assert len(project.rows("select * from retyped_windows")) == 2
    assert len(project.rows("select * from retyped_days")) == 1
