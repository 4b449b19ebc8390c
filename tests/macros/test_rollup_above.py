"""Which of the tables that the text of a rollup names is the model above."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from tests.macros.rendering import CompilerError, Macros, Relation
from tests.macros.scripted import SETTINGS

VISITS = Relation("visits", schema="web", type="table")
NESTED = Relation("totals", schema="web.daily", type="table")
CATALOGUES = ["spark.sql.catalog.dev", "spark.sql.catalog.prod.type", "spark.app.name"]
RECORD = {"event_windows.spec": json.dumps({"file_format": "iceberg", "plain": None})}


def answer(sql: str) -> list[dict[str, Any]] | None:
    if sql.startswith("show tblproperties"):
        return [{"key": key, "value": value} for key, value in RECORD.items()]
    if sql.startswith("describe"):
        return [{"col_name": "_ew_refresh", "data_type": "bigint"}]
    if sql == "set":
        return [{"key": name, "value": "x"} for name in CATALOGUES]
    return [{"name": "dev"}] if "current_catalog" in sql else None


def macros() -> Macros:
    relation = SimpleNamespace(create=lambda schema, identifier: Relation(identifier, schema))
    api = SimpleNamespace(Relation=relation)
    return Macros(answer=answer, execute=True, relations=[VISITS, NESTED], api=api)


@pytest.mark.parametrize(
    ("tables", "place"),
    [
        ([["web", "visits"]], 0),
        ([["dev", "web", "visits"]], 0),
        ([["web", "users"], ["web", "visits"]], 1),
        ([["prod", "web", "visits"], ["web", "visits"]], 1),
        ([["web", "daily", "totals"]], 0),
        ([["Dev", "web", "daily", "totals"]], 0),
    ],
)
def test_it_is_in_the_catalogue_of_the_session(tables: list[list[str]], place: int) -> None:
    assert macros()._find_above(tables)["place"] == place


@pytest.mark.parametrize(
    "tables",
    [
        [["prod", "web", "visits"]],
        [["spark_catalog", "web", "visits"]],
        [["prod", "web", "daily", "totals"]],
        [["dev", "web", "totals"]],
        [["visits"]],
    ],
)
def test_another_table_of_its_name_is_none(tables: list[list[str]]) -> None:
    with pytest.raises(CompilerError, match="FROM names no model"):
        macros()._find_above(tables)


def test_a_text_that_reads_no_table_is_told_so() -> None:
    with pytest.raises(CompilerError, match=r"FROM names no model .* \(it has no table\)"):
        macros()._find_above([])


STATE = Relation("m__state", schema="web", type="table")
FOUND = [["who", "string"], ["large", "int"], ["sizes", "array<struct<`a b`:int>>"]]
SELECTED = {
    "the same": (FOUND, None),
    "smaller numbers": (
        [["who", "string"], ["large", "smallint"], ["sizes", "array<struct<`a b`:tinyint>>"]],
        "who, cast(large as int) as large, cast(sizes as array<struct<`a b`:int>>) as sizes",
    ),
}


def cast_to(selected: list[list[str]]) -> tuple[str | None, str]:
    """The columns as SQL, and how the rows of the model above are read then."""
    rows = [{"col_name": name, "data_type": type.replace("`", "")} for name, type in selected]
    rendered = Macros(answer=lambda sql: rows if sql.startswith("describe") else None, execute=True)
    above = {"name": "web.m", "stored": STATE, "view": ["select * from ", ""], "shown_as": None}
    found = rendered._cast_to(FOUND, above)
    return found, str(rendered._as_shown(above | {"shown_as": found}, "rows"))


@pytest.mark.parametrize(("selected", "columns"), SELECTED.values(), ids=SELECTED)
def test_columns_have_the_types_that_a_query_of_the_model_finds(
    selected: list[list[str]], columns: str | None
) -> None:
    found, read = cast_to(selected)
    assert found == columns
    shown = "(select * from rows)"
    assert read == (shown if columns is None else f"(select {columns} from {shown})")


def test_a_model_that_does_not_show_its_select_yet_is_not_read() -> None:
    with pytest.raises(CompilerError, match=r"web\.m has other columns than its"):
        cast_to([["who", "string"], ["small", "int"], FOUND[2]])


@pytest.mark.parametrize(
    ("setting", "session"),
    [
        ("spark.sql.parser.escapedStringLiterals is true", {"_ew_letters": 2}),
        ("spark.sql.timestampType is TIMESTAMP_NTZ", {"_ew_time": "timestamp_ntz"}),
        ("spark.sql.caseSensitive is true", {"_ew_names": 2}),
        ("spark.sql.parser.quotedRegexColumnNames is true", {"_ew_quoted": 2}),
        ("spark.sql.legacy.statisticalAggregate is true", {"_ew_alone": 0}),
        ("spark.sql.legacy.percentileDiscCalculation is true", {"_ew_disc": 1}),
    ],
)
def test_a_session_that_reads_texts_otherwise_is_told_before_one_is_read(
    setting: str, session: dict[str, Any]
) -> None:
    """The planner would be given another text, and find fault with that."""
    rendered = Macros(answer=lambda sql: [{"name": "dev"} | SETTINGS | session], execute=True)
    with pytest.raises(CompilerError, match=setting):
        rendered._rollup_spec("select key from web.visits")
    assert not any("event_windows_plan" in sql for sql in rendered.asked)


@pytest.mark.parametrize("type", ["map<binary,int>", "struct<a:map<struct<b:int>,int>>"])
def test_rows_are_not_followed_by_maps_that_json_writes_each_time_anew(type: str) -> None:
    def followed_by(type: str) -> None:
        shown = {"view": True, "name": "p", "identity": ["key"], "shows": {"n": "int", "m": type}}
        identity = Macros()._identity_of_rows(shown, "iceberg")
        assert identity == [["n", False], ["m", True]]
        Macros()._refuse_texts_anew(shown, identity)

    followed_by("map<string,binary>")
    with pytest.raises(CompilerError, match=r"by their column m, .* show map_entries\(m\)"):
        followed_by(type)
