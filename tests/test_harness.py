"""The harness with a plain table model: what it says happened is what happened."""

from __future__ import annotations

from datetime import datetime

import pytest
from pyspark.sql import SparkSession

from tests.harness import (
    DbtError,
    DbtProject,
    Statement,
    Statements,
    is_write,
    killed_after,
    recorded,
    shared_data,
)

TABLE = "{{ config(materialized='table') }} select count(*) as n from {{ source('raw', 'events') }}"


@pytest.fixture(scope="module", autouse=True)
def events(project: DbtProject) -> None:
    rows = [("a", datetime(2024, 1, 1, 0, 30)), (None, datetime(2024, 1, 1, 1, 0))]
    project.create_source("events", rows, "key string, event_time timestamp")
    project.model("counted", TABLE)


def test_dbt_and_tests_share_one_session_without_ansi(spark: SparkSession) -> None:
    assert spark is SparkSession.getActiveSession()
    assert spark.conf.get("spark.sql.ansi.enabled") == "false"
    assert spark.conf.get("spark.sql.catalogImplementation") == "hive"
    assert spark.conf.get("spark.sql.session.timeZone") == "UTC"


def test_rows_written_by_dbt_are_read(project: DbtProject) -> None:
    project.run("counted")
    assert project.rows("select n from counted") == [(2,)]
    assert project.rows("select min(event_time) from events") == [(datetime(2024, 1, 1, 0, 30),)]


def test_appended_rows_are_seen(project: DbtProject) -> None:
    project.create_source("more", [(1,)], "x int")
    project.append("more", [(2,), (None,)])
    assert project.rows("select x from more order by x") == [(None,), (1,), (2,)]


def test_inline_queries_compile_and_show(project: DbtProject) -> None:
    assert "select 1 + 1" in project.compile(inline="select {{ 1 }} + 1 as two")
    assert project.show("select {{ var('x', 0) }} as x", vars={"x": 7}) == [{"x": 7}]


def test_an_error_carries_what_dbt_said(project: DbtProject) -> None:
    project.model("broken", "select no_such_column from {{ source('raw', 'events') }}")
    with pytest.raises(DbtError, match="no_such_column"):
        project.run("broken")
    assert "no_such_column" in project.run("broken", expect_error=True).error
    with pytest.raises(DbtError, match="did not fail"):
        project.run("counted", expect_error=True)
    (project.root / "models/broken.sql").unlink()


def test_to_run_nothing_is_an_error_unless_it_is_expected(project: DbtProject) -> None:
    for command in ("run", "test", "build"):
        with pytest.raises(DbtError, match=f"dbt {command} ran nothing: countd"):
            project.dbt(command, "countd")
        assert project.dbt(command, "countd", may_be_empty=True).results == []


def test_statements_are_recorded(project: DbtProject) -> None:
    with recorded() as statements:
        project.run("counted")
    assert statements.writes[-1].startswith("create or replace table")
    assert len(statements) > len(statements.writes)


@pytest.mark.parametrize(
    ("sql", "write"),
    [
        ('/* {"app": "dbt"} */ merge into t using s', True),
        ("-- why\n\n  INSERT into t select 1", True),
        ("create or replace table t as select 1", True),
        ("create or replace temporary view v as select 1", False),
        ("create schema if not exists s", False),
        ("select replace(x, 'a') from t", False),
    ],
)
def test_writes_are_told_from_reads(sql: str, write: bool) -> None:
    assert is_write(sql) == write


def test_a_label_says_which_model_and_step_a_statement_is_of() -> None:
    texts = [
        '/* {"app": "dbt"} */\n/* event_windows a clocks */\nselect 1 /* event_windows a end */',
        "/* event_windows a clocks */\ninsert into t select 1",
        "/* event_windows b late_rows */\nselect 2",
        "/* event_windows a windows */\nmerge into t using s",
        "select 3",
    ]
    statements = Statements(map(Statement, texts))
    assert statements[1] == "insert into t select 1"
    assert [(sql.model, sql.step) for sql in statements[::2]] == [
        ("a", "clocks"),
        ("b", "late_rows"),
        (None, None),
    ]
    assert statements.steps_of("a") == ["clocks", "windows"]
    assert len(statements.writes) == 2


def test_a_kill_stops_before_or_after_a_write(project: DbtProject) -> None:
    project.model("killed", TABLE.replace("count(*)", "1"))
    with killed_after(0) as kill:
        project.run("killed")
    assert kill.happened
    assert project.rows("show tables like 'killed'") == []

    with killed_after(lambda sql: sql.startswith("create")) as kill:
        project.run("killed")
    assert kill.happened
    assert project.rows("select n from killed") == [(1,), (1,)]

    with pytest.raises(AssertionError, match="nothing was killed"), killed_after(99):
        project.run("killed")
    with recorded() as statements, killed_after(99, may_end=True) as kill:
        project.run("killed")
    assert not kill.happened
    assert 1 <= len(statements.writes) < 99


def test_missing_data_is_skipped_with_its_path() -> None:
    with pytest.raises(pytest.skip.Exception, match=r"no_such\.parquet"):
        shared_data("no_such.parquet")
