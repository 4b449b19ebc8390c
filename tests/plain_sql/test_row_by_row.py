"""Which table a SELECT takes row by row, and that its text with other rows in its place is one."""

from __future__ import annotations

import pytest

from dbt_event_windows.plain_sql.row_by_row import row_by_row

TAKEN = {
    "select * from d.t": ("d.t", "select * from (X) as t"),
    "select * from c.d.t as r where r.a > 1": ("c.d.t", "select * from (X) as r where r.a > 1"),
    "select * from (select a, lower(b) as b from d.t where a is not null) as x": (
        "d.t",
        "select * from (select a, lower(b) as b from (X) as t where a is not null) as x",
    ),
    "with x as (select * from d.t) select x.a, u.c from x left join d.u on x.a = u.a": (
        "d.t",
        "with x as (select * from (X) as t) select x.a, u.c from x left join d.u on x.a = u.a",
    ),
    "select a, e from d.t lateral view explode(es) as e": (
        "d.t",
        "select a, e from (X) as t lateral view explode(es) as e",
    ),
    "select a, unix_timestamp(at) as at, from_avro(b, '\"int\"') as b from d.t": (
        "d.t",
        "select a, unix_timestamp(at) as at, from_avro(b, '\"int\"') as b from (X) as t",
    ),
    "select * from d.`t t` -- as it is": ("d.`t t`", "select * from (X) as `t t`"),
    "select concat(a, 'today') as a, 'now' as b from d.t where a like 'today'": (
        "d.t",
        "select concat(a, 'today') as a, 'now' as b from (X) as t where a like 'today'",
    ),
    "with t as (select user, x.current_date from d.t as x) select * from t": (
        "d.t",
        "with t as (select user, x.current_date from (X) as x) select * from t",
    ),
}
REFUSED = {
    "select distinct a from d.t": "DISTINCT",
    "select a, max(b) as b from d.t group by a": "GROUP",
    "select * from d.t limit 5": "LIMIT",
    "select * from d.t union all select * from d.u": "several SELECTs",
    "select a, row_number() over (order by b) as n from d.t": "other rows",
    "select max(a) as a from d.t": "other rows (max)",
    "select a, rand() as r from d.t": "each time",
    "select a, current_timestamp() as r from d.t": "each time",
    "select a from d.t where at > unix_timestamp ( )": "each time (unix_timestamp)",
    "select reflect('java.util.UUID', 'randomUUID') as a from d.t": "the same each time (reflect)",
    "select a from d.t where Java_Method('A', 'b') = a": "the same each time (java_method)",
    "select * from d.t |> limit 10": "could not be read",
    "select * from (table t)": "could not be read",
    "select * from d.t |> where a > 1": "could not be read",
    "select a from d.t where at > current_timestamp - interval 1 day": "(current_timestamp)",
    "select a from d.t where at > date 'today'": "each time ('today')",
    "select a from d.t where at < timestamp'now'": "each time ('now')",
    "select a from d.t where at < ' Yesterday UTC '": "each time (' Yesterday UTC ')",
    "select cast('tomorrow' as date) as a from d.t": "each time ('tomorrow')",
    "select a from d.t join (select * from d.u where at < 'to' || 'day') as u using (a)": "'day'",
    "select a from d.t where at < reverse('worromot')": "each time (REVERSE('worromot'))",
    "select a from d.t where at < overlay('tXday' placing 'o' from 2)": "(OVERLAY('tXday'",
    "select a from d.t where at >= '09:30'": "each time ('09:30')",
    "select a from d.t where at between timestamp '10:00:00' and now()": "each time",
    "select t.a from d.t join d.u tablesample (5 percent) on t.a = u.a": "sampled",
    "select a from d.t where a in (select a from d.u tablesample (5 rows))": "sampled",
    "select d.t.a from d.t": "by the schema of t",
    "select * from d.t as x join d.t as y on x.a = y.a": "twice",
    "select * from t as x join d.t as y on x.a = y.a": "twice",
    "select * from d.t as x left join T as y on x.a = y.a": "twice",
    "with x as (select * from d.t) select x.a from x join x as y on x.a = y.a": "twice",
    "select * from d.u right join d.t on u.a = t.a": "join",
    "select * from d.t full join d.u on u.a = t.a": "join",
    "select * from d.t version as of 3": "version",
    "select * from values (1), (2) as t(a)": "no table",
    "select * from range(5)": "no table",
    "select b as a from d.t join range(5)": "beside those of a function",
}


@pytest.mark.parametrize("text", TAKEN)
def test_taken(text: str) -> None:
    table, whole = TAKEN[text]
    found = row_by_row(text, "a")
    assert found["table"] == table
    assert (found["before"] + "(X)" + found["after"]).strip() == whole


@pytest.mark.parametrize("text", REFUSED)
def test_refused(text: str) -> None:
    assert REFUSED[text] in row_by_row(text, "a", [])["problem"]


@pytest.mark.parametrize(
    ("text", "is_text"),
    [
        ("select * from d.t where status <> 'now'", True),
        ("select e.a from d.t as e where e.Status in ('now', 'later')", True),
        ("with x as (select * from d.t) select * from x where x.status = 'today'", True),
        ("select * from d.t where status >= '09:30'", True),
        ("select * from d.t where at >= '09:30'", False),
        ("select * from d.t where at < 'now'", False),
        ("select * from (select a, at as status from d.t) where status <> 'now'", False),
        ("select t.a from d.t join range(5) where status <> 'now'", False),
        ("select a from d.t join d.u using (a) where status <> 'now'", False),
    ],
)
def test_a_word_beside_a_text_is_no_day(text: str, is_text: bool) -> None:
    assert row_by_row(text, "a") == {"asks": "d.t"}
    found = row_by_row(text, "a", [["a", "int"], ["status", "string"], ["at", "timestamp"]])
    assert ("problem" not in found) == is_text


@pytest.mark.parametrize(
    ("text", "column", "others"),
    [
        # what the text says
        ("select * from d.t", "a", []),
        ("select B as A, a as b from d.t where true", "B", []),
        ("select x.B as a, u.a as c from d.t as x join d.u on x.b = u.b", "B", []),
        ("select t.*, u.c as e from t join u using (c)", "a", []),
        ("with x as (select b as c, d from t) select x.c as a from x join u using (d)", "b", []),
        ("select a from t left semi join u using (b)", "a", []),
        ("select * from d.t left join u using (A) join v using (b)", "a", []),
        ("select b as a from t left semi join u using (c) join v using (b)", "b", []),
        ("with x (a, c) as (select b, d from t) select x.a from x join u using (c)", "b", []),
        ("with x (c, A) as (select t.a, d as e from t) select * from x semi join u", "d", []),
        ("select x.* from (select b, c from t) as x(c, a) left join u using (c)", "c", []),
        # what a table must say
        ("select a from t join u using (b)", "a", ["u"]),
        ("select u.a from d.t join c.u using (b)", "a", ["c.u"]),
        ("select u.*, t.b from t join u using (c)", "a", ["u"]),
        ("select b as a from t join u using (c)", "", ["u"]),
        ("select t.a, x.a from t join (values (1)) as x(a)", "", []),
        ("with x as (select distinct a from d.u) select * from t join x using (b)", "a", ["d.u"]),
        ("select * from t join u using (b) join v using (a)", "a", ["u", "v"]),
        ("select u.* from t join u using (a)", "a", ["u"]),
        ("with x (a, c) as (select * from t) select x.* from x join u using (c)", "", ["u"]),
        ("with x (a) as (select explode(b) from t) select * from x semi join u", "", ["u"]),
        ("with x (a, a) as (select b, c from t) select * from x semi join u", "", ["u"]),
        ("with x as (select b from t) select y.* from x as y(a) semi join u", "", ["u"]),
        ("select upper(b) as c, c as a from t semi join u using (d)", "", ["u"]),
    ],
)
def test_a_column_is_that_of_the_first_table(text: str, column: str, others: list[str]) -> None:
    found = row_by_row(text, "a", more=["a"])
    assert (found["column"], found["others"]) == (column, others)
    assert found["more"] == [{"column": column, "others": others}]


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("with x as (select * from d.t) select * from x as y", False),
        ("select * from t where exists (select 1 from d.u where u.a = t.a)", True),
        ("with x as (select * from t) select x.* from x left join d.u using (a)", True),
    ],
)
def test_whether_another_table_is_read(text: str, joined: bool) -> None:
    assert row_by_row(text, "a")["joined"] == joined


def test_a_column_that_a_text_above_has_lost_is_not_known() -> None:
    assert row_by_row("select * from d.t", "")["others"] == []
    found = row_by_row("select t.*, u.b from d.t join d.u using (a)", "")
    assert (found["column"], found["others"]) == ("", ["d.u"])


def test_of_more_columns_a_function_beside_makes_none_known() -> None:
    text = "select t.a, id, t.b as c from d.t join range(5)"
    assert row_by_row(text, "a", more=["id", "c"])["more"] == [None, {"column": "b", "others": []}]


@pytest.mark.parametrize(
    ("text", "beside"),
    [
        ("select a, _metadata.file_path as p, t._POS from t", ["_metadata", "_pos"]),
        ("with x as (select *, t._metadata.row_id as r from d.t) select * from x", ["_metadata"]),
        ("select a from t where `_file` like '%.parquet'", ["_file"]),
        ("select a as _file, '_pos' as b from t", []),
    ],
)
def test_names_that_may_be_columns_of_the_format(text: str, beside: list[str]) -> None:
    assert row_by_row(text, "a")["beside"] == beside
