"""What a yml says of models: contracts and descriptions, where no config names the format."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
import yaml

from tests.formats import commits
from tests.harness import FILE_FORMAT, DbtProject, recorded
from tests.session_models import windowed

DOCS = "persist_docs={'relation': true, 'columns': true}"
AGGREGATES = {"n": "count(*)", "once": "sum(distinct amount)", "mean": "avg(amount)"}
MODELS = {
    "stg": "{{ config(materialized='ephemeral') }} select * from {{ source('raw', 'rows') }}",
    "visits": f"{{{{ config(materialized='windowed', {DOCS}) }}}}"
    + windowed("ref('stg')", aggregates=AGGREGATES),
    "hours": f"{{{{ config(materialized='windowed', {DOCS}, grace='1 hour', "
    "arrival_order='arrival_seq') }}\n"
    "select key, window.start as hour, count(*) as `n's` from {{ source('raw', 'rows') }} "
    "group by key, window(event_time, '1 hour')",
    "days": f"{{{{ config(materialized='rollup', {DOCS}) }}}}"
    "select to_date(window_start) as day, sum(n) as n from {{ ref('visits') }} group by 1",
}
COLUMNS = {
    "visits": {
        "key": "string",
        "window_start": "timestamp_ntz",
        "window_end": "timestamp_ntz",
        "n": "bigint",
        "once": "decimal(20,2)",
        "mean": "decimal(14,6)",
    },
    "hours": {"key": "string", "hour": "timestamp_ntz", "N's": "bigint"},
    "days": {"day": "date", "n": "bigint"},
}
TABLES = ["visits", "hours__state", "days"]


def describe(project: DbtProject, told: str = "the", **types: str) -> None:
    """Write the yml; `types` are those of visits."""
    models: list[Any] = []
    for name, columns in COLUMNS.items():
        entries = [
            {
                "name": column,
                "data_type": types.get(column, type_),
                "description": f"{told} {column}",
            }
            for column, type_ in columns.items()
        ]
        models.append({"name": name, "description": f"{told} {name}", "columns": entries})
    models[0]["config"] = {"contract": {"enforced": True}}
    project.write_yaml("models/models.yml", {"models": models})


def comments(project: DbtProject, name: str) -> dict[str, str]:
    rows = project.rows(f"describe table extended {name}")
    columns = {column.lower() for column in COLUMNS[name]}
    found = {row.col_name: row.comment for row in rows if row.col_name.lower() in columns}
    [found[name]] = [row.data_type for row in rows if row.col_name == "Comment"]
    return found


def expected(name: str, told: str) -> dict[str, str]:
    columns = {
        ("n's" if column == "N's" else column): f"{told} {column}" for column in COLUMNS[name]
    }
    return columns | {name: f"{told} {name}"}


@pytest.fixture(scope="module")
def built(project: DbtProject) -> DbtProject:
    settings = yaml.safe_load((project.root / "dbt_project.yml").read_text())
    del settings["models"]
    project.write_yaml("dbt_project.yml", settings)
    start = datetime(2024, 4, 17)
    rows = [("a", start + timedelta(minutes=7 * n), n, n % 5) for n in range(20)]
    project.create_source(
        "rows",
        project.spark.createDataFrame(
            rows, "key string, event_time timestamp_ntz, arrival_seq bigint, amount int"
        ).selectExpr(
            "key", "event_time", "arrival_seq", "cast(amount as decimal(10, 2)) as amount"
        ),
    )
    for name, text in MODELS.items():
        project.model(name, text)
    describe(project)
    project.run()
    return project


@pytest.mark.parametrize("name", list(COLUMNS))
def test_descriptions_are_comments(built: DbtProject, name: str) -> None:
    assert comments(built, name) == expected(name, "the")


def test_a_contract_over_an_ephemeral_model_is_one_with_the_table(built: DbtProject) -> None:
    assert dict(built.spark.table(f"{built.schema}.visits").dtypes).items() >= (
        COLUMNS["visits"].items()
    )
    describe(built, once="double", mean="double")
    assert "contract" in built.run("visits", expect_error=True).error.lower()
    describe(built)


def test_an_idle_run_writes_no_comment(built: DbtProject) -> None:
    before = [commits(built, table) for table in TABLES]
    with recorded() as sent:
        built.run()
    assert sent.writes == []
    assert [commits(built, table) for table in TABLES] == before


def test_descriptions_that_change_are_written(built: DbtProject) -> None:
    before = [commits(built, table) for table in TABLES]
    describe(built, told="another")
    built.run()
    for name in COLUMNS:
        assert comments(built, name) == expected(name, "another")
    after = [commits(built, table) for table in TABLES]
    # a commit for each column and one for the table; a view is none. In Delta they are versions,
    # of which the rollup above takes note
    noted = int(FILE_FORMAT == "delta")
    made = [new - old for old, new in zip(before, after, strict=True)]
    assert made == [len(COLUMNS["visits"]) + 1, 0, len(COLUMNS["days"]) + 1 + noted]
    built.run("visits", "days", full_refresh=True)
    for name in COLUMNS:
        assert comments(built, name) == expected(name, "another")


SELECT = "'(select * from ' ~ source('raw', 'rows') ~ ' where amount < 3)'"


@pytest.mark.parametrize("relation", ["source('raw', 'rows')", SELECT])
def test_what_dbt_compiles_has_the_types_of_what_is_there(built: DbtProject, relation: str) -> None:
    inline = windowed(relation, aggregates=AGGREGATES)
    found = built.spark.sql(built.compile(inline=inline)).dtypes
    assert dict(found) == COLUMNS["visits"]


def test_dbt_compiles_what_is_over_nothing_yet(built: DbtProject) -> None:
    for relation in ["'(select * from nowhere)'", SELECT.replace("amount", "later")]:
        assert "event_time" in built.compile(inline=windowed(relation))
