"""Aggregates of the model above get other names, or go, and no row comes with that."""

from __future__ import annotations

import pytest

from tests.formats import FILE_FORMAT
from tests.harness import DbtProject, recorded
from tests.rollups.chain import CLICKS, from_scratch, stored
from tests.session_models import at, session_model

SESSION = "event_windows.session(gap='30 minutes', grace='unbounded')"
PAID, NET = "sum(amount)", "sum(amount - 1)"
BY_KEY = "select key, count(*) as visits from {{ ref('visits') }} group by key"
REVENUE = "select key, sum(revenue) as revenue from {{ ref('visits') }} group by key"


def visits(project: DbtProject, full_refresh: bool = False, **aggregates: str) -> None:
    project.model("visits", session_model("clicks", SESSION, aggregates=aggregates))
    project.run("visits", full_refresh=full_refresh)


def rollup(project: DbtProject, name: str, text: str, full_refresh: bool = False) -> list[str]:
    project.model(name, "{{ config(materialized='rollup') }}" + text)
    with recorded() as sent:
        project.run(name, full_refresh=full_refresh)
    assert stored(project, name) == from_scratch(project, text)
    # but for what it drops of its own
    return [str(sql.step) for sql in sent.writes if sql.step != "end"]


def test_names_are_those_of_the_model_now(project: DbtProject) -> None:
    project.create_source("clicks", [("a", at(0), 0, 5.0), ("b", at(0), 1, 7.0)], CLICKS)
    visits(project, revenue=PAID, net=NET)
    rollup(project, "by_key", BY_KEY)
    rollup(project, "revenue", REVENUE)
    visits(project, net=NET)
    assert rollup(project, "by_key", BY_KEY) == ["build"]
    # a name that no column has any more is free for another
    visits(project, revenue=NET)
    assert rollup(project, "by_key", BY_KEY) == ["build"]
    assert rollup(project, "revenue", REVENUE) == ["build"]
    rollup(project, "revenue", REVENUE, full_refresh=True)
    project.append("clicks", [("a", at(1), 2, 9.0)])
    project.run("visits")
    assert rollup(project, "revenue", REVENUE) == ["merge"]


def test_names_that_change_places(project: DbtProject) -> None:
    visits(project, full_refresh=True, a=PAID, b=NET)
    text = "select key, sum(a) as a, sum(b) as b from {{ ref('visits') }} group by key"
    rollup(project, "both", text)
    visits(project, t=PAID, b=NET)
    visits(project, t=PAID, a=NET)
    visits(project, b=PAID, a=NET)
    assert rollup(project, "both", text) == ["build"]
    assert rollup(project, "both", text) == []


def test_columns_in_another_order(project: DbtProject) -> None:
    """Who reads a rollup by place reads the same, whether it was refreshed or built."""
    visits(project, full_refresh=True, a=PAID, b=NET)
    text = "select * from {{ ref('visits') }} where key <> 'none'"
    rollup(project, "all_of_it", text)
    visits(project, b=NET, a=PAID)
    assert rollup(project, "all_of_it", text) == ["build"]
    shown = project.spark.table(f"{project.schema}.all_of_it").columns
    assert shown[-4:-2] == ["b", "a"]


def test_a_value_that_was_there_between_two_runs(project: DbtProject) -> None:
    """Of which the text gives an error, as the SELECT did while it was there."""
    text = """
        select element_at(array(1, 2, 3), cast(last as int) - 2) as place, count(*) as n
        from {{ ref('visits') }} group by all
    """
    visits(project, full_refresh=True, last="max_by(amount, event_time)")
    rollup(project, "by_last", text)
    project.append("clicks", [("a", at(2), 3, 2.0)])
    project.run("visits")
    assert "INVALID_INDEX_OF_ZERO" in project.run("by_last", expect_error=True).error
    project.append("clicks", [("a", at(3), 4, 3.0)])
    project.run("visits")
    assert rollup(project, "by_last", text) == ["merge"]


@pytest.mark.skipif(FILE_FORMAT != "delta", reason="snapshots of Iceberg are of one table")
def test_another_table_of_the_same_name_and_version(project: DbtProject) -> None:
    project.create_source("clicks", [("a", at(0), 0, 5.0), ("b", at(0), 1, 7.0)], CLICKS)
    project.rows("drop table if exists visits")
    visits(project, full_refresh=True, revenue=PAID)
    rollup(project, "by_key", BY_KEY, full_refresh=True)
    project.rows("alter table visits rename to visits_before")
    project.rows("delete from visits_before where key = 'a'")
    project.rows(f"create table visits shallow clone {project.schema}.visits_before")
    assert rollup(project, "by_key", BY_KEY) == ["build"]


@pytest.mark.skipif(FILE_FORMAT != "iceberg", reason="tables of Delta have features, no version")
def test_another_format_version_is_no_change(project: DbtProject) -> None:
    """It is another version that a run reads, with the snapshot of before."""
    visits(project, full_refresh=True, revenue=PAID)
    rollup(project, "by_key", BY_KEY, full_refresh=True)
    project.spark.sql(
        f"alter table {project.schema}.visits set tblproperties ('format-version' = '3')"
    )
    freshness = project.compile(inline="{{ event_windows.freshness(ref('by_key')) }}")
    assert project.rows(freshness)[0].lag_rows == 0
    rollup(project, "by_key", BY_KEY)
    assert rollup(project, "by_key", BY_KEY) == []
