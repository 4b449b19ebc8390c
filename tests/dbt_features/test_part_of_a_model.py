"""Tests and clocks of a windowed model are told of all of it, whatever part of it dbt reads."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness import DbtProject
from tests.session_models import EVENTS, events, session_model

ROWS = "{{ source('raw', 'rows') }}"
TESTS: list[Any] = [
    {"event_windows.late_rows_at_most": {"arguments": {"number": 9}}},
    {"event_windows.every_row_is_counted": {"arguments": {"source": ROWS}}},
    "event_windows.equals_from_scratch",
]


@pytest.fixture(scope="module")
def tested(project: DbtProject) -> DbtProject:
    """A model with tests, and one that asks for its clocks."""
    project.create_source("rows", events([("a", 0), ("a", 20), ("b", 5)]), EVENTS)
    project.model("sound", session_model("rows", config={"event_time": "window_start"}))
    project.run("sound")
    project.write_yaml("models/sound.yml", {"models": [{"name": "sound", "data_tests": TESTS}]})
    project.model("clocks", "select * from {{ event_windows.stream_time(ref('sound')) }}")
    return project


def test_empty_shows_tests_of_a_model_all_of_its_rows(tested: DbtProject) -> None:
    results = tested.build("sound", empty=True).results
    assert [result.status for result in results] == ["success", "pass", "pass", "pass"]


def test_a_sample_of_a_model_is_none_of_its_clocks(tested: DbtProject) -> None:
    tested.run("clocks", sample="1 day")
    assert {row.key for row in tested.rows("select key from clocks")} == {"a", "b"}


def test_what_a_test_finds_is_kept_as_a_view(tested: DbtProject) -> None:
    scratch = {"event_windows.equals_from_scratch": {"config": {"store_failures_as": "view"}}}
    tested.write_yaml("models/sound.yml", {"models": [{"name": "sound", "data_tests": [scratch]}]})
    assert [result.status for result in tested.test("sound").results] == ["pass"]
