"""macros/run/_watched.sql: the one table below a relation is counted."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dbt_event_windows.plan_function import event_windows_plan
from tests.macros.rendering import Macros

SPEC = {"arrival": "seq", "partition": None, "source": None, "relation": "(select * from raw.t)"}


def watched(
    counts: dict[str, int], below: int, watched: Any, format: str = "iceberg", **other: Any
) -> tuple[dict[str, Any], list[str]]:
    spec = SPEC | other
    asked: list[str] = []

    def answer(sql: str) -> Any:
        asked.append(sql)
        if sql.startswith("show user functions"):
            return [{"function": "event_windows_plan"}]
        if sql.startswith("select event_windows_plan("):
            plan = event_windows_plan(f"select * from {spec['relation']}", '{"table_of": "seq"}')
            return [{"plan": plan}]
        if sql.startswith("describe table extended"):
            told = [("seq", "bigint"), ("", ""), ("# Detailed", ""), ("Provider", format)]
            return [{"col_name": name, "data_type": value} for name, value in told]
        if "as total" in sql:
            return [counts]
        return [{"n": below}] if "as n from (select" in sql else None

    macros = Macros(answer=answer)
    previous = {"watched": watched, "rows": 10, "unseen": 1}
    run = {"from": [[None, 5]], "to": [[None, 9]], "previous": previous, "statements": []}
    seen: dict[str, Any] = {"unread": None, "watched": None}
    macros["_watch"](spec, run, seen)
    return seen, asked


def test_it_is_counted_and_the_relation_only_where_the_table_has_more() -> None:
    counts = {"total": 30, "above_5": 8, "above_9": 2}
    seen, asked = watched(counts, 12, None)
    table = {"table": "raw.t", "column": "seq", "direct": True, "rows": 28}
    assert seen == {"unread": 12, "watched": table}
    assert any(
        "where arrived.`seq` <= 5" in sql or "where arrived.seq <= 5" in sql for sql in asked
    )
    for rows, unread in ((22, 11), (21, 12)):
        seen, asked = watched(counts, 12, table | {"rows": rows})
        assert seen == {"unread": unread, "watched": table}
        assert not any("event_windows_plan" in sql for sql in asked), json.dumps(asked)


@pytest.mark.parametrize(
    ("spec", "format", "recorded"),
    [
        ({"source": {"format": "iceberg", "empty": False}}, "iceberg", None),
        ({"relation": "(select * from raw.t join raw.u using (id))"}, "iceberg", {}),
        ({}, "parquet", None),
    ],
    ids=["a table, which may become a view", "the text reads two", "a view over two, for now"],
)
def test_that_there_is_none_is_final_where_the_text_says_so(
    spec: dict[str, Any], format: str, recorded: Any
) -> None:
    for before in (None, recorded):
        seen, _ = watched({}, 12, before, format, **spec)
        assert seen == {"unread": None, "watched": recorded}


@pytest.mark.parametrize(
    ("other", "counts"),
    [
        ({}, True),
        ({"before": [[None, 3]]}, False),  # a refresh, whose own rows are counted again
        ({"from": []}, False),  # of a build without a row
        ({"total": 30}, False),
        ({"unread": 10}, False),
        ({"source_changes": "retract"}, False),
        ({"asks": True}, False),  # the text of a refresh reads other rows
    ],
)
def test_after_a_build_the_relation_is_counted_where_nothing_below_is(
    other: dict[str, Any], counts: bool
) -> None:
    seen = {"total": None, "unread": None} | other
    previous = {"from": other.get("before", []), "last": 10}
    run = {"from": other.get("from", [[None, 5]]), "previous": previous}
    assert Macros()._recounts_build(SPEC | other, run, seen) == counts
