"""dbt's list of a schema, in which a table was dropped while Spark read it, is empty."""

from __future__ import annotations

import pytest

from tests.harness import DbtProject, Statement, recorded, watched
from tests.session_models import EVENTS, events, exists, public, session_model

PLAIN = """
{{ config(materialized='windowed', grace='1 hour', arrival_order='arrival_seq') }}
select key, window.start as began, count(*) as n
from {{ source('raw', 'rows') }} group by key, window(event_time, '30 minutes')
"""
MODELS = {
    "updated": session_model("rows"),
    "final": session_model("rows", config={"emit": "final"}),
    "plain": PLAIN,
    "rollup": "{{ config(materialized='rollup') }}\n"
    "select key, count(*) as windows from {{ ref('updated') }} group by key",
}


def lose(sql: Statement) -> None:
    """What Spark says of a table that has gone since it listed the names."""
    if sql.startswith("show table extended"):
        raise RuntimeError("[TABLE_OR_VIEW_NOT_FOUND] The table or view `gone` cannot be found.")


@pytest.mark.parametrize("full_refresh", [False, True])
def test_nothing_is_built_anew(project: DbtProject, full_refresh: bool) -> None:
    project.create_source("rows", events([("a", 0), ("b", 5), ("a", 9000)]), EVENTS)
    for name, text in MODELS.items():
        project.model(name, text)
    project.run()
    before = {name: public(project, name) for name in MODELS}
    project.rows("delete from rows where key = 'b'")
    for name in MODELS:
        with recorded() as sent, watched(before=lose):
            error = project.run(name, full_refresh=full_refresh, expect_error=True).error
        assert "there, and not in the list of the schema that dbt has read" in error, name
        assert sent.writes == []
    project.run()
    assert {name: public(project, name) for name in MODELS} == before


def test_names_that_are_in_no_list(project: DbtProject) -> None:
    """A view of the session with the name of a model is none of its tables."""
    project.create_source("rows", events([("a", 0)]), EVENTS)
    project.model("hidden", session_model("rows"))
    project.rows("create temporary view hidden__state as select 1 as a")
    try:
        project.run("hidden")
    finally:
        project.rows("drop view hidden__state")
    assert exists(project, "hidden")
