"""What of a changed model needs no build, and the statements after which its tables are right."""

from __future__ import annotations

from typing import Any

import pytest

from dbt_event_windows.statements import SENT_ONCE, label_of
from tests.macros.rendering import CompilerError, Macros, Relation
from tests.macros.scripted import Script, prepared, rendered, spec_of

M = Relation("m")
CALLS = {"views": "count(*)", "revenue": "sum(amount)", "landing": "min_by(page, viewed_at)"}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("select a, b from t", "SELECT a,\n  b -- c\nFROM t /* d */", True),
        ("count( * )", "COUNT(*)", True),
        ("x > 0 -- c:\\\nand y", "x > 0 -- c:\nand y", False),
        ("x > 0 -- c:\\\nand y", "x > 0", True),
        ("x > 0 -- c\rand y", "x > 0 -- c\nand y", True),
        ("x = 'a  b'", "x = 'a b'", False),
        ("x = 'a'", "x = 'A'", False),
        ("x = '-- a' or y", "x = '-- b' or y", False),
        ("attrs.From", "attrs.from", False),
        ("payload:Order.total::double", "payload:order.total::double", False),
        ("payload : Order", "payload:order", False),
        ("x::DECIMAL(9, 2)", "x::decimal(9, 2)", True),
        ("struct(End)", "struct(end)", False),
        ("select a as Left", "select a as left", False),
        ("struct<From:string>", "struct<from:string>", False),
        ("struct<a:decimal(9, 2),From:string>", "struct<a:decimal(9, 2),from:string>", False),
        ("struct<a map<int, int>, Order int>", "struct<a map<int, int>, order int>", False),
        ("array<struct<a: array<int>, Case int>>", "array<struct<a: array<int>, case int>>", False),
        ("struct(total End)", "struct(total end)", False),
        ("struct(sum(x) Left, y)", "struct(sum(x) left, y)", False),
        ("struct(a[0] Null)", "struct(a[0] null)", False),
        ("struct(x Desc)", "struct(x desc)", False),
        ("struct(case when a then b end End)", "struct(case when a then b end end)", False),
        ("(select total End from t)", "(select total end from t)", False),
        ("(select a, From from t)", "(select a, from from t)", False),
        ("(select Left from t)", "(select left from t)", False),
        ("(select a from t Limit)", "(select a from t limit)", False),
        (
            "f(CASE WHEN a THEN 1 END::int, NULL::int)",
            "f(case when a then 1 end::int, null::int)",
            True,
        ),
        (
            "(select case when a then 1 END::int, End from t)",
            "(select case when a then 1 end::int, end from t)",
            False,
        ),
        ("sum(CASE WHEN a THEN b ELSE NULL END)", "sum(case when a then b else null end)", True),
        ("(select CASE WHEN a THEN b END FROM t)", "(select case when a then b end from t)", True),
        ("f(CASE WHEN struct(x End) THEN 1 END)", "f(case when struct(x End) then 1 end)", True),
        ("f(a < CASE WHEN b THEN 1 END, c)", "f(a < case when b then 1 end, c)", True),
        ("if(a < CAST(b as int), c, d)", "if(a < cast(b as int), c, d)", True),
        ("(select a < 1 AND b > 2 FROM t)", "(select a < 1 and b > 2 from t)", True),
        ("max(x) over (ORDER BY a DESC, b ASC)", "max(x) over (order by a desc, b asc)", True),
        ("(select a IS NOT NULL FROM t)", "(select a is not null from t)", True),
        ("a IS NOT DISTINCT FROM b", "a is not distinct from b", True),
        ("(select a, b from t GROUP BY ALL)", "(select a, b from t group by all)", True),
        ("(select map < 1 FROM t) as s WHERE y", "(select map < 1 from t) as s where y", True),
        ("sum(a - b)", "sum(a - -b)", False),
        ("`a b`", "`a  b`", False),
        ("1e5", "1 e5", False),
        ("'O''Brien'", "'O' 'Brien'", False),
        ('"a""b"', '"a" "b"', False),
        ("`a``b`", "`a` `b`", False),
        ("r'a''b'", "r'a' 'b'", True),
    ],
)
def test_text_is_the_same_but_for_layout_and_the_case_of_keywords(
    one: str, other: str, same: bool
) -> None:
    assert bool(Macros()._is_same_sql(one, other)) is same
    assert bool(Macros()._is_same_sql(other, one)) is same


@pytest.mark.parametrize(
    ("stored", "wanted", "names"),
    [
        ({"a": "count(*)"}, {"a": "count( * )"}, {"a": "a"}),
        ({"a": "count(*)", "b": "sum(x)"}, {"b": "sum(x)"}, {"b": "b"}),
        ({"a": "count(*)"}, {"n": "COUNT(*)"}, {"n": "a"}),
        # each stored one is taken once
        ({"a": "count(*)"}, {"n": "count(*)", "m": "count(*)"}, {"n": "a"}),
        ({"a": "count(*)"}, {"a": "count(*)", "m": "count(*)"}, {"a": "a"}),
        # a name that another one had, whatever its case, takes a build
        ({"a": "count(*)", "b": "sum(x)"}, {"a": "sum(x)", "b": "count(*)"}, {}),
        ({"a": "count(*)", "b": "sum(x)"}, {"a": "sum(x)"}, {}),
        ({"a": "count(*)"}, {"A": "count(*)"}, {}),
        ({"a": "count(*)"}, {"a": "count(x)"}, {}),
    ],
)
def test_aggregates_are_found_by_what_they_are(
    stored: dict[str, str], wanted: dict[str, str], names: dict[str, str]
) -> None:
    assert Macros()._stored_names(stored, wanted) == names


def reshaped(
    aggregates: dict[str, str], killed: list[str] | None = None, **config: Any
) -> list[str]:
    """The statements for a model of sessions that was built with all of `CALLS`.

    `killed`: the columns that the table lacks since a run was killed while it changed them.
    """
    script = Script()
    macros, _, tables = prepared(script)
    columns = list(macros._window_columns(spec_of(macros), 0, ""))
    gone = killed or []
    there = [{"col_name": name, "data_type": ""} for name, _ in columns if name not in gone]
    if killed is not None:
        script.properties["event_windows.reshaping"] = "true"

    def answer(sql: str) -> Any:
        return there if sql == "describe query select * from s.m" else script(sql)

    macros = rendered(config=config, answer=answer)
    spec = spec_of(macros, aggregates=aggregates)
    for name in ["model", "windows", "clocks", "dropped", "runs"]:
        macros.adapter.cache_added(tables[name].incorporate(type="table"))
    record = macros._record_of(spec, tables)
    done: dict[str, Any] = {"statements": []}
    macros._reshape(spec, tables, record, done)
    return [sql.partition("*/\n")[2] for sql in done["statements"]]


def test_what_says_that_late_rows_count_can_be_sent_again() -> None:
    """It writes nothing that was seen of the table, as what changes columns does."""
    macros, spec, tables = prepared(Script())
    done: dict[str, Any] = {"statements": [], "late_again": "true"}
    done["runs"] = [{"number": 5, "resumed": False}]
    macros._late_rows_count(spec, tables, done)
    [sql] = done["statements"]
    assert f"'event_windows.late_again' = 'done {spec['window']['grace']}'" in sql
    label = label_of(sql)
    assert label
    assert label.step != SENT_ONCE


@pytest.mark.parametrize(
    ("told", "recorded", "now", "again"),
    [
        (None, 2, 2, None),
        ("false", 2, 2, None),  # of a former version
        ("done 2", 2, 2, None),
        ("done 2", 2, 3, "true"),
        ("true", 2, 2, "true"),
        ("all", 2, 3, "all"),
        # another run, with another grace, has recorded it while this one was under way
        ("done 2", 3, 3, "true"),
        ("done 3", 2, 2, "all"),
        ("done 3", 2, 3, "true"),
    ],
)
def test_late_rows_count_by_the_grace_of_the_run_that_made_their_keys_anew(
    told: str | None, recorded: int, now: int, again: str | None
) -> None:
    graces = [{"window": {"type": "tumbling", "grace": grace}} for grace in (recorded, now)]
    properties = {"event_windows.late_again": told} if told else {}
    record = {"spec": graces[0], "properties": properties}
    assert Macros()._late_again(record, graces[1]) == again


def test_nothing_is_sent_where_nothing_differs() -> None:
    assert reshaped(CALLS) == []
    assert reshaped({name: f" {sql} /* same */" for name, sql in CALLS.items()}) == []


def test_columns_go_are_renamed_and_moved_in_iceberg() -> None:
    landing = CALLS["landing"]
    first, *statements, commit, last = reshaped({"first_page": landing, "views": "count(*)"})
    assert first == "alter table s.m set tblproperties ('event_windows.reshaping' = 'true')"
    assert statements[0] == "alter table s.m drop columns (revenue)"
    assert set(statements[1:4]) == {
        "alter table s.m rename column _ew_landing_by to _ew_first_page_by",
        "alter table s.m rename column landing to first_page",
        "alter table s.m rename column _ew_landing_value to _ew_first_page_value",
    }
    assert statements[4:] == ["alter table s.m alter column first_page after window_end"]
    # the last version has the names of now
    assert commit == "insert into s.m select * from s.m where false"
    assert last.startswith("alter table s.m set tblproperties ('event_windows.spec' = ")
    assert last.endswith("'event_windows.reshaping' = '')")


def test_a_model_that_was_put_back_looks_at_the_columns_that_a_killed_run_has_left() -> None:
    [_, commit, _] = reshaped(CALLS, killed=[])
    assert commit == "insert into s.m select * from s.m where false"
    with pytest.raises(CompilerError, match="lacks the column revenue, which it recorded"):
        reshaped(CALLS, killed=["revenue"])


def test_delta_writes_the_table_from_itself_in_one_commit() -> None:
    kept = [
        {"key": "event_windows.build", "value": '{"number": 1}'},
        {"key": "delta.minReaderVersion", "value": "1"},
    ]
    macros = Macros(answer=lambda sql: kept if sql.startswith("show tblproperties") else None)
    columns = [["user_id", "user_id", True], ["n", "views", False]]
    [sql] = macros._of_format(
        "delta", "reshape", M, columns, {"event_windows.spec": {"a": 1}}, "_ew_segment", True
    )
    assert sql.strip().endswith("as\nselect\n    user_id,\n    views as n\nfrom s.m")
    assert "partitioned by (_ew_segment)" in sql
    assert "'event_windows.build' = '{\"number\": 1}'" in sql
    assert "minReaderVersion" not in sql


def test_what_an_interrupted_run_has_done_is_not_done_again() -> None:
    there = [{"col_name": name} for name in ["a", "n", "_ew_segment"]]
    macros = Macros(answer=lambda sql: there if sql.startswith("describe") else None)
    columns = [["n", "views", False], ["a", "a", True], ["_ew_segment", "_ew_segment", True]]
    statements = macros._of_format("iceberg", "reshape", M, columns, {}, "_ew_segment", True)
    assert statements[1:-2] == ["alter table s.m alter column n first"]
    assert statements[-2].startswith("insert into s.m")
