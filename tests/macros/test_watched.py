"""macros/run/_watched.sql: the one table below a relation is counted."""

from __future__ import annotations

import json
from typing import Any

from dbt_event_windows.plan_function import event_windows_plan
from tests.macros.rendering import Macros

SPEC = {"arrival": "seq", "partition": None, "source": None, "relation": "(select * from raw.t)"}


def watched(counts: dict[str, int], below: int, watched: Any) -> tuple[dict[str, Any], list[str]]:
    asked: list[str] = []

    def answer(sql: str) -> Any:
        asked.append(sql)
        if sql.startswith("show user functions"):
            return [{"function": "event_windows_plan"}]
        if sql.startswith("select event_windows_plan("):
            plan = event_windows_plan("select * from (select * from raw.t)", '{"table_of": "seq"}')
            return [{"plan": plan}]
        if sql.startswith("describe table extended"):
            told = [("seq", "bigint"), ("", ""), ("# Detailed", ""), ("Provider", "iceberg")]
            return [{"col_name": name, "data_type": value} for name, value in told]
        if "as total" in sql:
            return [counts]
        return [{"n": below}] if "as n from (select" in sql else None

    macros = Macros(answer=answer)
    previous = {"watched": watched, "rows": 10, "unseen": 1}
    run = {"from": [[None, 5]], "to": [[None, 9]], "previous": previous, "statements": []}
    seen: dict[str, Any] = {"unread": None, "watched": None}
    macros["_watch"](SPEC, run, seen)
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
