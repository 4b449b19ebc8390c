"""What depends on the session's time zone is said."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from dbt_event_windows.plain_sql.notes import TEXT_AS_TIME, ZONE
from tests.plain_sql.answering import planned

NOTED = [
    "cast(max(viewed_at) as string)", "max(viewed_at) > '2024-01-01'", "hour(max(viewed_at))",
    "max(viewed_at + interval 1 day)", "max(viewed_at + interval -'1' day)",
    "max(viewed_at + interval 1 hour 2 days)",
    "datediff(max(viewed_at), min(viewed_at))",
    "timestampdiff(day, min(viewed_at), max(viewed_at))", "max(date(viewed_at))",
    "max(cast(viewed_at as timestamp_ntz))", "max(viewed_at)::timestamp_ntz",
    "to_timestamp_ntz(max(viewed_at))", "convert_timezone('UTC', max(seen_at))",
    "convert_timezone('Asia/Tokyo', 'UTC', max(viewed_at))", "string(max(viewed_at))",
    "max(url || viewed_at)", "concat(max(url), max(viewed_at))", "max(concat_ws(' ', viewed_at))",
    "array_join(collect_list(viewed_at), ',')", "cast(array(max(viewed_at)) as array<string>)",
    "count_if(viewed_at >= seen_at)", "max(coalesce(viewed_at, day))",
    "count_if(viewed_at between day and day)",
    "max(viewed_at) - min(viewed_at)", "count_if(viewed_at > url)",
    "max_by(viewed_at, seq) > max(day)", "max(coalesce(seen_at, seen_at, viewed_at))",
]  # fmt: skip
NOT_NOTED = [
    "cast(max(amount) as string)", "cast(max(seen_at) as string)", "max(url) > '2024-01-01'",
    "max(viewed_at + interval 1 hour)", "max(viewed_at + interval +'1' hour)",
    "max(viewed_at + interval 1 hour 30 minutes)",
    "timestampdiff(minute, min(viewed_at), max(viewed_at))",
    "max(seen_at + interval 1 day)", "cast(count(*) as string)",
    "max(cast(seen_at as timestamp_ntz))", "to_timestamp_ntz(max(seen_at))",
    "convert_timezone('Asia/Tokyo', 'UTC', max(seen_at))", "max(url || seen_at)",
    "array_join(collect_list(seen_at), ',')", "max(seen_at) - min(seen_at)",
    "max(coalesce(viewed_at, viewed_at))", "count_if(viewed_at >= viewed_at)", "concat(max(url))",
    "max_by(url, viewed_at) = 'a'", "coalesce(max_by(url, viewed_at), 'none')",
    "concat(max_by(url, viewed_at), 'x')", "max_by(day, viewed_at) = max(day)",
    "cast(max_by(amount, viewed_at) as string)", "array(max_by(url, viewed_at), 'x')",
]  # fmt: skip


TIMES = [
    "viewed_at", "max(seen_at)", "'2024-01-01'", "'09:30'", "device", "max_by(url, viewed_at)",
]  # fmt: skip


@pytest.mark.parametrize("item", [*NOTED, *NOT_NOTED])
def test_the_zone_is_noted_where_it_matters(rows: SparkSession, item: str) -> None:
    rows = "(select *, date_from_unix_date(seq) as day from views)"
    text = f"select {item} as x from {rows} group by user_id, window(viewed_at, '1 hour')"
    assert (ZONE in planned(text, arrival_order="seq")["notes"]) == (item in NOTED)


@pytest.mark.parametrize("time", ["cast(viewed_at as timestamp_ntz)", "seen_at", "viewed_at"])
def test_the_zone_is_noted_of_the_time_of_windows(rows: SparkSession, time: str) -> None:
    text = f"select user_id, count(*) as n from views group by user_id, window({time}, '1 hour')"
    notes = planned(text, arrival_order="seq")["notes"]
    assert (ZONE in notes) == time.startswith("cast")


@pytest.mark.parametrize("time", TIMES)
def test_it_is_noted_that_texts_are_read_as_times(rows: SparkSession, time: str) -> None:
    text = f"select {time} < max(url) as x from views group by user_id, viewed_at, device, "
    plan = planned(f"{text} window(viewed_at, '1 hour')", arrival_order="seq")
    assert (TEXT_AS_TIME in plan["notes"]) == (time in TIMES[:2])


READ_AS_TIMES = [
    "max(cast(url as timestamp))", "max(to_timestamp(url))", "max(date_trunc('hour', url))",
    "count_if(viewed_at > amount || ':30')", "count_if(date_format(seen_at, 'HH:mm') < viewed_at)",
    "max(timestamp(concat(amount, ':30')))", "date_format(max(url), 'yyyy')",
    "count_if(viewed_at > lower(url))", "count_if(left(trim(url), 5) < seen_at)",
    "count_if(viewed_at > if(amount > 1, url, '2024-01-01'))", "max(timestamp(nullif(url, 'x')))",
    "count_if(case when amount > 1 then url end >= viewed_at)", "max(coalesce(viewed_at, url))",
    "max(case when amount > 1 then url else viewed_at end)", "max(nvl2(url, url, viewed_at))",
    "count_if(viewed_at > url::string)",
]  # fmt: skip
NOT_READ_SO = [
    "max(to_timestamp(url, 'yyyy'))", "max(cast(url as date))", "max(to_timestamp(amount))",
    "count_if(date_format(viewed_at, 'HH:mm') >= '09:30')", "max(date_trunc('hour', viewed_at))",
    "count_if(viewed_at > '2024-01-01' || ' 10:00')", "max(date_format(viewed_at, 'HH:mm')) < url",
    "max(case when viewed_at > seen_at then url end)", "max(if(url = 'a', viewed_at, seen_at))",
    "count_if(viewed_at > if(amount > 1, '2024-01-01', '2024-02-01'))",
    "max(nullif(url, lower(url)))", "max(coalesce(viewed_at, seen_at))",
]  # fmt: skip


@pytest.mark.parametrize("item", [*READ_AS_TIMES, *NOT_READ_SO])
def test_it_is_noted_that_texts_become_times(rows: SparkSession, item: str) -> None:
    text = f"select {item} as x from views group by user_id, url, window(viewed_at, '1 hour')"
    notes = planned(text, arrival_order="seq")["notes"]
    assert (TEXT_AS_TIME in notes) == (item in READ_AS_TIMES)


def test_a_text_without_a_date_has_that_of_the_run(rows: SparkSession) -> None:
    today = "date(cast(url as timestamp)) = current_date()"
    assert rows.sql(f"select {today} from values ('09:30') as t(url)").first()[0]
