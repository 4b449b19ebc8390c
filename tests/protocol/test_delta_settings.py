"""Settings of a table of Delta, and of a session, with which no refresh could be committed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.harness import FILE_FORMAT, DbtProject, killed_after
from tests.session_models import EVENTS, events, session_model

pytestmark = pytest.mark.skipif(FILE_FORMAT != "delta", reason="settings of Delta")
OF_NEW_TABLES = "properties.defaults"


@contextmanager
def session(project: DbtProject, **given: str) -> Iterator[None]:
    """With these settings of Delta."""
    names = {f"spark.databricks.delta.{name}": value for name, value in given.items()}
    for name, value in names.items():
        project.spark.conf.set(name, value)
    try:
        yield
    finally:
        for name in names:
            project.spark.conf.unset(name)


@pytest.fixture
def landing_zone(project: DbtProject) -> None:
    """A session whose new tables take new rows alone, and map columns, where they say nothing."""
    given = {"appendOnly": "true", "columnMapping.mode": "name", "enableIcebergCompatV2": "true"}
    project.create_source("landed", events([("a", 0), ("b", 5)]), EVENTS)
    project.model("landed_m", session_model("landed"))
    with session(project, **{f"{OF_NEW_TABLES}.{name}": value for name, value in given.items()}):
        project.run("landed_m")


def test_a_table_of_a_landing_zone_can_be_refreshed(
    project: DbtProject, landing_zone: None
) -> None:
    project.append("landed", events([("a", 10)], 2))
    project.run("landed_m")
    assert {row.key: row.n for row in project.rows("select * from landed_m")} == {"a": 2, "b": 1}
    project.model("landed_m", session_model("landed", aggregates={"rows": "count(*)"}))
    project.run("landed_m")
    project.run("landed_m", full_refresh=True)
    assert {row.key: row.rows for row in project.rows("select * from landed_m")} == {"a": 2, "b": 1}

    project.rows("alter table landed_m set tblproperties ('delta.appendOnly' = 'true')")
    error = project.run("landed_m", expect_error=True).error
    assert "landed_m has delta.appendOnly true" in error


def test_a_killed_run_whose_commits_have_no_figures(project: DbtProject) -> None:
    project.create_source("figures", events([("a", 0), ("b", 5)]), EVENTS)
    project.model("figures_m", session_model("figures"))
    project.run("figures_m")
    project.append("figures", events([("a", 10), ("c", 5)], 2))
    with session(project, **{"history.metricsEnabled": "false"}):
        with killed_after(lambda sql: sql.step == "windows"):
            project.run("figures_m")
        project.run("figures_m")
    found = {row.key: row.n for row in project.rows("select * from figures_m")}
    assert found == {"a": 2, "b": 1, "c": 1}


def test_times_without_their_microseconds_are_refused(project: DbtProject) -> None:
    setting = "spark.sql.parquet.outputTimestampType"
    project.create_source("cut", events([("a", 0), ("b", 1 / 7)]), EVENTS)
    project.model("cut_m", session_model("cut"))
    project.model("cut_r", "{{ config(materialized='rollup') }} select key, sum(n) as n, "
                  "max(window_end) as last from {{ ref('cut_m') }} group by key")  # fmt: skip
    project.run("cut_m", "cut_r")
    before = project.rows("select * from cut_r order by key")
    project.append("cut", events([("b", 2 / 7)], 2))
    project.spark.conf.set(setting, "TIMESTAMP_MILLIS")
    try:
        for model in ("cut_m", "cut_r"):
            error = project.run(model, expect_error=True).error
            assert f"{setting} is TIMESTAMP_MILLIS: with it Delta stores times" in error
        # what is said of Delta
        project.rows("create table cut_t using delta as select last from cut_r")
    finally:
        project.spark.conf.unset(setting)
    assert project.rows("select * from cut_r order by key") == before
    assert [row.last for row in project.rows("select last from cut_t order by last")] != [
        row.last for row in sorted(before, key=lambda row: row.last)
    ]
    project.run("cut_m", "cut_r")
