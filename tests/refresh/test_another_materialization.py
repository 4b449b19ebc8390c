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


def test_a_rollup_in_the_place_of_windows(project: DbtProject) -> None:
    """What is read is what is there now, not the windows that plain SQL has left beside it."""
    project.create_source("events", events([("a", 0), ("b", 5), ("a", 9000)]), EVENTS)
    project.model("below", MODELS["updated"])
    project.model("swapped", PLAIN)
    top = (
        ROLLUP.split("select")[0] + "select count(*) as keys, sum(n) as n from {{ ref('swapped') }}"
    )
    project.run("below", "swapped")
    by_key = ROLLUP.replace("above", "below").replace("windows", "n")
    project.model("swapped", by_key)
    project.run("swapped", full_refresh=True)
    project.model("top", top)
    project.run("top")
    assert [tuple(row) for row in project.rows("select keys, n from top")] == [(2, 3)]
    project.append("events", events([("c", 10)], first_arrival=5))
    project.run("below", "swapped", "top")
    assert [tuple(row) for row in project.rows("select keys, n from top")] == [(3, 4)]
    # and the other way round
    project.model("swapped", MODELS["updated"])
    assert "--full-refresh" in project.run("swapped", expect_error=True).error
    project.run("swapped", full_refresh=True)
    project.run("top")
    assert [tuple(row) for row in project.rows("select keys, n from top")] == [(4, 4)]
    shown = project.show("{{ event_windows.window_counts(ref('swapped')) }}")
    assert shown


QUESTIONS = {
    "window_counts(ref('M'))": "is no table of a windowed model",
    "freshness(ref('M'))": "is no table of a windowed model",
    "_report_facts(ref('M'))": "is no table of a windowed model",
    "default__test_no_arrival_is_skipped(ref('M'), none)": "is no table of a windowed model",
    "default__test_late_rows_at_most(ref('M'), none, 0, 1)": "is no table of a windowed model",
    "changes(ref('M'))": "has no column 'window_start'",
    "fetch(ref('M'), {'key': \"'a'\"})": "has no column 'window_start'",
}


def test_what_windows_have_left_beside_a_table_does_not_answer(project: DbtProject) -> None:
    """m__state stays where dbt has made m a table, and is asked about no more."""
    project.create_source("events", events([("a", 0), ("b", 5), ("a", 9000)]), EVENTS)
    left = {"left_final": MODELS["final"], "left_view": PLAIN, "left_table": PLAIN}
    for name, text in left.items():
        project.model(name, text)
    project.run("left_final", "left_view")
    project.run("left_table", vars={"event_windows__views": False})
    for name in left:
        project.model(name, TABLE)
    project.run(*left)
    for name in left:
        said = {}
        for question in QUESTIONS:
            inline = "{{ event_windows." + question.replace("M", name) + " }}"
            said[question] = project.dbt("compile", inline=inline, expect_error=None).error
        missing = {key: text for key, text in said.items() if QUESTIONS[key] not in text}
        assert not missing, (name, missing)
        project.model("top", ROLLUP.replace("'above'", f"'{name}'"))
        assert "FROM names no model" in project.run("top", expect_error=True).error


def test_names_that_others_have_are_not_taken(project: DbtProject) -> None:
    """Tables by hand and a model of the project, which have the names of what stands beside it."""
    project.create_source("others", events([("a", 0), ("b", 5)]), EVENTS)
    project.model("named", session_model("others"))
    for beside in ["state", "dropped"]:
        project.create_source(f"named__{beside}", [(1,)], "a int")
    project.model("named__stream_time", "{{ config(materialized='view') }} select 1 as a")
    project.run("named__stream_time")
    told = explained(project, "named")["named"]
    error = project.run("named", expect_error=True).error
    for beside in ["state", "dropped", "stream_time"]:
        assert [row.a for row in project.rows(f"select a from named__{beside}")] == [1]
        assert f"named__{beside} is kept for what stands beside the model" in error
        assert f"named__{beside} is kept for what stands beside the model" in str(told["why"])
    assert told["run"] == "stops"
    for beside in ["state", "dropped"]:
        project.rows(f"drop table named__{beside}")
    project.model("named__stream_time", "{{ config(enabled=false) }} select 1 as a")
    error = project.run("named", expect_error=True).error
    assert "a view that the package has not made has it" in error
    assert [row.a for row in project.rows("select a from named__stream_time")] == [1]
    project.rows("drop view named__stream_time")
    project.run("named")
    project.run("named", full_refresh=True)
    for table in ["named", "named__dropped", "named__ew_clocks"]:
        project.rows(f"drop table {table}")
    project.run("named")  # over the view that was left
    assert len(project.rows("select * from named__stream_time")) == 2


def test_no_rows_of_a_rollup(project: DbtProject) -> None:
    """dbt's --empty builds it without rows, as the next run sees, and leaves one that is there."""
    project.create_source("few", events([("a", 0), ("b", 5)]), EVENTS)
    project.model("few_m", session_model("few"))
    project.run("few_m")
    project.model("few_r", ROLLUP.replace("'above'", "'few_m'"))
    project.run("few_r", empty=True)
    assert project.rows("select * from few_r") == []
    project.run("few_r")
    assert len(project.rows("select * from few_r")) == 2
    project.append("few", events([("c", 10)], first_arrival=5))
    project.run("few_m")
    project.run("few_r", empty=True)
    assert len(project.rows("select * from few_r")) == 2
    project.run("few_r")
    assert len(project.rows("select * from few_r")) == 3
