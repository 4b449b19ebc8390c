"""What dbt offers around a model works on windowed ones."""

from __future__ import annotations

from typing import Any

import pytest

from tests.formats import last_commit
from tests.harness import FILE_FORMAT, DbtProject, recorded
from tests.session_models import EVENTS, counted, events, exists, session_model, windowed

MODEL = (
    "{{ config(materialized='windowed', persist_docs={'relation': true, 'columns': true}, "
    "pre_hook='create table if not exists {{ this.schema }}.before_hook as select 1 as one', "
    f"post_hook='create or replace table {{{{ this.schema }}}}.after_hook using {FILE_FORMAT} as "
    "select count(*) as n, {{ event_windows.is_windowed_run() }} as windowed from {{ this }}') }}\n"
    + windowed(
        "'(select * from ' ~ ref('stg') ~ (' where true' if event_windows.is_windowed_run() "
        "else '') ~ ')'",
        aggregates={"n": "count(*)", "once": "sum(distinct value)", "mean": "avg(value)"},
    )
)
COLUMNS: dict[str, str] = {
    "key": "string",
    "window_start": "timestamp",
    "window_end": "timestamp",
    "n": "bigint",
    "once": "bigint",
    "mean": "double",
}


def described(columns: dict[str, str]) -> dict[str, Any]:
    return {
        "models": [
            {
                "name": "visits",
                "description": "Visits of a user.",
                "config": {"contract": {"enforced": True}},
                "columns": [
                    {"name": name, "data_type": type_, "description": f"the {name}"}
                    for name, type_ in columns.items()
                ],
            }
        ],
        "unit_tests": [
            {
                "name": "a_gap_parts_visits",
                "model": "visits",
                "given": [
                    {
                        "input": "ref('stg')",
                        "format": "sql",
                        "rows": "select 'a' as key, timestamp '2024-04-17 10:00:00' as event_time, "
                        "1 as arrival_seq, 1 as value union all "
                        "select 'a', timestamp '2024-04-17 10:30:00', 2, 1 union all "
                        "select 'a', timestamp '2024-04-17 11:00:01', 3, 1",
                    }
                ],
                "overrides": {"macros": {"event_windows.is_windowed_run": True}},
                "expect": {
                    "rows": [
                        {"key": "a", "n": 2, "once": 1, "mean": 1.0},
                        {"key": "a", "n": 1, "once": 1, "mean": 1.0},
                    ]
                },
            }
        ],
    }


@pytest.fixture(scope="module")
def built(project: DbtProject) -> DbtProject:
    project.artifacts = True
    project.create_source("clicks", events([("a", 0), ("a", 20), ("b", 5)]), EVENTS)
    project.model(
        "stg", "{{ config(materialized='view') }} select * from {{ source('raw', 'clicks') }}"
    )
    project.model("visits", MODEL)
    project.model("after", "{{ config(materialized='view') }} select * from {{ ref('visits') }}")
    project.write_yaml("models/visits.yml", described(COLUMNS))
    project.build("+visits+")
    return project


def test_build_runs_unit_tests_hooks_and_what_depends_on_it(built: DbtProject) -> None:
    assert counted(built, "visits") == {("a", 0, 20, 2), ("b", 5, 5, 1)}
    assert [tuple(row) for row in built.rows("select * from after_hook")] == [(2, False)]
    assert exists(built, "before_hook")
    assert built.rows("select count(*) as n from after")[0].n == 2


def test_descriptions_are_in_the_catalogue(built: DbtProject) -> None:
    comments = {row.col_name: row.comment for row in built.rows("describe table visits")}
    assert comments["n"] == "the n"
    described = {row.col_name: row.data_type for row in built.rows("describe extended visits")}
    assert described["Comment"] == "Visits of a user."


def test_a_run_is_windowed_only_when_it_refreshes(built: DbtProject) -> None:
    built.append("clicks", events([("a", 40)], first_arrival=3))
    with recorded() as statements:
        built.run("visits")
    assert any("where true" in sql for sql in statements)
    assert counted(built, "visits") == {("a", 0, 40, 3), ("b", 5, 5, 1)}
    assert built.rows("select windowed from after_hook")[0].windowed
    with recorded() as statements:
        built.run("visits", full_refresh=True)
    assert not any("where true" in sql for sql in statements)
    assert not built.rows("select windowed from after_hook")[0].windowed


def test_a_broken_contract_stops_before_anything_is_written(built: DbtProject) -> None:
    built.append("clicks", events([("b", 6)], first_arrival=4))
    before = last_commit(built, "visits")
    built.write_yaml("models/visits.yml", described(COLUMNS | {"n": "int"}))
    error = built.run("visits", expect_error=True).error
    assert "contract" in error.lower()
    assert last_commit(built, "visits") == before
    built.write_yaml("models/visits.yml", described(COLUMNS))
    built.run("visits")
    assert counted(built, "visits") == {("a", 0, 40, 3), ("b", 5, 6, 2)}


def test_retry_takes_up_a_run_that_failed(built: DbtProject) -> None:
    built.append("clicks", [("a", None, None, 1)])
    assert "arrival_order" in built.run("visits", expect_error=True).error
    built.rows("delete from clicks where arrival_seq is null")
    built.append("clicks", events([("b", 7)], first_arrival=5))
    built.dbt("retry")
    assert counted(built, "visits") == {("a", 0, 40, 3), ("b", 5, 7, 3)}


def test_names_in_capitals(built: DbtProject) -> None:
    """What a command makes it finds again, though the metastore has the names in small letters."""
    built.create_source("capitals", events([("a", 0), ("a", 20), ("b", 5)]), EVENTS)
    for name in ["Visits_2", "Visits_3"]:
        built.model(name, session_model("capitals", config={"schema": "Apart"}))
    built.model(
        "By_Key",
        "{{ config(materialized='rollup', schema='Apart') }} "
        "select key, sum(n) as n from {{ ref('Visits_2') }} group by key",
    )
    for of_b, must_be in [(1, None), (2, {"event_windows__must_be": "incremental"})]:
        built.run("Visits_2", "Visits_3", "By_Key", vars=must_be)
        found = built.rows(f"select key, n from {built.schema}_apart.by_key")
        assert {tuple(row) for row in found} == {("a", 2), ("b", of_b)}
        built.append("capitals", events([("b", 8)], first_arrival=3))
