"""dbt's other commands and what may stand around a windowed model: it works, or says why not."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.formats import set_back, version
from tests.harness import FILE_FORMAT, DbtProject, recorded
from tests.session_models import EVENTS, counted, events, exists, session_model, windowed

FIRST = events([("a", 0), ("a", 20), ("b", 5)])
LATER = events([("a", 200), ("b", 15)], first_arrival=len(FIRST))
BEFORE = {("a", 0, 20, 2), ("b", 5, 5, 1)}
AFTER = {("a", 0, 20, 2), ("a", 200, 200, 1), ("b", 5, 15, 2)}
SNAPSHOT = """
{% snapshot visits_over_time %}
{{ config(unique_key="concat_ws(' ', key, window_start)", strategy='check', check_cols=['n'],
          file_format=var('event_windows__file_format')) }}
select * from {{ ref('visits') }}
{% endsnapshot %}
"""


def saved_state(project: DbtProject) -> Path:
    """What dbt compares with: the manifest of the last command."""
    state = project.root / "state"
    shutil.rmtree(state, ignore_errors=True)
    state.mkdir()
    shutil.copy(project.root / "target/manifest.json", state)
    return state


OF_A_CALL = """
{% snapshot visits_of_a_call %}
{{ config(unique_key="concat_ws(' ', key, window_start)", strategy='check', check_cols=['n'],
          file_format=var('event_windows__file_format')) }}
CALL
{% endsnapshot %}
"""


@pytest.fixture(scope="module")
def built(project: DbtProject) -> DbtProject:
    project.artifacts = True
    project.create_source("clicks", FIRST, EVENTS)
    project.model("visits", session_model("clicks"))
    project.model("after", "{{ config(materialized='table') }} select * from {{ ref('visits') }}")
    if FILE_FORMAT == "delta":
        project.write("snapshots/visits.sql", SNAPSHOT)
    project.build()
    return project


@pytest.mark.skipif(
    FILE_FORMAT != "delta", reason="dbt-spark does not know its Iceberg snapshots again"
)
def test_a_snapshot_stands_on_it(built: DbtProject) -> None:
    built.append("clicks", LATER)
    built.build()
    assert counted(built, "visits") == AFTER
    rows = built.rows(
        "select key, n, dbt_valid_to is null as valid from visits_over_time where key = 'b'"
    )
    assert {tuple(row) for row in rows} == {("b", 1, False), ("b", 2, True)}


@pytest.mark.skipif(
    FILE_FORMAT != "delta", reason="dbt-spark does not know its Iceberg snapshots again"
)
def test_a_snapshot_of_a_call_is_made_again(built: DbtProject) -> None:
    """By way of a permanent view, which may call no function of the session."""
    window = "event_windows.session(gap='30 minutes', grace='1 hour')"
    text = OF_A_CALL.replace("CALL", windowed("source('raw', 'clicks')", window))
    path = built.write("snapshots/of_a_call.sql", text)
    for _ in range(2):
        built.dbt("snapshot", "visits_of_a_call")
    path.unlink()
    found = built.rows("select key, n from visits_of_a_call order by all")
    assert found == built.rows("select key, n from visits order by all")


def test_empty_reads_nothing_and_leaves_all_for_later(built: DbtProject) -> None:
    built.model("emptied", session_model("clicks"))
    built.run("emptied", empty=True)
    assert counted(built, "emptied") == set()
    built.run("emptied", empty=True)
    built.run("emptied")
    assert sum(n for *_, n in counted(built, "emptied")) == len(built.rows("select * from clicks"))


def test_a_sample_is_refused(built: DbtProject) -> None:
    sources: dict[str, Any] = {
        "sources": [
            {
                "name": "raw",
                "schema": built.schema,
                "tables": [{"name": "clicks", "config": {"event_time": "event_time"}}],
            }
        ]
    }
    built.write_yaml("models/sources.yml", sources)
    error = built.run("visits", sample="1 day", expect_error=True).error
    assert "run it without --sample" in error


def test_deferred_models_read_the_other_ones_tables(built: DbtProject) -> None:
    state = saved_state(built)
    outcome = built.run("after", defer=True, state=state, favor_state=True)
    assert outcome.success
    assert counted(built, "after") == counted(built, "visits")


@pytest.mark.slow
def test_versions_aliases_and_schemas(built: DbtProject) -> None:
    built.model("named", session_model("clicks", config={"alias": "renamed", "schema": "apart"}))
    built.model("told_v1", session_model("clicks"))
    built.model(
        "told_v2", session_model("clicks", "event_windows.session(gap='1 hour', grace='1 day')")
    )
    described = {"name": "told", "latest_version": 2, "versions": [{"v": 1}, {"v": 2}]}
    built.write_yaml("models/told.yml", {"models": [described]})
    built.model("on_told", "{{ config(materialized='view') }} select * from {{ ref('told') }}")
    for _ in range(2):
        built.run("named", "told", "on_told")
    assert counted(built, "on_told") == counted(built, "told_v2")
    found = built.rows(f"select count(*) as n from {built.schema}_apart.renamed")
    assert found[0].n == len(counted(built, "visits"))
    ledger = built.rows(f"select model from {built.schema}_apart.event_windows_runs")
    assert {row.model for row in ledger} == {"renamed"}


@pytest.mark.slow
def test_a_table_that_was_set_back_stops_the_next_run(built: DbtProject) -> None:
    built.create_source("restored_rows", FIRST, EVENTS)
    built.model("restored", session_model("restored_rows"))
    built.run("restored")
    first = version(built, "restored")
    built.append("restored_rows", LATER)
    built.run("restored")
    assert counted(built, "restored") == AFTER
    set_back(built, "restored", first)
    built.append("restored_rows", events([("c", 0)], first_arrival=100))
    error = built.run("restored", expect_error=True).error
    assert "--full-refresh" in error
    built.run("restored", full_refresh=True)
    assert counted(built, "restored") == AFTER | {("c", 0, 0, 1)}


@pytest.mark.skipif(FILE_FORMAT != "delta", reason="dbt-spark clones by Delta's shallow clone")
def test_a_clone_of_the_table_alone_stops_the_next_run(built: DbtProject) -> None:
    state = saved_state(built)
    other = f"{built.schema}_cloned"
    profiles = (built.root / "profiles.yml").read_text()
    built.write("profiles.yml", profiles.replace(f"schema: {built.schema}", f"schema: {other}"))
    try:
        built.dbt("clone", "visits", state=state)
        assert built.rows(f"select count(*) as n from {other}.visits")[0].n == 3
        error = built.run("visits", expect_error=True).error
    finally:
        built.write("profiles.yml", profiles)
    assert "--full-refresh" in error


def test_over_an_ephemeral_model_and_in_a_table(built: DbtProject) -> None:
    built.model(
        "fleeting",
        "{{ config(materialized='ephemeral') }} select * from {{ source('raw', 'clicks') }}",
    )
    built.model("over", "{{ config(materialized='windowed') }}\n" + windowed("ref('fleeting')"))
    built.run("over")
    assert exists(built, "over")
    assert counted(built, "over") == counted(built, "visits")


def test_shown_over_an_ephemeral_model_are_the_values_of_the_table(built: DbtProject) -> None:
    """Of its columns Spark tells no types."""
    built.model(
        "fleeting",
        "{{ config(materialized='ephemeral') }} select * from {{ source('raw', 'clicks') }}",
    )
    aggregates = {
        "whole": "sum(distinct 9007199254740993 + arrival_seq)",
        "mean": "avg(cast(arrival_seq as decimal(20, 2)))",
    }
    call = windowed("ref('fleeting')", aggregates=aggregates)
    built.model("over", "{{ config(materialized='windowed') }}\n" + call)
    built.run("over", full_refresh=True)
    table = built.dbt("show", "over", limit=1000).results[0].agate_table
    shown = {(row["key"], row["whole"], row["mean"]) for row in table.rows}
    assert shown == {tuple(row) for row in built.rows("select key, whole, mean from over")}


def test_beside_an_ephemeral_model_a_table_is_read_as_it_is(built: DbtProject) -> None:
    """Its log is followed: of a SELECT with the other's CTE there is none."""
    text = "{{ config(materialized='ephemeral') }} select key from {{ source('raw', 'clicks') }}"
    built.model("beside", text)
    model = session_model("clicks", arrival_order=None)
    built.model("named_beside", "-- depends_on: {{ ref('beside') }}\n" + model)
    built.run("named_beside")
    built.model("beside", text + " where key is not null")
    with recorded() as sent:
        built.run("named_beside")
    assert sent.writes == []
    assert exists(built, "named_beside")


def test_a_unit_test_sees_what_the_model_says_in_its_text(built: DbtProject) -> None:
    built.create_source("loads", [], f"{EVENTS}, loaded_at timestamp")
    config = {"max_ahead": "1 hour", "meta": {"arrived_at": "loaded_at"}}
    window = "event_windows.tumbling(size='1 hour', grace='1 day')"
    built.model("loaded", session_model("loads", window, config=config))
    row = {"key": "a", "event_time": "2024-04-17 12:00:00", "arrival_seq": 1}
    unit_test = {
        "name": "a_row_ahead_of_its_time_is_not_counted",
        "model": "loaded",
        "given": [
            {
                "input": "source('raw', 'loads')",
                "rows": [row | {"loaded_at": f"2024-04-17 {hour}:00:00"} for hour in ["09", "11"]],
            }
        ],
        "expect": {"rows": [{"key": "a", "n": 1}]},
    }
    built.write_yaml("models/loaded.yml", {"unit_tests": [unit_test]})
    assert [result.status for result in built.build("loaded").results] == ["pass", "success"]


PLAIN = """
{{ config(materialized='windowed', grace='1 day', arrival_order='arrival_seq') }}
select key, session_window.end as until, count(*) as n
from {{ ref('stg') }}
where value >= 0
group by key, session_window(event_time, '30 minutes')
having count(*) > 1
"""


@pytest.mark.slow
def test_unit_tests_of_a_model_in_plain_sql(built: DbtProject) -> None:
    """The text is a query as it stands: rows that are given go through it as in Spark."""
    built.model(
        "stg", "{{ config(materialized='view') }} select * from {{ source('raw', 'clicks') }}"
    )
    built.model("plain", PLAIN)
    rows = [
        {"key": "a", "event_time": f"2024-04-17 10:{minute}:00", "arrival_seq": n, "value": value}
        for n, (minute, value) in enumerate([("00", 1), ("30", 1), ("59", -1)])
    ]
    unit_test = {
        "name": "views_within_the_gap_are_one_visit",
        "model": "plain",
        "given": [{"input": "ref('stg')", "rows": rows}],
        "expect": {"rows": [{"key": "a", "until": "2024-04-17 11:00:00", "n": 2}]},
    }
    built.write_yaml("models/plain.yml", {"unit_tests": [unit_test]})
    built.build("stg", "plain")
    assert [row.n for row in built.rows("select n from plain where key = 'a'")] == [2]
    wrong = unit_test | {"expect": {"rows": [{"key": "a", "n": 3}]}}
    built.write_yaml("models/plain.yml", {"unit_tests": [wrong]})
    assert "views_within_the_gap" in built.test("plain", expect_error=True).error
