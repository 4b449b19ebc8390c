"""A project elsewhere that has the package from packages.yml, as a user's has."""

from __future__ import annotations

from tests.harness import REPOSITORY, DbtProject
from tests.session_models import EVENTS, counted, events, session_model

EVENTS_ROWS = [("a", 0), ("a", 10), ("b", 0)]


def test_the_package_comes_from_packages_yml(project: DbtProject) -> None:
    assert not project.root.is_relative_to(REPOSITORY)
    assert (project.root / "dbt_packages/event_windows/dbt_project.yml").exists()


def test_only_the_projects_own_nodes_are_there(project: DbtProject) -> None:
    project.create_source("clicks", events(EVENTS_ROWS), EVENTS)
    project.model("click_sessions", session_model("clicks"))
    listed = project.dbt("list").results
    assert sorted(listed) == ["scratch.click_sessions", "source:scratch.raw.clicks"]


def test_a_windowed_model_runs_twice(project: DbtProject) -> None:
    project.run()
    assert counted(project, "click_sessions") == {("a", 0, 10, 2), ("b", 0, 0, 1)}
    project.append("clicks", events([("a", 35)], first_arrival=3))
    project.run()
    assert counted(project, "click_sessions") == {("a", 0, 35, 3), ("b", 0, 0, 1)}


def test_nothing_else_is_made_in_the_schema(project: DbtProject) -> None:
    tables = {row.tableName for row in project.rows("show tables") if not row.isTemporary}
    assert tables - {"clicks", "event_windows_runs"} == {
        f"click_sessions{end}" for end in ["", "__stream_time", "__dropped", "__ew_clocks"]
    }
