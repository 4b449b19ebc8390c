"""Which queries give the rows of one table, and under which name it has a column of theirs."""

from __future__ import annotations

import json

import pytest

from dbt_event_windows.plain_sql import plan

TOLD = {
    "select * from shop.events": ("shop.events", "seq"),
    "select * from (select * from events where amount > 0) as e": ("events", "seq"),
    "select k, offset as seq from a.b.events as e where e.k <> ''": ("a.b.events", "offset"),
    "select e.seq, upper(k) as k from events as e": ("events", "seq"),
    "with a as (select k, n as seq from t), b as (select * from a) select b.* from b": (
        "t",
        "n",
    ),
    "with t as (select * from t) select * from t": ("t", "seq"),
    "select * from (with a as (select `the seq` as seq from t) select seq from a)": (
        "t",
        "`the seq`",
    ),
    "select seq, item from t lateral view explode(items) as item": ("t", "seq"),
}
NOT_TOLD = [
    "select * from a join b on a.id = b.id",
    "select * from a, b",
    "select * from a union all select * from b",
    "select * from a where id in (select id from b)",
    "select *, (select max(x) from b) as x from a",
    "select distinct * from a",
    "select seq, count(*) from a group by seq",
    "select * from (table a)",
    "select * from a limit 10",
    "select * from a |> limit 10",
    "from a |> where seq > 1",
    "select * from a tablesample (10 percent)",
    "select * from a version as of 3",
    "select seq + 1 as seq from a",
    "select payload.seq from a",
    "select * except (seq) from a",
    "select *, k as seq from a",
    "select n + 1 as m, m as seq from a",
    "select k from a",
    "select * from a as t(x, seq)",
    "with c(seq, x) as (select * from a) select * from c",
    "select * from values (1), (2) as t(seq)",
    "select * from range(10)",
    "select * from delta.`/data/events`",
    "select seq, pos from t lateral view posexplode(items) as seq, item",
    "select * from t lateral view explode(items) as seq",
    "this is no query (",
    "select 1; select seq from t",
    "",
]


def told(text: str, column: str = "seq") -> dict[str, str]:
    return dict(json.loads(plan(text, {"table_of": column})))


@pytest.mark.parametrize("text", TOLD)
def test_told(text: str) -> None:
    table, column = TOLD[text]
    assert told(text) == {"table": table, "column": column}
    assert told(text, "SEQ")["column"].lower() == column


@pytest.mark.parametrize("text", NOT_TOLD)
def test_not_told(text: str) -> None:
    assert told(text) == {}


@pytest.mark.parametrize(
    ("text", "table"),
    [
        ("select * from t", "cat.db.t"),
        ("select * from other.t", "cat.other.t"),
        ("select * from c.other.t", "c.other.t"),
    ],
)
def test_names_in_a_view_are_looked_up_where_it_was_made(text: str, table: str) -> None:
    for namespace in ("cat.db", "`cat`.`db`"):
        settings = {"table_of": "seq", "namespace": namespace}
        assert json.loads(plan(text, settings))["table"] == table
