"""Tests that judge a table by its last refresh: over SMALLINT, and where that refresh is gone."""

from __future__ import annotations

import pytest

from tests.harness import DbtProject
from tests.session_models import SESSIONS, at, windowed

COLUMNS = "n int, event_time timestamp, arrival_seq bigint"
# a key that is called as a count might be, and numbers that Iceberg keeps as larger ones
RELATION = "'(select cast(n as smallint) as n, event_time, arrival_seq from SCHEMA.clicks)'"


def clicks(first: int, *minutes: float) -> list[tuple[int, object, int]]:
    return [(n % 2, at(minute), n) for n, minute in enumerate(minutes, first)]


@pytest.fixture(scope="module", autouse=True)
def built(project: DbtProject) -> None:
    project.create_source("clicks", clicks(0, 0, 10, 200), COLUMNS)
    relation = RELATION.replace("SCHEMA", project.schema)
    aggregates = {"times": "count(*)", "most": "max(n)"}
    call = windowed(relation, SESSIONS, key="n", aggregates=aggregates)
    project.model("sessions", "{{ config(materialized='windowed') }}\n" + call)
    project.run()
    project.append("clicks", clicks(3, 205, 900, 1000))
    project.run()
    names = ("equals_from_scratch", "every_row_is_counted", "no_arrival_is_skipped")
    tests = [{f"event_windows.{name}": {"name": name}} for name in names]
    project.write_yaml("models/tests.yml", {"models": [{"name": "sessions", "data_tests": tests}]})


def test_they_pass(project: DbtProject) -> None:
    outcome = project.test()
    assert {str(result.status) for result in outcome.results} == {"pass"}
    assert len(outcome.results) == 3


def test_a_table_that_has_lost_its_last_refresh_is_told(project: DbtProject) -> None:
    # Delta takes no subquery here
    last = project.rows("select max(_ew_refresh) as last from sessions")[0].last
    project.rows(f"delete from sessions where _ew_refresh = {last}")
    outcome = project.test(expect_error=True)
    assert {str(result.status) for result in outcome.results} == {"error"}
    assert outcome.error.count("the table has lost what came after it") == 3
