"""Bad input stops with one message, and nothing is written."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import pytest

from tests.formats import last_commit
from tests.harness import DbtProject
from tests.session_models import (
    EVENTS,
    SESSIONS,
    events,
    exists,
    ledger,
    public,
    session_model,
    windowed,
)


@pytest.fixture(scope="module", autouse=True)
def source(project: DbtProject) -> None:
    rows = events([("a", 0), ("a", 100), ("a", 1), ("b", 3)])
    project.create_source("events", rows, EVENTS)
    columns = "key string, day date, event_time timestamp, arrival_seq bigint, seen timestamp"
    odd = [("a", datetime(2024, 1, 1).date(), datetime(2024, 1, 1), 0, datetime(2024, 1, 1))]
    odd += [("a", datetime(2024, 1, 1).date(), datetime(2024, 1, 1), None, None)]
    project.create_source("odd", odd, columns)


def nothing_is_there(project: DbtProject, model: str) -> bool:
    beside = ["", "__state", "__stream_time", "__dropped", "__ew_clocks"]
    return not (any(exists(project, model + end) for end in beside) or ledger(project, model))


def test_a_bad_call_stops_while_dbt_parses_and_everything_wrong_is_said(
    project: DbtProject,
) -> None:
    wrong = {"key": None, "aggregates": {"n": "max(sum(value))"}, "stream_time": "watermark"}
    project.model("bad_call", session_model("events", **wrong))
    try:
        error = project.run("bad_call", expect_error=True).error
    finally:
        (project.root / "models/bad_call.sql").unlink()
    assert error.count("nothing was changed") == 1
    for text in ["key is missing", "inside 'max'", "stream_time is 'watermark'"]:
        assert text in error
    assert nothing_is_there(project, "bad_call")


# What only the config or the relation can tell: known when the model runs.
UNBOUNDED = "event_windows.session(gap='30 minutes', grace='unbounded')"
BY_ROW = "event_windows.session(gap_by='make_dt_interval(0, 0, value)', grace='1 hour')"
RUNNING: dict[str, tuple[str, list[str]]] = {
    "retention_too_short": (
        session_model("events", config={"retention": "1 day"}),
        ["retention is '1 day'", "too short", "grace plus", "gap"],
    ),
    "retention_under_an_unbounded_grace": (
        session_model("events", UNBOUNDED, config={"retention": "1 day"}),
        ["retention is '1 day'", "grace is unbounded"],
    ),
    "a_misspelt_setting": (
        session_model("events", config={"source_change": "retract"}),
        ["config has 'source_change', which is no setting: is source_changes meant?"],
    ),
    "retention_in_months": (
        session_model("events", config={"retention": "1 month"}),
        ["retention is '1 month'", "no fixed length"],
    ),
    "retention_in_words": (
        session_model("events", config={"retention": "long"}),
        ["retention is 'long'", "'unbounded'"],
    ),
    "parquet": (
        session_model("events", config={"file_format": "parquet"}),
        ["file_format is 'parquet'", "allowed are delta", "MERGE"],
    ),
    "emit_nothing": (
        session_model("events", config={"emit": "never"}),
        ["emit is 'never'", "allowed are updates"],
    ),
    "expire_archive": (
        session_model("events", config={"expire": "archive"}),
        ["expire is 'archive'", "allowed are keep"],
    ),
    "final_for_ever": (
        session_model("events", UNBOUNDED, config={"emit": "final"}),
        ["emit is 'final' and grace is 'unbounded'", "emit='updates'"],
    ),
    "final_by_row": (
        session_model("events", BY_ROW, config={"emit": "final"}),
        ["emit is 'final', and with a gap per row", "allowed is one gap for all rows"],
    ),
    "final_of_many_clocks": (
        session_model(
            "events", partition="value", stream_time="partition", config={"emit": "final"}
        ),
        ["no single clock closes it", "add the partition to key"],
    ),
    "delete_without_retention": (
        session_model("events", config={"expire": "delete"}),
        ["retention is 'unbounded'", "give a retention"],
    ),
    "delete_what_is_final": (
        session_model("events", config={"expire": "delete", "emit": "final"}),
        ["emit is 'final', which only ever adds rows"],
    ),
    "no_such_key": (
        session_model("events", key=["key", "user_id"]),
        ["key column 'user_id' does not exist", "key, event_time, arrival_seq, value"],
    ),
    "no_such_event_time": (
        session_model("events", event_time="viewed_at"),
        ["event_time column 'viewed_at' does not exist"],
    ),
    "no_such_arrival": (
        session_model("events", arrival_order="loaded_at"),
        ["arrival_order column 'loaded_at' does not exist"],
    ),
    "no_such_partition": (
        session_model("events", partition="shard"),
        ["partition column 'shard' does not exist"],
    ),
    "no_such_aggregate": (
        session_model("events", aggregates={"n": "geometric(value)"}),
        ["calls 'geometric'", "approx_count_distinct", "registered in this session: none"],
    ),
    "no_such_aggregate_in_an_expression": (
        session_model("events", aggregates={"n": "sum(value) / abs(value)"}),
        ["calls 'abs'", "allowed are"],
    ),
    "no_such_value": (
        session_model("events", aggregates={"total": "sum(price)"}),
        ["price"],
    ),
    "event_time_is_a_date": (
        session_model("odd", event_time="day"),
        ["'day' is of type date", "TIMESTAMP_NTZ", "cast"],
    ),
    "event_time_is_text": (
        session_model("odd", event_time="key"),
        ["'key' is of type string", "TIMESTAMP"],
    ),
    "arrival_is_text": (
        session_model("events", arrival_order="key"),
        ["arrival_order column 'key' is of type string", "whole numbers"],
    ),
    "arrival_is_a_time": (
        session_model("odd", arrival_order="seen"),
        ["arrival_order column 'seen' is of type timestamp", "whole numbers"],
    ),
    "arrival_is_null": (
        session_model("odd"),
        ["arrival_order column 'arrival_seq' is null in 1 row(s)"],
    ),
    "text_before": (
        "{{ config(materialized='windowed') }}\nwith x as (select 1)\n"
        + windowed("source('raw', 'events')"),
        ["one call of event_windows.windowed", "nothing else"],
    ),
    "text_after": (
        session_model("events") + "\nwhere n > 1",
        ["one call of event_windows.windowed", "nothing else"],
    ),
    "two_calls": (
        session_model("events") + "\nunion all\n" + windowed("source('raw', 'events')"),
        ["one call of event_windows.windowed"],
    ),
    "plain_sql_without_config": (
        "{{ config(materialized='windowed') }}\nselect key from {{ source('raw', 'events') }}",
        ["grace (in the config) is missing", "arrival_order is missing"],
    ),
    "no_window": (
        "{{ config(materialized='windowed', grace='1 day', arrival_order='arrival_seq') }}\n"
        "select key from {{ source('raw', 'events') }}",
        ["there is no GROUP BY", "group by the key and by session_window(time, gap)"],
    ),
}


@pytest.fixture(scope="module")
def running(project: DbtProject) -> dict[str, str]:
    """What a run of all bad models says of each."""
    for name, (sql, _) in RUNNING.items():
        project.model(name, sql)
    outcome = project.run(*RUNNING, expect_error=True)
    for name in RUNNING:
        (project.root / f"models/{name}.sql").unlink()
    return {result.node.name: f"{result.status}: {result.message}" for result in outcome.results}


@pytest.mark.parametrize("case", list(RUNNING))
def test_bad_models_stop_before_they_write(
    project: DbtProject, running: dict[str, str], case: str
) -> None:
    said = running[case]
    assert said.startswith("error")
    for text in RUNNING[case][1]:
        assert text in said
    # what only the rows can tell is told by a sentence of the refresh
    assert said.count("nothing was changed") == (case != "arrival_is_null")
    assert nothing_is_there(project, case)


# An existing table: it was built by another text of the model.
CHANGED: dict[str, tuple[str, str]] = {
    "gap": (session_model("events", SESSIONS.replace("30", "45")), "window was"),
    "a shorter grace": (
        session_model("events", SESSIONS.replace("1 day", "1 hour")),
        "window was",
    ),
    "one aggregate more": (
        session_model("events", aggregates={"n": "count(*)", "total": "sum(value)"}),
        "aggregates was",
    ),
    "another aggregate under the same name": (
        session_model("events", aggregates={"n": "count(value)"}),
        "aggregates was",
    ),
    "key": (session_model("events", key=["key", "value"]), "key was"),
    "retention": (session_model("events", config={"retention": "30 days"}), "retention was"),
    "emit": (session_model("events", config={"emit": "final"}), 'emit was "updates"'),
    "clock": (session_model("events", stream_time="global"), "stream_time was"),
    "order": (session_model("events", arrival_order=None), "arrival_order was"),
    "relation": (
        session_model("events").replace(
            "source('raw', 'events')", "'(select * from ' ~ source('raw', 'events') ~ ')'"
        ),
        "relation was",
    ),
}


@pytest.fixture(scope="module")
def existing(project: DbtProject) -> Iterator[str]:
    """A model with a table that holds what its text says."""
    project.model("existing", session_model("events"))
    project.model("a_table", session_model("events", materialized="table"))
    project.run("existing", "a_table")
    yield "existing"
    for name in ["existing", "a_table"]:
        (project.root / f"models/{name}.sql").unlink()


@pytest.mark.parametrize("case", CHANGED)
def test_a_changed_model_asks_for_a_full_refresh(
    project: DbtProject, existing: str, case: str
) -> None:
    before = last_commit(project, existing)
    sql, expected = CHANGED[case]
    project.model(existing, sql)
    error = project.run(existing, expect_error=True).error
    assert error.count("nothing was changed") == 1
    assert expected in error
    assert "--full-refresh" in error
    assert last_commit(project, existing) == before
    assert len(ledger(project, existing)) == 1


def test_a_misspelt_var_stops_the_run(project: DbtProject, existing: str) -> None:
    project.model(existing, session_model("events"))
    wrong = {"event_windows__rebuld": "key = 'a'"}
    error = project.run(existing, vars=wrong, expect_error=True).error
    assert "var 'event_windows__rebuld' is none of the package" in error


@pytest.mark.usefixtures("existing")
def test_a_table_that_was_not_maintained_asks_for_a_full_refresh(project: DbtProject) -> None:
    before = last_commit(project, "a_table")
    project.model("a_table", session_model("events"))
    error = project.run("a_table", expect_error=True).error
    assert "was not built by materialized='windowed'" in error
    assert "--full-refresh" in error
    assert last_commit(project, "a_table") == before
    assert not ledger(project, "a_table")


def test_the_full_refresh_that_was_asked_for_mends_it(project: DbtProject, existing: str) -> None:
    project.model("a_table", session_model("events"))
    project.model(existing, CHANGED["one aggregate more"][0])
    project.run(existing, "a_table", full_refresh=True)
    assert {row.total for row in project.rows("select total from existing")} == {10, 20, 30}
    project.run(existing, "a_table")
    assert public(project, "a_table") == public(project, existing, without=["total"])


@pytest.mark.usefixtures("unregistered")
def test_functions_that_are_missing(project: DbtProject) -> None:
    none_late = "event_windows.session(gap='30 minutes', grace='unbounded')"
    some_late = "event_windows.session(gap='30 minutes', grace='0 seconds')"
    project.model("not_needed", session_model("events", none_late))
    project.model("needed", session_model("events", some_late))
    outcome = project.run("not_needed", "needed", expect_error=True)
    said = {result.node.name: str(result.message) for result in outcome.results}
    assert exists(project, "not_needed")
    for text in [
        "pip install dbt-event-windows",
        "dbt_event_windows.register(spark)",
        "replay='sql'",
    ]:
        assert text in said["needed"]
    assert nothing_is_there(project, "needed")
