"""Keys made anew over a view: its text stands in its place, and must give what the view does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.formats import keep_log
from tests.harness import FILE_FORMAT, DbtProject
from tests.session_models import EVENTS, at, events, session_model

TYPED = EVENTS.replace("key string", "key int")
ROWS = [(7, at(0), 0, 1), (7, at(5), 1, 1), (8, at(0), 2, 1)]


def over_a_view(
    project: DbtProject, name: str, text: str = "select * from {source}", columns: str = TYPED
) -> None:
    """A source, a view over it, and a model that follows it through the view."""
    rows = ROWS if columns == TYPED else events([("a", 0), ("a", 5), ("b", 0)])
    project.create_source(name, rows, columns)
    keep_log(project, name)
    source = f"{{{{ source('raw', '{name}') }}}}"
    project.model(
        f"{name}_v", "{{ config(materialized='view') }} " + text.format(source=source, name=name)
    )
    model = session_model(name, config={"source_changes": "retract"})
    project.model(f"{name}_m", model.replace(f"source('raw', '{name}')", f"ref('{name}_v')"))
    project.run(f"{name}_v", f"{name}_m")


@contextmanager
def session_with(project: DbtProject, settings: dict[str, str]) -> Iterator[None]:
    before = {name: project.spark.conf.get(name) for name in settings}
    for name, value in settings.items():
        project.spark.conf.set(name, value)
    yield
    for name, value in before.items():
        project.spark.conf.set(name, value)


def windows(project: DbtProject, model: str) -> list[tuple[object, int]]:
    return [(row.key, row.n) for row in project.rows(f"select key, n from {model} order by key")]


# a feed of Delta is not read over a change of types
@pytest.mark.parametrize(
    "cast", ["", *(["cast(key as string) as key, "] if FILE_FORMAT == "iceberg" else [])]
)
def test_a_key_that_was_widened_below(project: DbtProject, cast: str) -> None:
    """Spark casts what a view gives to the types that it had; its text gives others."""
    name = "widened_text" if cast else "widened"
    columns = f"{cast}* except (key)" if cast else "*"
    over_a_view(project, name, f"select {columns} from {{source}}")
    if FILE_FORMAT == "delta":
        project.rows(f"alter table {name} set tblproperties ('delta.enableTypeWidening' = 'true')")
    project.rows(f"alter table {name} alter column key type bigint")
    project.append(name, [(7, at(8), 3, 1)])
    project.rows(f"delete from {name} where arrival_seq = 1")
    before = windows(project, f"{name}_m")
    if cast:
        project.run(f"{name}_m")
        assert windows(project, f"{name}_m") == [("7", 2), ("8", 1)]
        return
    error = project.run(f"{name}_m", expect_error=True).error
    assert f"{name}_v was made, key was int and is bigint" in error
    assert "run that view again" in error
    assert windows(project, f"{name}_m") == before
    project.run(f"{name}_v", f"{name}_m", full_refresh=True)
    assert windows(project, f"{name}_m") == [(7, 2), (8, 1)]


def test_a_column_that_was_added_below(project: DbtProject) -> None:
    """A view has the columns that it was made with, whatever its star means now."""
    over_a_view(project, "grown")
    project.rows("alter table grown add columns (other string)")
    project.append("grown", [(7, at(8), 3, 1, "x")])
    project.rows("delete from grown where arrival_seq = 1")
    project.run("grown_m")
    assert windows(project, "grown_m") == [(7, 2), (8, 1)]


TEXT = "select key, arrival_seq, value, to_timestamp('2024-04-17 12:00:00') as event_time"
SESSIONS = {
    "spark.sql.session.timeZone": ("Europe/Berlin", "the time zone was Europe/Berlin and is UTC"),
    "spark.sql.legacy.sizeOfNull": ("false", "was null and is minus one"),
    "spark.sql.decimalOperations.allowPrecisionLoss": (
        "false",
        "was decimal(38,16) and is decimal(38,6)",
    ),
    "spark.sql.jsonGenerator.ignoreNullFields": ("false", 'was {"a":null} and is {}'),
}


@pytest.mark.parametrize("setting", SESSIONS)
def test_a_view_of_another_session(project: DbtProject, setting: str) -> None:
    """It is read with the settings of the session that made it, and its text with those of now."""
    name = setting.rpartition(".")[2].lower()
    value, told = SESSIONS[setting]
    with session_with(project, {setting: value}):
        over_a_view(project, name, TEXT + " from {source}", EVENTS)
        project.rows(f"delete from {name} where arrival_seq = 1")
        project.run(f"{name}_m")
    before = windows(project, f"{name}_m")
    assert before == [("a", 1), ("b", 1)]
    project.rows(f"delete from {name} where arrival_seq = 0")
    error = project.run(f"{name}_m", expect_error=True).error
    assert told in error
    assert "run that view again" in error
    assert windows(project, f"{name}_m") == before
    project.run(f"{name}_v", f"{name}_m", full_refresh=True)
    assert windows(project, f"{name}_m") == [("b", 1)]


@pytest.mark.parametrize("named", [True] if FILE_FORMAT == "iceberg" else [False, True])
def test_a_view_of_another_schema(project: DbtProject, named: bool) -> None:
    """Names without a schema are those of the schema that was the current one."""
    name = "with_schema" if named else "without_schema"
    project.spark.catalog.setCurrentDatabase(project.schema)
    over_a_view(project, name, "select * from " + ("{source}" if named else "{name}"))
    project.rows(f"delete from {name} where arrival_seq = 1")
    project.rows("create schema if not exists elsewhere")
    project.spark.catalog.setCurrentDatabase("elsewhere")
    outcome = project.run(f"{name}_m", expect_error=not named)
    if not named:
        assert f"was made in spark_catalog.{project.schema}, which completes" in outcome.error
        project.spark.catalog.setCurrentDatabase(project.schema)
        project.run(f"{name}_m")
    assert windows(project, f"{name}_m") == [(7, 1), (8, 1)]


def test_a_table_that_is_a_view_over_itself_now(project: DbtProject) -> None:
    """No commit says which of the rows that were read the view leaves out."""
    project.create_source("kept_rows", ROWS, TYPED)
    keep_log(project, "kept_rows")
    project.model("kept", "{{ config(materialized='view') }} select 1 as one")
    model = session_model("kept", config={"source_changes": "retract"})
    project.model("kept_m", model.replace("source('raw', 'kept')", "ref('kept')"))
    project.rows("alter table kept_rows rename to kept")
    project.run("kept_m")
    project.rows("alter table kept rename to kept_rows")
    project.model(
        "kept",
        "{{ config(materialized='view') }} "
        "select * from {{ source('raw', 'kept_rows') }} where arrival_seq <> 1",
    )
    project.run("kept")
    error = project.run("kept_m", expect_error=True).error
    assert "the text of a view between it and the model was changed" in error
    assert "--full-refresh" in error
    project.run("kept_m", full_refresh=True)
    assert windows(project, "kept_m") == [(7, 1), (8, 1)]
