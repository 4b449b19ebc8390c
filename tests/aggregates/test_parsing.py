"""How the text of an aggregate is read, by Jinja alone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.macros.rendering import Macros

MACROS = Macros()


def planned(sql: str, order: list[str] | None = None) -> dict[str, Any]:
    problems: list[str] = []
    plan = MACROS._plan_aggregates({"x": sql}, "time", order or [], problems)
    assert problems == []
    return dict(plan[0])


def problem(sql: str) -> str:
    problems: list[str] = []
    MACROS._plan_aggregates({"x": sql}, "time", [], problems)
    assert len(problems) == 1
    return problems[0]


def test_no_part_sees_a_row_that_no_window_can_count() -> None:
    for sql, filtered in [
        ("sum(a)", "_ew_time is not null"),
        ("sum(a) filter (where b or c)", "_ew_time is not null and (b or c)"),
        ("any_value(a) ignore nulls", "_ew_time is not null and (a) is not null"),
    ]:
        for part in planned(sql)["parts"]:
            assert f" filter (where {filtered})" in part["guarded"]


@pytest.mark.parametrize(
    ("sql", "partial"),
    [
        ("sum(a)", "sum(a)"),
        ("  SUM ( a )  ", "sum(a)"),
        ("sum(/* ( */ a -- )\n)", "sum(a)"),
        ("count(*) filter (where b = ')')", "count(*) filter (where b = ')')"),
        ("count(a, 'it''s, (')", "count(a, 'it''s, (')"),
        (r"count(case when w = '\')' then 1 end)", r"count(case when w = '\')' then 1 end)"),
        ("count(`a (,`)", "count(`a (,`)"),
        ("max(struct(a, b))", "max(struct(a, b))"),
        ("max(r'\\')", "max(r'\\')"),
        ("min(distinct a)", "min(a)"),
        ("count(all a)", "count(a)"),
        ("sum(all_of_it)", "sum(all_of_it)"),
        ("count_if(a > 1e5)", "count_if(a > 1e5)"),
        ("bit_or(цена)", "bit_or(цена)"),
        ("sum(m['a, b'])", "sum(m['a, b'])"),
        ("sum(2nd_amount)", "sum(2nd_amount)"),
    ],
)
def test_one_call(sql: str, partial: str) -> None:
    plan = planned(sql)
    assert [part["partial"] for part in plan["parts"]] == [partial]
    assert (plan["parts"][0]["column"], plan["final"]) == ("x", None)


@pytest.mark.parametrize(
    ("sql", "partial"),
    [
        ("avg(a - b)", "sum((a - b) / 1)"),
        ("avg(`a b`)", "sum(`a b` / 1)"),
        ("avg(s.f) filter (where a or b)", "sum(s.f / 1) filter (where a or b)"),
        (
            "approx_count_distinct(a or b)",
            "hll_sketch_agg(if((a or b) is null, null, xxhash64(a or b)), "
            "int(greatest(4, ceil(2 * log2(1.04 / 0.0163)))))",
        ),
        (
            "first(x, true) filter (where a or b)",
            "min_by(x, `time`) filter (where (a or b) and (x) is not null)",
        ),
        ("count(distinct(a))", "collect_set((a)) filter (where ((a)) is not null)"),
        ("count(distinct (a, b))", "collect_set((a, b)) filter (where ((a, b)) is not null)"),
        ("sum(distinct(a + 1))", "collect_set((a + 1))"),
        ("mode() within group (order by(a)desc)", "collect_list((a))"),
        ("first((x)ignore nulls)", "min_by((x), `time`) filter (where ((x)) is not null)"),
        ("count_if(x like any ('a', 'b'))", "count_if(x like any ('a', 'b'))"),
        ("max(day)", "max(day)"),
    ],
)
def test_what_the_user_wrote_stays_one_operand(sql: str, partial: str) -> None:
    assert planned(sql)["parts"][0]["partial"] == partial


def test_a_distinct_value_is_kept_once_where_nothing_merges_it() -> None:
    plan = planned("avg(distinct a + 1) filter (where b or c)")
    (part,) = plan["parts"]
    assert part["partial"] == (
        "collect_set(named_struct('at', true, 'a0', a + 1)) filter (where b or c)"
    )
    assert plan["calls"][0]["holistic"]["sql"] == (
        "avg(distinct _ew_a0) filter (where _ew_at is not null)"
    )


@pytest.mark.parametrize(
    ("sql", "kept"),
    [
        ("avg(distinct end)", ["a0"]),
        ("histogram_numeric(to, 5)", ["a0"]),
        ("histogram_numeric(2nd_amount, 5)", ["a0"]),
        ("histogram_numeric(interval, null)", ["a0"]),
    ],
)
def test_a_word_alone_is_a_column(sql: str, kept: list[str]) -> None:
    fields = planned(sql)["calls"][0]["holistic"]["fields"]
    assert fields == ["_ew_at", *(f"_ew_{field}" for field in kept)]


@pytest.mark.parametrize(
    ("sql", "columns", "final"),
    [
        ("sum(a) / sum(b)", ["_ew_x_sum1", "_ew_x_sum2"], "(_ew_x_sum1) / (_ew_x_sum2)"),
        ("(sum(a))", ["_ew_x_sum1"], "((_ew_x_sum1))"),
        ("sum(a) - sum(a)", ["_ew_x_sum1"], "(_ew_x_sum1) - (_ew_x_sum1)"),
        ("'sum(b)' || count(*)", ["_ew_x_n1"], "'sum(b)' || (_ew_x_n1)"),
        ("max(struct(a, b)).b", ["_ew_x_max1"], "(_ew_x_max1).b"),
        ("cast(sum(a) as decimal(10, 2))", ["_ew_x_sum1"], "cast((_ew_x_sum1) as decimal(10, 2))"),
        ("max(a) + interval 1 day", ["_ew_x_max1"], "(_ew_x_max1) + interval 1 day"),
        (
            "exists(collect_set(a), v -> v > 1)",
            ["_ew_x_values1"],
            "exists((_ew_x_values1), v -> v > 1)",
        ),
        (
            "case when count(*) > 1 then 'a' end",
            ["_ew_x_n1"],
            "case when (_ew_x_n1) > 1 then 'a' end",
        ),
        ("sum(a) filter (where b) * 2", ["_ew_x_sum1"], "(_ew_x_sum1) * 2"),
    ],
)
def test_an_expression(sql: str, columns: list[str], final: str) -> None:
    plan = planned(sql)
    assert [part["column"] for part in plan["parts"]] == columns
    assert plan["final"] == final


@pytest.mark.parametrize(
    ("sql", "columns"),
    [
        ("max_by(a, b) || count(c + d) || sum(null)", ["a", "b", "c", "d"]),
        (
            "sum(price * `q t`) filter (where kind = 'x' or not Flag)",
            ["price", "q t", "kind", "Flag"],
        ),
        ("percentile_cont(0.5) within group (order by t.amount desc)", ["t"]),
        ("max(`a`.b.c)", ["a"]),
        ("sum(a::int) / max(v:field.b)", ["a", "v"]),
        ("count_if(exists(xs, x -> x > y and x is distinct from z))", ["xs", "y", "z"]),
        ("max(day)", ["day"]),
        ("max(case when cast(a as decimal(10, 2)) in (1) then b end)", ["a", "b"]),
        # words that are no columns, and what cannot be told from one
        ("max(extract(epoch from seen) + cast(timestamp '2024-01-01' as long))", ["seen"]),
        ("max(time '10:00' + interval '1' day)", []),
        ("max(current_date) filter (where word collate UTF8_LCASE = 'a')", ["word"]),
        ("max(from_json(a, schema => 'a int'))", ["a"]),
        ("max(cast(a as struct<b: int>).b)", []),
        ("max(timestampdiff(MONTH, a, b))", ["a", "b"]),
        ("max(overlay(a placing b from 2))", ["a"]),
        ("sum(2nd_amount * 2)", ["2nd_amount"]),
    ],
)
def test_columns_are_named(sql: str, columns: list[str]) -> None:
    assert planned(sql)["columns"] == columns


def test_first_is_by_event_time_then_arrival() -> None:
    by_time = "named_struct('time', `time`, 'arrival', `my seq`, 'partition', p)"
    parts = planned("first(a)", ["my seq", "p"])["parts"]
    assert [part["partial"] for part in parts] == [f"min_by(a, {by_time})", f"min({by_time})"]
    assert planned("last(a)")["parts"][0]["partial"] == "max_by(a, `time`)"


def test_each_aggregate_of_a_merge_takes_an_over() -> None:
    over = " over w"
    parts = planned("avg(a)")["parts"]
    assert "{over}" not in parts[0]["merge"]
    assert parts[0]["running"].replace("{over}", over) == (
        "case when count_if(_ew_x_n > 0 and _ew_x_sum is null) over w = 0 "
        "then sum(_ew_x_sum) over w end"
    )


def test_a_function_that_may_be_registered_is_planned_as_one() -> None:
    plan = planned("geometric_mean(abs(price)) filter (where price > 0)", ["seq"])
    at = "named_struct('time', `time`, 'arrival', seq)"
    row = f"named_struct('at', {at}, 'row', named_struct('a0', abs(price)))"
    assert plan["parts"][0]["partial"] == (
        f"geometric_mean__reduce(collect_list({row}) filter (where price > 0))"
    )
    assert plan["final"] == "geometric_mean__finish(_ew_x_state)"


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("", "it calls no aggregate"),
        ("sum", "'sum' stands outside of every aggregate"),
        ("sum(a", "a '(' is not closed"),
        ("sum(a))", "a ')' too many"),
        ("count('a)", "a ' is not closed"),
        ("sum(a /* b)", "a comment is not closed"),
        ("sum(a) b", "'b' stands outside"),
        ("sum(a) + `b`", "'`b`' stands outside"),
        ("max(a) in (select b)", "'(select' begins a subquery"),
        ("sum()", "takes 1 argument(s), 0 given"),
        ("min_by(a, b, c)", "takes 2 argument(s), 3 given"),
        ("first(a, b)", "the second argument of first is true (leave nulls out) or false"),
        ("percentile(a, 0.5, 2, 3)", "takes 2 argument(s), 4 given"),
        ("approx_percentile(a, b)", "argument 2 of approx_percentile is a constant"),
        ("approx_count_distinct(a, 0.0005)", "is 0.0005: allowed is a number, 0.00072 or"),
        ("approx_count_distinct(a, 5e-4D)", "is 5e-4D: allowed is a number, 0.00072 or"),
        ("approx_count_distinct(a, 0)", "is 0: allowed is a number, 0.00072 or more"),
        ("approx_count_distinct(a, -0.01)", "is -0.01: allowed is a number, 0.00072 or"),
        ("approx_count_distinct(a, 1/5000)", "is 1/5000: allowed is a number, 0.00072 or"),
        ("count_min_sketch(a, 0.5d, 0.5d, seed => 1)", "by its name (seed => 1) is not understood"),
        ("sum(a) filter (where )", "filter (where condition)"),
        ("listagg(a) within group (order by b nulls last)", "[asc | desc]"),
        ("max(max(a))", "'max' stands inside 'max'"),
        ("geometric_mean(distinct a)", "distinct is not understood in geometric_mean"),
        ("count(distinct *)", "count(distinct *) depends on which columns there are"),
        ("geometric_mean(*)", "geometric_mean(*) depends on which columns there are: name them"),
        ("count(*, a)", "count(*, a) depends on which columns there are"),
        ("max(s.*)", "max(s.*) depends on which columns there are"),
        ("count(t.*)", "count(t.*) depends on which columns there are"),
        ("sum(a) ignore nulls", "'ignore nulls' is not understood after sum"),
        ("collect_list(a) respect nulls", "'respect nulls' is not understood after collect_list"),
        ("array_agg(a respect nulls)", "'respect nulls' is not understood after array_agg"),
        ("collect_set(distinct a) respect nulls", "after collect_set(distinct ...)"),
    ],
)
def test_what_is_not_understood_is_named(sql: str, said: str) -> None:
    assert said in problem(sql)


@pytest.mark.parametrize(
    "sql",
    [
        "count_if(a > (select top from limits))",
        "count_if(a > ((SELECT avg(top) from limits)))",
        "sum(a) filter (where b in ( /* all */ select c from d))",
        "count_if(exists (from d))",
        "count_if(exists(table d))",
        "max((with d as (select 1) select * from d))",
        "min((values -1))",
        "max((select .5 + top from limits))",
        "listagg(a) within group (order by (select b from c))",
        "max(a) + (select b from c)",
    ],
)
def test_a_subquery_is_told(sql: str) -> None:
    assert "begins a subquery" in problem(sql)
    assert "join its table in the relation" in problem(sql)


@pytest.mark.parametrize(
    "word", ["values", "from", "select", "`values` in (1)", "table.a", "values[0]", "values != 1"]
)
def test_a_column_may_have_a_name_that_begins_a_subquery(word: str) -> None:
    assert planned(f"max({word})")["parts"][0]["partial"] == f"max({word})"


def test_part_columns_of_different_outputs_differ() -> None:
    aggregates = {"a": "sum(x) / count(*)", "a_sum1": "avg(x)", "a_sum": "avg(x)", "a_2": "avg(x)"}
    plan = MACROS._plan_aggregates(aggregates, "time", [], [])
    columns = [part["column"] for aggregate in plan for part in aggregate["parts"]]
    assert len(columns) == len(set(columns)) == 8
