"""A column without an alias has the name that Spark gives it."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from tests.plain_sql.reassembly import planned

NAMED = [
    "count(*)", "COUNT( 1 )", "count(Amount)", "count(distinct url)", "count(distinct url, device)",
    "sum(distinct amount)", "sum(v.amount)", "max(place.zip)", "sum(amount) / count(*)",
    "(sum(amount) + count(*)) * 2", "sum(amount) - 1.50", "sum(price) % 2", "avg(price) / 3",
    "max(viewed_at)", "min(lower(url))", "max(length(url))", "coalesce(sum(amount), 0)",
    "nvl(max(url), 'none')", "nullif(count(*), 0)", "greatest(max(amount), 1.5)", "upper(user_id)",
    "concat(user_id, '-', user_id)", "lower(upper(user_id))", "user_id", "V.User_Id", "`user_id`",
    "((user_id))", "1", "'some text'", "2.50", "session_window", "Session_Window.START",
    "(session_window.end)", "session_window(v.viewed_at, '30 minutes')",
    "session_window(viewed_at, '30 minutes').End", "max(amount) / min(amount)", "count_if(is_bot)",
    "hour(session_window.start)", "size(collect_set(url))", "abs(sum(amount))", "median(amount)",
    "first(url)", "any_value(url)", "mode(amount)", "stddev(amount)", "bool_and(is_bot)",
    "regr_count(amount, score)", "approx_count_distinct(url)", "min_by(url, seq)",
    "ifnull(max(url), 'x')", "least(min(amount), 3)", "month(session_window.start)",
    "minute(session_window.end)", "second(session_window.end)", "year(session_window.end)",
    "cast(count(*) as string)", "count(*) filter (where amount > 1)",
    "max(viewed_at) - min(seen_at)",
    "max(date(viewed_at)) + 1", "2 * sum(amount)", "-sum(amount)", "round(avg(amount))",
    "first(url) ignore nulls", "first(url, true)", "count(*) > 1", "user_id || 'x'", "1e3", "null",
    "case when count(*) > 1 then 1 end", "if(count(*) > 1, 1, 2)", "percentile(amount, 0.5)",
    "array_agg(url)", "'it''s'", "interval 1 hour", "date(session_window.start)",
    "max(amount + 0L)",
    "transform(collect_set(url), x -> upper(x))", "max(amount in (1, 2))", "10L",
]  # fmt: skip


NOT_SPARKS = ["my_mean(amount)", "my_mean(amount) + 1", "date(calendar_window.start)"]


def text(item: str) -> str:
    return f"select {item} from views v group by user_id, session_window(viewed_at, '30 minutes')"


@pytest.mark.parametrize("item", NAMED)
def test_the_name_is_sparks(rows: SparkSession, item: str) -> None:
    plan = planned(text(item))
    assert "problems" not in plan, plan
    assert [one["name"] for one in plan["columns"]] == rows.sql(text(item)).columns


@pytest.mark.parametrize("item", NOT_SPARKS)
def test_what_spark_cannot_read_needs_an_alias(rows: SparkSession, item: str) -> None:
    window = "calendar_window(viewed_at, 'month')"
    over = f"select user_id, {{}} from views v group by user_id, {window}"
    problems = planned(over.format(item))["problems"]
    assert [one["problem"] for one in problems] == [
        "this column has no name, and which one Spark gives it is not sure"
    ]
    assert "problems" not in planned(over.format(f"{item} as name"))


def test_windows_of_our_own_have_their_own_names(rows: SparkSession) -> None:
    window = "calendar_window(viewed_at, 'month')"
    text = (
        "select calendar_window, calendar_window.Start, {0}.end, {0} as again, count(*) "
        "from views group by {0}"
    )
    plan = planned(text.format(window).replace("calendar_window, ", "", 1))
    names = [one["name"] for one in plan["columns"]]
    assert names == ["Start", "calendar_window.end", "again", "count(1)"]


@pytest.mark.parametrize(
    "text",
    [
        "select {0}.start as window, count(*) n from views group by {0}",
        "select calendar_window as window, date(window.start) as day from views group by {0}",
        "select window.url, calendar_window.end as e from views window group by window.url, {0}",
        "select window, {0} as m, count(*) n from {1} group by window, {0}",
        "select window, upper(window), {0}.end as e, count(*) n from {1} group by window, {0} "
        "having window > 'a'",
        "select {0} as window, count(*) n from views group by window having window.start > 'a'",
        "select {0}.start as window, count(*) n from views group by window",
    ],
)
def test_window_is_a_free_name_beside_a_window_of_our_own(rows: SparkSession, text: str) -> None:
    over = "(select *, url as window from views)"
    plan = planned(text.format("calendar_window(viewed_at, 'month')", over))
    assert "problems" not in plan, plan


@pytest.mark.parametrize(
    "text",
    [
        "select {0}.end as e, count(*) n from views group by {0}.start",
        "select calendar_window, {0}.start as s, count(*) n from views group by s",
        "select user_id, {0}.start as s, {0}.end as e, count(*) n from views group by 1, 2",
    ],
)
def test_a_bound_that_is_grouped_by_stands_for_the_window(rows: SparkSession, text: str) -> None:
    plan = planned(text.format("calendar_window(viewed_at, 'month')"))
    assert "problems" not in plan, plan
