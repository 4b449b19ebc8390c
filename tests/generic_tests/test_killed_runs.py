"""Dropped rows of a run that was killed: those that do not count are not held against windows."""

from __future__ import annotations

from contextlib import suppress

import pytest

from dbt_event_windows.report import questions
from dbt_event_windows.report.asking import DbtAsker
from dbt_event_windows.report.health import read_health
from tests.harness import DbtProject, Killed, killed_after
from tests.session_models import EVENTS, events

PLAIN = """{{ config(materialized='windowed', grace='1 hour', arrival_order='arrival_seq') }}
select key, session_window.start as began, count(*) as n
from {{ source('raw', SOURCE) }} group by key, session_window(event_time, '30 minutes')"""
TESTS = ["every_row_is_counted", "equals_its_sql", "equals_from_scratch"]


def built(project: DbtProject, name: str, rows: list[tuple[str | None, float | None]]) -> None:
    """A model with tests over such rows, built once."""
    project.create_source(f"{name}_rows", events(rows), EVENTS)
    project.model(name, PLAIN.replace("SOURCE", f"'{name}_rows'"))
    tests = [{f"event_windows.{test}": {"name": f"{test}_{name}"}} for test in TESTS]
    models = {"models": [{"name": name, "data_tests": tests}]}
    project.write_yaml(f"models/{name}.yml", models)
    project.run(name)


def told(project: DbtProject, name: str) -> tuple[set[str], dict[str, int]]:
    """How the tests end, and how many dropped rows the report has."""
    outcome = project.test(name, expect_error=None)
    asker = DbtAsker(("--project-dir", str(project.root), "--profiles-dir", str(project.root)))
    return (
        {f"{result.node.name}: {result.status}" for result in outcome.results}
        - {f"{test}_{name}: pass" for test in TESTS},
        read_health(asker.ask(questions.health(name))).dropped,
    )


def test_a_run_that_was_killed_before_its_commit(project: DbtProject) -> None:
    built(project, "uncommitted", [("a", 0), ("a", 200)])
    project.append("uncommitted_rows", events([("a", 5)], 2))
    with killed_after(lambda sql: sql.step == "dropped_rows") as kill, suppress(Killed):
        project.run("uncommitted")
    assert kill.happened
    assert len(project.rows("select 1 from uncommitted__dropped")) == 1
    assert told(project, "uncommitted") == (set(), {})
    project.run("uncommitted")
    assert told(project, "uncommitted") == (set(), {"late": 1})


@pytest.mark.slow
def test_keys_that_a_killed_run_has_made_anew(project: DbtProject) -> None:
    built(project, "anew", [("a", 0), ("a", 200), ("a", 5), ("b", 0), ("b", 200), ("b", 5)])
    project.rows("delete from anew_rows where arrival_seq = 1")
    with killed_after(lambda sql: sql.step == "windows") as kill, suppress(Killed):
        project.run("anew", vars={"event_windows__rebuild": "key = 'a'"})
    assert kill.happened
    assert len(project.rows("select 1 from anew__dropped")) == 2
    assert told(project, "anew") == (set(), {"late": 1})
