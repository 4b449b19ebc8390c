"""Which of the tables that the text of a rollup names is the model above."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from tests.macros.rendering import CompilerError, Macros, Relation
from tests.macros.scripted import SETTINGS

VISITS = Relation("visits", schema="web", type="table")
RECORD = {"event_windows.spec": json.dumps({"file_format": "iceberg", "plain": None})}


def answer(sql: str) -> list[dict[str, Any]] | None:
    if sql.startswith("show tblproperties"):
        return [{"key": key, "value": value} for key, value in RECORD.items()]
    if sql.startswith("describe"):
        return [{"col_name": "_ew_refresh", "data_type": "bigint"}]
    return [{"name": "dev"}] if "current_catalog" in sql else None


def macros() -> Macros:
    relation = SimpleNamespace(create=lambda schema, identifier: Relation(identifier, schema))
    api = SimpleNamespace(Relation=relation)
    return Macros(answer=answer, execute=True, relations=[VISITS], api=api)


@pytest.mark.parametrize(
    ("tables", "place"),
    [
        ([["web", "visits"]], 0),
        ([["dev", "web", "visits"]], 0),
        ([["web", "users"], ["web", "visits"]], 1),
        ([["prod", "web", "visits"], ["web", "visits"]], 1),
    ],
)
def test_it_is_in_the_catalogue_of_the_session(tables: list[list[str]], place: int) -> None:
    assert macros()._find_above(tables)["place"] == place


@pytest.mark.parametrize("tables", [[["prod", "web", "visits"]], [["visits"]]])
def test_another_table_of_its_name_is_none(tables: list[list[str]]) -> None:
    with pytest.raises(CompilerError, match="FROM names no model"):
        macros()._find_above(tables)


def test_a_text_that_reads_no_table_is_told_so() -> None:
    with pytest.raises(CompilerError, match=r"FROM names no model .* \(it has no table\)"):
        macros()._find_above([])


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
