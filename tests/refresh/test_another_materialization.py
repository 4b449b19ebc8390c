"""A model that dbt itself has made a table in the meantime says so, and can be built again."""

from __future__ import annotations

import pytest

from tests.explain.told import explained
from tests.harness import DbtProject
from tests.session_models import EVENTS, SESSIONS, events, public, session_model

PLAIN = """
{{ config(materialized='windowed', grace='1 hour', arrival_order='arrival_seq') }}
select key, window.start as began, count(*) as n
from {{ source('raw', 'events') }} group by key, window(event_time, '30 minutes')
"""
ROLLUP = """
{{ config(materialized='rollup') }}
select key, count(*) as windows from {{ ref('above') }} group by key
"""
MODELS = {
    "updated": session_model("events", SESSIONS),
    "final": session_model("events", SESSIONS, config={"emit": "final"}),
    "plain": PLAIN,
    "rollup": ROLLUP,
}
TABLE = "{{ config(materialized='table') }} select 1 as a"


@pytest.fixture(scope="module")
def back_again(project: DbtProject) -> DbtProject:
    project.create_source("events", events([("a", 0), ("b", 5), ("a", 9000)]), EVENTS)
    project.model("above", MODELS["updated"])
    for name, text in MODELS.items():
        project.model(name, text)
    project.run()
    for name in MODELS:
        project.model(name, TABLE)
    project.run()
    for name, text in MODELS.items():
        project.model(name, text)
    return project


def test_a_run_and_explain_ask_for_a_full_refresh(back_again: DbtProject) -> None:
    told = explained(back_again, *MODELS)
    outcome = back_again.run(expect_error=True)
    said = {result.node.name: str(result.message) for result in outcome.results}
    for name in MODELS:
        assert "--full-refresh" in said[name], (name, said[name])
        assert "--full-refresh" in str(told[name]["why"]), (name, told[name])


def test_a_full_refresh_builds_it_again(back_again: DbtProject) -> None:
    back_again.run(full_refresh=True)
    back_again.append("events", events([("b", 9100), ("a", 9200)], first_arrival=10))
    back_again.run()
    rows = set(back_again.rows("select key, count(*) as windows from above group by key"))
    assert len(rows) == 2
    assert rows == set(back_again.rows("select key, windows from rollup"))
    assert public(back_again, "updated") == public(back_again, "above")
    assert sum(row.n for row in back_again.rows("select n from plain")) == 5
