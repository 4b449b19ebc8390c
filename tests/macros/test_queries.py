"""macros/queries: conditions, the segments that can hold an answer, and what is refused."""

from __future__ import annotations

import re
from typing import Any

import pytest
import sqlglot

from tests.macros.rendering import CompilerError, Macros, Relation
from tests.macros.scripted import SOURCE, Script, prepared

M = Relation("m", type="table")
BESIDE = [
    Relation(name, type="table") for name in ["m__dropped", "m__ew_clocks", "event_windows_runs"]
]
KEY = {"user_id": "'alice'"}
STORED = {
    "user_id": "string",
    "window_start": "timestamp",
    "window_end": "timestamp",
    "views": "bigint",
    "_ew_segment": "bigint",
}


def asking(kind: str = "session", **options: Any) -> Macros:
    """Macros over the table of a model with such windows, as Spark says what it has."""
    script = Script()
    prepared(script, kind)
    answers = Script(columns=STORED, properties=script.properties)
    given = {"execute": True, "answer": answers, "relations": [M, *BESIDE]} | options
    return Macros(**given)


def sql_of(macros: Macros, name: str, **arguments: Any) -> str:
    sql = str(macros[name](**{"relation": M} | arguments))
    for dialect in ["spark", "databricks"]:
        sqlglot.parse_one(sql, dialect=dialect)
    return sql


def test_fetch_reads_only_the_segments_that_can_hold_an_answer() -> None:
    sql = sql_of(
        asking("tumbling"), "fetch", key=KEY, from_time="2024-04-19", to_time="2024-04-20 12:30"
    )
    assert "stored.user_id <=> 'alice'" in sql
    assert "stored.window_start >= timestamp '2024-04-19 00:00:00+00:00'" in sql
    # ten minutes, of which the last instant is one microsecond before the end
    low, high = re.findall(r"stored\._ew_segment [<>]= .*", sql)
    assert "+ 599999999" in low
    assert "+ 600000000" in high
    assert sql.endswith("order by window_start, window_end")


def test_a_session_can_be_as_long_as_it_likes() -> None:
    sql = sql_of(asking(), "fetch", key=KEY, to_time="2024-04-20")
    assert "stored.window_start <=" in sql
    assert "_ew_segment" not in sql


def test_find_sessions_is_inclusive_on_both_sides() -> None:
    sql = sql_of(
        asking(), "find_sessions", key=KEY, earliest_end="2024-04-19", latest_start="2024-04-20"
    )
    assert "stored.window_end >= timestamp" in sql
    assert "stored.window_start <= timestamp" in sql
    assert "stored._ew_segment >=" in sql


def test_backwards_and_of_all_keys() -> None:
    sql = sql_of(asking(), "fetch_all", reverse=True)
    assert sql.endswith("order by user_id, window_start desc, window_end desc")
    assert "_ew_" not in sql


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "key is missing"),
        ({"key": {"page": "1"}}, "unknown key column 'page': allowed are user_id"),
        ({"key": {"user_id": None}}, "rows with a null key are in no window"),
        ({"key": KEY, "from_time": "yesterday'"}, "a ' is not closed"),
        ({"key": KEY, "from_time": "2024-13-01"}, "from_time is '2024-13-01'"),
        ({"key": KEY, "to_time": "2024-02-30"}, "to_time is '2024-02-30'"),
        ({"key": KEY, "from_time": "0000-01-01"}, "from_time is '0000-01-01'"),
        ({"key": KEY, "from_time": "2024-01-01 00:00+18:01"}, "from_time is '2024-01-01 00:00+18"),
        ({"key": {"user_id": ""}}, "key column 'user_id' is '', which has no quotes"),
        ({"key": {"user_id": "alice"}}, "key column 'user_id' is 'alice', which has no quotes"),
        ({"key": {"user_id": "zoë-2"}}, "key column 'user_id' is 'zoë-2', which has no quotes"),
        ({"key": {"user_id": "2012-12-26/1"}}, "is '2012-12-26/1', which has no quotes"),
        ({"key": {"user_id": "1662ec67c0"}}, "is '1662ec67c0', which has no quotes"),
        (
            {"key": {"user_id": [1, 2]}},
            "key column 'user_id' is '[1, 2]', which is no single value",
        ),
        ({"key": {1: "7"}}, "key has '1': give names of columns in text, a mapping from key"),
        ({"relation": "far", "key": {1: "7"}}, "key has '1': give names of columns in text"),
        ({"key": KEY, "reverse": "yes"}, "reverse is 'yes'"),
        ({"key": KEY, "upto": 1}, "unknown option 'upto'"),
        ({"relation": None, "key": KEY}, "relation is missing"),
    ],
)
def test_what_is_wrong_with_a_question(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(CompilerError, match=re.escape(said)):
        asking().fetch(**{"relation": M} | arguments)


@pytest.mark.parametrize(
    "value",
    [
        *("-7", "1.5e3BD", ".5", "7::int", "true", "current_date", "session_user", "x.id"),
        *("date '2024-04-19'", "interval 1 day", "X'1F'", "md5('a')"),
    ],
)
def test_a_value_of_a_key(value: str) -> None:
    sql = sql_of(asking(), "fetch", key={"user_id": value})
    assert re.search(rf"stored.user_id <=> \(?{re.escape(value)}", sql)


@pytest.mark.parametrize(
    ("given", "type", "sql"),
    [
        ("2024-04-19", "timestamp", "timestamp '2024-04-19 00:00:00+00:00'"),
        ("2024-04-19T01:02:03.5+02:00", "timestamp", "timestamp '2024-04-19 01:02:03.5+02:00'"),
        ("2024-04-19 01:02-18:00", "timestamp", "timestamp '2024-04-19 01:02:00-18:00'"),
        ("'2024-04-19 01:02'", "timestamp_ntz", "timestamp_ntz '2024-04-19 01:02:00'"),
        ("current_date()", "timestamp", "cast(current_date() as timestamp)"),
        ("x.t", None, "x.t"),
        (None, "timestamp", None),
    ],
)
def test_an_instant_that_is_asked_for(given: str | None, type: str | None, sql: str | None) -> None:
    assert Macros()._time("from_time", given, type, []) == sql


def test_a_table_of_somebody_else_is_asked_by_its_columns_alone() -> None:
    macros = asking(answer=Script(columns=STORED))
    sql = sql_of(macros, "fetch", key=KEY, from_time="2024-04-19")
    assert "stored.window_start >=" in sql
    assert "_ew_segment" not in sql
    with pytest.raises(CompilerError, match="is no table of a windowed model"):
        macros.lateness(relation=M)


@pytest.mark.parametrize(
    ("text", "schema", "identifier"),
    [
        ("s.t", "s", "t"),
        ("`my s`.`t-x`", "my s", "t-x"),
        ("s.`t-x`", "s", "t-x"),
        ("other.s.t", "other.s", "t"),
        ("other.`my s`.`t-x`", "other.`my s`", "t-x"),
    ],
)
@pytest.mark.parametrize("listed", [True, False])
def test_the_relation_that_a_model_is_over(
    text: str, schema: str, identifier: str, listed: bool
) -> None:
    """Where dbt does not list it, Spark says whether it is there."""
    found = Relation(identifier, schema, type="table", information="x")
    macros = Macros(execute=True, relations=[found] if listed else [])
    relation = macros._recorded_relation(text)
    assert (relation.schema, relation.identifier, str(relation)) == (schema, identifier, text)
    assert (relation.information, macros.asked) == (
        ("x", []) if listed else (None, [f"explain select * from {text}"])
    )


@pytest.mark.parametrize("text", ["s.t", "other.s.t", "(select * from s.t)", "t"])
def test_a_relation_that_is_gone(text: str) -> None:
    gone = Macros(answer=lambda sql: [["Error occurred during query planning:"]], execute=True)
    assert gone._recorded_relation(text) is None


def test_a_select_that_a_model_is_over() -> None:
    text = "(select * from s.t where status <> 'NOT_FOUND')"
    assert Macros(answer=lambda sql: [["== Physical Plan =="]])._recorded_relation(text) == text


@pytest.mark.parametrize("as_text", [False, True])
def test_a_given_source_has_all_of_its_rows(as_text: bool) -> None:
    """Of a ref in a test dbt's --empty shows none."""
    limited = "(select * from s.views where false limit 0) _dbt_limit_subq_views"
    given = limited if as_text else SOURCE.incorporate(limit=0)
    asked = asking(relations=[M, SOURCE, *BESIDE])._refreshed_model("test", M, [], source=given)
    assert str(asked["spec"]["relation"]) == "s.views"
    assert asked["readable"]


@pytest.mark.parametrize("name", ["s.views", "`s 1`.`all ``views`", "`a.b`.x"])
def test_what_empty_puts_around_a_name_goes_whatever_the_name(name: str) -> None:
    limited = f"(select a from (select * from {name} where false limit 0) as v)"
    assert Macros()._whole_relation(limited) == f"(select a from {name} as v)"


def test_a_share_of_no_rows_is_null() -> None:
    assert "sum(rows_behind) / nullif(sum(rows_read), 0)" in asking().freshness(relation=M)


def test_lateness_measures_by_the_recorded_windows() -> None:
    sql = sql_of(asking(), "lateness")
    assert "s.m__dropped" in sql
    assert "reason in ('late', 'late_partial')" in sql


def test_functions_of_a_quoted_table_are_quoted_with_their_whole_name() -> None:
    for kind in ["session", "tumbling"]:
        macros, spec, tables = prepared(Script(), kind, config={"query_functions": True})
        m = tables["model"].incorporate(quote_policy={"identifier": True})
        macros._create_query_functions(spec, tables | {"model": m})
        *_, last = [sql.partition("(")[0] for sql in macros.asked if " function " in sql]
        assert "s.`m_find_sessions`" in last


def test_while_dbt_parses_there_is_nothing_to_ask() -> None:
    macros = asking(execute=False)
    assert "from s.m as stored" in macros.fetch(relation=M, key=KEY)
    assert macros.asked == []
