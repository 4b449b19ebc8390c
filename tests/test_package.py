"""What a project gets that installs the package: macros, and nothing that it did not ask for."""

from __future__ import annotations

import yaml

from tests.harness import DbtProject


def test_no_model_or_seed_is_added(project: DbtProject) -> None:
    project.model("own", "select 1 as x")
    assert project.dbt("list").results == ["scratch.own"]


def test_the_demo_can_be_enabled_by_a_var(project: DbtProject) -> None:
    demo = {"event_windows__demo": True}
    listed = project.dbt("list", exclude="resource_type:test", vars=demo).results
    assert set(listed) - {"scratch.own"} == {
        "event_windows.demo_late_page_views",
        "event_windows.demo_late_sensor_readings",
        "event_windows.demo_page_views",
        "event_windows.demo_sensor_readings",
        "event_windows.demo.page_view_sessions",
        "event_windows.demo.page_views_per_hour",
        "event_windows.demo.requests_per_minute",
        "event_windows.demo.revenue_so_far",
        "event_windows.demo.sensor_statistics",
        "event_windows.demo.stg_page_views",
        "event_windows.demo.stg_sensor_readings",
        "event_windows.demo.top_pages",
    }


def test_or_by_the_project(project: DbtProject) -> None:
    config = yaml.safe_load((project.root / "dbt_project.yml").read_text())
    config["models"]["event_windows"] = {"demo": {"stg_page_views": {"+enabled": True}}}
    config["seeds"]["event_windows"] = {"+enabled": True}
    project.write_yaml("dbt_project.yml", config)
    listed = project.dbt("list", resource_type="model").results
    assert "event_windows.demo.stg_page_views" in listed
