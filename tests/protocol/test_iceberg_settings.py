"""Settings of a table of Iceberg, and of a session, with which a commit would not be one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.explain.told import explained
from tests.harness import FILE_FORMAT, DbtProject, Statement, watched
from tests.session_models import EVENTS, events, session_model

pytestmark = pytest.mark.skipif(FILE_FORMAT != "iceberg", reason="settings of Iceberg")
WINDOW = "event_windows.tumbling(size='30 minutes', grace='5 minutes')"
SHOWN = {"updates": 3, "final": 1}  # windows, when all rows are read


@pytest.fixture(autouse=True)
def session(project: DbtProject) -> Iterator[None]:
    yield
    for name in ["spark.wap.id", "spark.wap.branch"]:
        project.spark.conf.unset(name)


def built(project: DbtProject, name: str, emit: str = "updates") -> str:
    """A model that was built and has a row to read; its table of windows."""
    project.create_source(name, events([("a", 0), ("b", 5)]), EVENTS)
    project.model(f"{name}_m", session_model(name, WINDOW, config={"emit": emit}))
    project.run(f"{name}_m")
    project.append(name, events([("a", 60)], 2))
    return f"{name}_m" + ("__state" if emit == "final" else "")


def set_property(project: DbtProject, table: str, name: str, value: str) -> None:
    project.rows(f"alter table {table} set tblproperties ('{name}' = '{value}')")


@pytest.mark.parametrize(("emit", "value"), [("updates", "true"), ("final", "TRUE")])
@pytest.mark.parametrize("setting", ["spark.wap.id", "spark.wap.branch"])
def test_a_commit_that_would_be_staged_is_refused(
    project: DbtProject, setting: str, emit: str, value: str
) -> None:
    name = f"staged_{setting[10:]}_{emit}"
    windows = built(project, name, emit)
    set_property(project, windows, "write.wap.enabled", value)
    project.spark.conf.set(setting, "audit")
    assert setting in str(explained(project, f"{name}_m")[f"{name}_m"]["why"])
    error = project.run(f"{name}_m", expect_error=True).error
    assert f"{setting} is set in this session" in error
    project.spark.conf.unset(setting)
    project.run(f"{name}_m")
    assert len(project.rows(f"select * from {name}_m")) == SHOWN[emit]


@pytest.mark.parametrize("empty", [False, True])
def test_a_commit_that_was_staged_is_not_recorded(project: DbtProject, empty: bool) -> None:
    """The table, or the session, has been set so while the run was under way."""
    name = f"meanwhile_{empty}".lower()
    windows = built(project, name)
    if empty:
        project.create_source(name, [], EVENTS)
        project.run(windows, full_refresh=True)
        project.append(name, events([("a", 0), ("b", 5), ("a", 60)]))

    def stage(sql: Statement) -> None:
        if sql.model == windows and sql.step == "windows":
            set_property(project, windows, "write.wap.enabled", "true")
            project.spark.conf.set("spark.wap.id", name)

    with watched(before=stage):
        error = project.run(windows, expect_error=True).error
    assert "nothing is recorded" in error
    project.spark.conf.unset("spark.wap.id")
    project.run(windows)
    assert len(project.rows(f"select * from {windows}")) == 3


def test_a_build_is_never_staged(project: DbtProject) -> None:
    windows = built(project, "built_anew")
    set_property(project, windows, "write.wap.enabled", "true")
    project.spark.conf.set("spark.wap.id", "audit")
    project.run(windows, full_refresh=True)
    assert len(project.rows(f"select * from {windows}")) == 3


@pytest.mark.parametrize("emit", ["updates", "final"])
def test_merges_that_do_not_look_at_each_other_are_refused(project: DbtProject, emit: str) -> None:
    name = f"isolated_{emit}"
    windows = built(project, name, emit)
    for table in {windows, f"{name}_m"}:
        set_property(project, table, "write.merge.isolation-level", "snapshot")
        error = project.run(f"{name}_m", expect_error=True).error
        assert "has write.merge.isolation-level snapshot" in error
        project.run(f"{name}_m", full_refresh=True)
        assert len(project.rows(f"select * from {name}_m")) == SHOWN[emit]


def test_a_table_of_a_later_version_of_the_format(project: DbtProject) -> None:
    windows = built(project, "later")
    set_property(project, windows, "format-version", "3")
    project.run(windows)
    project.run(windows, full_refresh=True)
    assert len(project.rows(f"select * from {windows}")) == 3


def test_a_build_that_would_be_staged_is_refused(project: DbtProject) -> None:
    """A catalogue can give all its tables write.wap.enabled, whatever they are made with."""
    project.create_source("forced", events([("a", 0)]), EVENTS)
    project.model("forced_m", session_model("forced"))
    forced = "spark.sql.catalog.spark_catalog.table-override.write.wap.enabled"
    project.spark.conf.set(forced, "true")
    project.spark.conf.set("spark.wap.branch", "audit")
    try:
        error = project.run("forced_m", expect_error=True).error
        assert f"spark.wap.branch is set in this session ('audit'), and {forced} is true" in error
    finally:
        project.spark.conf.unset(forced)
    assert not project.rows("show tables like 'forced_m*'")
