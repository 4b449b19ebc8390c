"""What a project gets that installs the package: macros, and nothing that it did not ask for."""

from __future__ import annotations

import yaml

from tests.harness import REPOSITORY, DbtProject


def test_no_model_or_seed_is_added(project: DbtProject) -> None:
    project.model("own", "select 1 as x")
    assert project.dbt("list").results == ["scratch.own"]


def test_the_demo_can_be_enabled_by_a_var(project: DbtProject) -> None:
    demo = {"event_windows__demo": True}
    listed = project.dbt("list", exclude="resource_type:test", vars=demo).results
    assert set(listed) - {"scratch.own"} == {
        "event_windows.ew_demo_page_views",
        "event_windows.ew_demo_sensor_readings",
        "event_windows.demo.ew_demo_orders_per_day",
        "event_windows.demo.ew_demo_page_view_sessions",
        "event_windows.demo.ew_demo_page_views_per_hour",
        "event_windows.demo.ew_demo_requests_per_minute",
        "event_windows.demo.ew_demo_revenue_so_far",
        "event_windows.demo.ew_demo_sensor_statistics",
        "event_windows.demo.ew_demo_sessions_per_day",
        "event_windows.demo.ew_demo_sessions_per_hour",
        "event_windows.demo.ew_demo_stg_page_views",
        "event_windows.demo.ew_demo_stg_sensor_readings",
        "event_windows.demo.ew_demo_top_pages",
        "event_windows.demo.ew_demo_visits",
    }


def test_names_of_the_demo_are_not_those_of_users() -> None:
    """What a package's yml says of a model that is off, dbt takes as said of one with its name."""
    names = [path.stem for path in (REPOSITORY / "models").rglob("*.sql")]
    names += [path.stem for path in (REPOSITORY / "seeds").glob("*.csv")]
    for path in ["models/demo/_demo__models.yml", "seeds/_seeds.yml"]:
        described = yaml.safe_load((REPOSITORY / path).read_text())
        names += [node["name"] for kind in ("models", "seeds") for node in described.get(kind, [])]
    assert len(names) > 20
    assert all(name.startswith("ew_demo_") for name in names)


def test_or_by_the_project(project: DbtProject) -> None:
    config = yaml.safe_load((project.root / "dbt_project.yml").read_text())
    config["models"]["event_windows"] = {"demo": {"ew_demo_stg_page_views": {"+enabled": True}}}
    config["seeds"]["event_windows"] = {"+enabled": True}
    project.write_yaml("dbt_project.yml", config)
    listed = project.dbt("list", resource_type="model").results
    assert "event_windows.demo.ew_demo_stg_page_views" in listed
