"""Settings of a table of Delta, and of a session, with which no refresh could be committed."""

from __future__ import annotations

import pytest

from tests.harness import FILE_FORMAT, DbtProject
from tests.session_models import EVENTS, events, session_model

pytestmark = pytest.mark.skipif(FILE_FORMAT != "delta", reason="settings of Delta")
OF_NEW_TABLES = "spark.databricks.delta.properties.defaults"


@pytest.fixture
def landing_zone(project: DbtProject) -> None:
    """A session whose new tables take new rows alone, and map columns, where they say nothing."""
    given = {f"{OF_NEW_TABLES}.appendOnly": "true", f"{OF_NEW_TABLES}.columnMapping.mode": "name"}
    project.create_source("landed", events([("a", 0), ("b", 5)]), EVENTS)
    project.model("landed_m", session_model("landed"))
    for name, value in given.items():
        project.spark.conf.set(name, value)
    try:
        project.run("landed_m")
    finally:
        for name in given:
            project.spark.conf.unset(name)


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
