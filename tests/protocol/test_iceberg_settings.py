"""Settings of a table of Iceberg that a user has changed."""

from __future__ import annotations

import pytest

from tests.harness import FILE_FORMAT, DbtProject
from tests.session_models import EVENTS, events, session_model

pytestmark = pytest.mark.skipif(FILE_FORMAT != "iceberg", reason="settings of Iceberg")
WINDOW = "event_windows.tumbling(size='30 minutes', grace='5 minutes')"


def built(project: DbtProject, name: str, emit: str = "updates") -> str:
    """A model that was built and has a row to read; its table of windows."""
    project.create_source(name, events([("a", 0), ("b", 5)]), EVENTS)
    project.model(f"{name}_m", session_model(name, WINDOW, config={"emit": emit}))
    project.run(f"{name}_m")
    project.append(name, events([("a", 60)], 2))
    return f"{name}_m" + ("__state" if emit == "final" else "")


def set_property(project: DbtProject, table: str, name: str, value: str) -> None:
    project.rows(f"alter table {table} set tblproperties ('{name}' = '{value}')")


def test_a_table_of_a_later_version_of_the_format(project: DbtProject) -> None:
    windows = built(project, "later")
    set_property(project, windows, "format-version", "3")
    project.run(windows)
    project.run(windows, full_refresh=True)
    assert len(project.rows(f"select * from {windows}")) == 3
