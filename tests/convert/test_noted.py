"""What a converted model does otherwise than the one that it was is told in it."""

from __future__ import annotations

import pytest

from dbt_event_windows.convert import convert
from tests.convert.not_understood import IGNORING, LAG, NUMBER, sessions

NO_FIRST = "case when before is null then null when at > before + interval 1 hour then 1 else 0 end"
ID = "select {} as id, count(*) as n from numbered group by {}"
ABOVE = "at > before + interval 1 hour"


def starts(flag: str, lag: str = LAG) -> str:
    """A model whose ids are the starts of sessions."""
    carried = "last_value(case when is_start then at end, true) over (partition by k order by at)"
    return sessions(lag=lag, start=flag, number=carried)


ROWS = "rows between unbounded preceding and current row"
FIRST = (
    "select k, id, count(*) as n from (select *, last_value(case when before is null or "
    "at > before + interval 1 hour then v end, true) over (partition by k order by at, v desc) as "
    "id from (select *, lag(at) over (partition by k order by at) as before from e) x) y "
    "group by k, id"
)
NOTED = {
    "no first": (sessions(start=NO_FIRST), "the old flag is null in the first row of a key"),
    "no first, whatever comes later": (
        sessions(start=NO_FIRST.replace("when at", "when before is null or at")),
        "the old flag is null in the first row of a key",
    ),
    "no first behind a lag that ignores nulls": (
        sessions(lag=IGNORING, start=f"cast({ABOVE} as int)"),
        "the old flag is null in the first row of a key",
    ),
    "no number behind a lag that ignores nulls": (
        sessions(lag=IGNORING, start=f"case when {ABOVE} then 1 end"),
        "a sum of nulls is null",
    ),
    "no number of the first": (
        sessions(start="case when at > before + interval 1 hour then 1 end"),
        "a sum of nulls is null",
    ),
    "no number of the first, cast": (
        sessions(start=f"cast(case when {ABOVE} then 1 end as int)"),
        "a sum of nulls is null",
    ),
    "no number of the first, asked for": (
        sessions(start=f"case when {ABOVE} then 1 end").replace(
            "sum(is_start)", "sum(cast(is_start = 1 as int))"
        ),
        "a sum of nulls is null",
    ),
    "no number of the first, by a flag in the ELSE": (
        sessions(start=f"case when before is null then null else if({ABOVE}, 1, 0) end"),
        "the old flag is null in the first row of a key",
    ),
    "no id of the first": (starts(ABOVE), "the first session had no id"),
    "no id by a coalesce": (starts(f"coalesce({ABOVE}, false)"), "the first session had no id"),
    "no id by a case": (
        starts(f"case when before is null then false when {ABOVE} then true else false end"),
        "the first session had no id",
    ),
    "no id by an exception for the first": (
        starts(f"case when before is null then 0 when before is null or {ABOVE} then 1 end"),
        "the first session had no id",
    ),
    "no id by an exception": (
        starts(
            "case when before is null then false when at <= before + interval 1 hour then false "
            "else true end"
        ),
        "the first session had no id",
    ),
    "no id by a lag of itself": (
        starts(f"case when {ABOVE} then true else false end", LAG.replace("(at)", "(at, 1, at)")),
        "the first session had no id",
    ),
    "an id that is null": (FIRST, "must be another one for each of them, and never null"),
    "null key": (sessions(last=ID.format(*["concat(k, '-', number)"] * 2)), "is null where a part"),
    "ties": (FIRST, "the one that arrived first gives the id"),
    "other order of ties": (
        sessions(number="sum(is_start) over (partition by k order by at, v)"),
        "the running count need not take them in the order of lag()",
    ),
    "ties in any order": (
        sessions(number=f"sum(is_start) over (partition by k order by at {ROWS})"),
        "the running count need not take them in the order of lag()",
    ),
    "other order of what is carried": (FIRST, "what carries the id on need not take them"),
    "order of a text": (
        sessions(
            lag="lag(cast(s as timestamp)) over (partition by k order by s)",
            start="if(cast(s as timestamp) > before + interval 30 minutes, 1, 0)",
            number="sum(is_start) over (partition by k order by s)",
        ),
        "takes rows in the order of s, sessions now are in that of CAST(s AS TIMESTAMP)",
    ),
    "clocks": (
        sessions(start="case when at - before > interval 1 hour then 1 else 0 end"),
        "the old model counts by the clock",
    ),
    "days": (
        sessions(start="case when at > before + interval 1 day then 1 else 0 end"),
        "a day of the gap is 24 hours",
    ),
    "weeks": (
        sessions(start="case when at > before + interval 1 week then 1 else 0 end"),
        "a day of the gap is 24 hours",
    ),
    "hours of days": (
        sessions(start="case when at > before + interval '24' hour then 1 else 0 end"),
        "Spark adds whole days by the calendar",
    ),
    "days by timestampadd": (
        sessions(start="case when at > timestampadd(day, 2, before) then 1 else 0 end"),
        "Spark adds whole days by the calendar",
    ),
    "days and minutes": (
        sessions(start="if(at > before + interval '1 day 30 minutes', 1, 0)"),
        "a day of the gap is 24 hours",
    ),
    "hours": (
        "select date_trunc('hour', at) as h, count(*) as n from e group by 1",
        "window counts hours from UTC",
    ),
    "origin of a zone": (
        "select date_bin('1 day', at, timestamp '1970-01-01') as d, count(*) as n from e "
        "group by 1",
        "window counts from the midnight of UTC",
    ),
    "weeks of Snowflake": (
        "select date_trunc('week', at) as d, iff(true, count(*), 0) as n from e group by 1",
        "weeks begin on Monday, as in Snowflake where the parameter WEEK_START is 0 or 1",
    ),
    "slices of days": (
        "select time_slice(at, 2, 'day') as d, count(*) as n from e group by 1",
        "window counts from the midnight of UTC",
    ),
    "days of bigquery": (
        "select timestamp_trunc(at, day) as d, countif(true) as n from e group by 1",
        "are those of UTC in BigQuery",
    ),
    "units begun": (
        "select date_trunc('day', at) as d, datediff('minute', min(at), max(at)) as m "
        "from e group by 1",
        "counts the units that begin between two times",
    ),
    "first day": (
        "select date_trunc('day', at) as d, dayofweek(max(at)) as m, "
        "iff(true, max(b), null) as t from e group by 1",
        "a Sunday is day 0",
    ),
    "nulls": (
        "select timestamp_trunc(at, day) as d, greatest(max(a), max(b)) as m from e group by 1",
        "is null where one of its arguments is",
    ),
    "rounded": (
        "select timestamp_trunc(at, day) as d, cast(avg(a) as int64) as m from e group by 1",
        "rounds, in Spark it cuts off",
    ),
    "rounded where it can be": (
        "select timestamp_trunc(at, day) as d, min(safe_cast(a as int64)) as m from e group by 1",
        "SAFE_CAST(a AS INT64) rounds, in Spark it cuts off",
    ),
    "a text of a time": (
        "select timestamp_trunc(at, day) as d, max(cast(b as string)) as m from e group by 1",
        "a time or a number with places is another text in CAST(b AS STRING) than in Spark",
    ),
    "a text of a start": (
        "select date_trunc('day', at) as d, md5(max(k) || '-' || min(b)) as m, "
        "iff(true, 1, 0) as t from e group by 1",
        "a time or a number with places is another text in MAX(k) || '-' || MIN(b) than in Spark",
    ),
    "a text of a sum": (
        "select date_trunc('day', at) as d, concat('x', sum(v)) as m, iff(true, 1, 0) as t from e "
        "group by 1",
        "a time or a number with places is another text in CONCAT('x', SUM(v)) than in Spark",
    ),
    "no texts": (
        "select date_trunc('day', at) as d, iff(true, listagg(a, ','), '') as m from e group by 1",
        "LISTAGG(a, ',') of nulls alone is an empty text, in Spark null",
    ),
    "no match": (
        "select timestamp_trunc(at, day) as d, count(distinct regexp_extract(a, 'b(c)')) as m "
        "from e group by 1",
        "is null where nothing matches",
    ),
    "months begun": (
        "select timestamp_trunc(at, day) as d, max(date_diff(a, b, month)) as m from e group by 1",
        "counts the units that begin between two times",
    ),
    "few places": (
        "select date_trunc('day', at) as d, iff(true, avg(v), 0) as m from e group by 1",
        "AVG(v) of numbers that are no floats is a decimal of few places",
    ),
    "quotients": (
        "select date_trunc('day', at) as d, iff(true, sum(v) / count(*), 0) as m from e group by 1",
        "SUM(v) / COUNT(*) of numbers that are no floats is a decimal of few places",
    ),
    "nulls of arrays": (
        "select timestamp_trunc(at, day) as d, array_length(array_agg(v)) as m from e group by 1",
        "has the nulls too",
    ),
    "dates of Snowflake": (
        "select date_trunc('day', at) as d, iff(true, date_trunc('month', max(b)), null) as m from "
        "e group by 1",
        "of a DATE is a DATE, in Spark a time",
    ),
    "constants of BigQuery": (
        "select timestamp_trunc(at, day) as d, sum(v) * 1.5 as m from e group by 1",
        "constants with places are doubles",
    ),
    "times of BigQuery": (
        "select timestamp_trunc(at, day) as d, max(date_trunc(b, month)) as m from e group by 1",
        "of a time is a time, here a DATE",
    ),
    "a group that may be a date": (
        "select date_trunc(at, month) as d, countif(a) as m from e group by 1",
        "the old model's value was a DATE where the time is one",
    ),
    "a group of times of no zone": (
        "select date_trunc('month', at) as d, count(*) as m from e group by 1",
        "date_trunc makes a TIMESTAMP of a TIMESTAMP_NTZ",
    ),
    "clocks of BigQuery": (
        "select timestamp_trunc(at, hour) as d, max(timestamp '2024-01-01') as m from e group by 1",
        "texts that are cast to one, are those of UTC in BigQuery",
    ),
    "an item for a column": (
        "with a as (select date(at) as d, v * 2 as w, w + 1 as x from e) select d, sum(x) as x "
        "from a group by d",
        "'w' in 'x' is taken for the item before it: where e has a column of this name",
    ),
    "an item for a column in GROUP BY": (
        "select k, upper(k) as name, date(at) as d, count(*) as n from e group by k, name, 3",
        "'name' in GROUP BY is taken for the item: where e has a column of this name",
    ),
    "an item for a column in WHERE": (
        "select date_trunc('day', at) as d, iff(true, v * 100, 0) as cents, count(*) as n from e "
        "where cents > 5 group by 1, 2",
        "'cents' in 'WHERE' is taken for the item before it: where e has a column of this name",
    ),
    "days begun": (
        "select timestamp_trunc(at, hour) as d, date_diff(max(a), min(a), day) as m from e "
        "group by 1",
        "counts the units that begin between two times",
    ),
    "not known": (
        "select timestamp_trunc(at, day) as d, max(json_value(a, '$.b')) as m from e group by 1",
        "whether JSON_VALUE(a, '$.b') of bigquery has the same value in Spark is not known here",
    ),
    "guessed": (
        "select timestamp_trunc(at, day) as d, count(*) as n from e group by 1",
        "read as the SQL of bigquery, by words in it",
    ),
    "a zone as a sign": (
        "select date(at, 'America/New_York') as d, count(*) as n from {{ ref('e') }} group by 1",
        "read as the SQL of bigquery, by words in it",
    ),
    "guessed for want of words": (
        "select date_trunc('day', at) as d, count(*) as n from e group by 1",
        "read as Spark's SQL, as no word in it is another's alone",
    ),
    "guessed minutes": (
        sessions(start="if(datediff(minute, before, at) > 30, 1, 0)"),
        "In Snowflake and Redshift datediff counts the units that begin",
    ),
    "minutes of dbt": (
        sessions(start="if({{ dbt.datediff('before', 'at', 'minute') }} > 30, 1, 0)"),
        "rounds the time between rows up to whole minutes",
    ),
    "datediff of dbt": (
        sessions(start="if({{ dbt.datediff('before', 'at', 'minute') }} > 30, 1, 0)"),
        "datediff of dbt is read as that of dbt-spark",
    ),
    "one key": (
        sessions(last=ID.format(*["coalesce(k, 'unknown')"] * 2) + ", number"),
        "a key that is null and one that is the value in COALESCE(k, 'unknown') were one row",
    ),
    "one key as a text": (
        sessions(last=ID.format(*["md5(coalesce(cast(k as string), '?') || number)"] * 2)),
        "a key that is null and one that is the value in COALESCE(CAST(k AS STRING), '?')",
    ),
    "nulls left out": (
        sessions(last=ID.format(*["concat_ws('-', k, v, number)"] * 2)).replace(
            "partition by k", "partition by k, v"
        ),
        "keys that are null are left out",
    ),
    "no sign": (
        sessions(last=ID.format(*["concat(k, number)"] * 2)),
        "no sign stands between two values",
    ),
    "no time": (sessions(), "rows without a time are in no window"),
}
PLAIN = sessions(
    last=ID.format(*["concat(coalesce(k, '_dbt_utils_surrogate_key_null_'), '-', number)"] * 2)
)


@pytest.mark.parametrize("name", NOTED)
def test_noted(name: str) -> None:
    model, words = NOTED[name]
    assert [note for note in convert(model).notes if words in note], convert(model).notes


@pytest.mark.parametrize(
    ("group", "dialect"),
    [("group by k, name, 3", "bigquery"), ("group by 1, upper(k), 3", "spark")],
)
def test_no_note_of_what_is_no_column_in_group_by(group: str, dialect: str) -> None:
    model = f"select k, upper(k) as name, date(at) as d, count(*) as n from e {group}"
    assert not [note for note in convert(model, dialect).notes if "is taken for" in note]


def test_no_note_in_group_by_where_the_columns_are_known() -> None:
    model = (
        "with a as (select k, at from e) select k || 'x' as c, date(at) as d from a group by c, d"
    )
    assert not [note for note in convert(model).notes if "is taken for" in note]


@pytest.mark.parametrize(
    ("later", "is_noted"),
    [("before + interval 1 day", True), ("timestamp_add(before, interval 1 day)", False)],
)
def test_days_of_bigquery_are_noted_where_they_may_be_of_dates(later: str, is_noted: bool) -> None:
    model = sessions(start=f"case when at > {later} then 1 else 0 end")
    notes = convert(model, "bigquery").notes
    assert any("a day of the gap is 24 hours" in one for one in notes) == is_noted


def test_no_days_begin_between_dates() -> None:
    value = "date_diff(max(date(b)), min(date(b)), day)"
    model = f"select timestamp_trunc(at, hour) as h, {value} as v from e group by 1"
    assert not [note for note in convert(model).notes if "units that begin" in note]


def test_one_order_of_ties_is_not_noted() -> None:
    order = "over (partition by k order by at, v"
    alike = sessions(lag=f"lag(at) {order})", number=f"sum(is_start) {order} {ROWS})")
    assert not [note for note in convert(alike).notes if "rows of one time" in note]


def test_ties_of_what_counts_row_by_row_are_noted() -> None:
    counted = "conditional_true_event(is_start = 1) over (partition by k order by at)"
    notes = convert(sessions(number=counted), "snowflake").notes
    assert any("the running count need not take them in the order" in note for note in notes)


@pytest.mark.parametrize(
    "value",
    ["count(*)", "upper(max(b))", "cast(max(b) as int64)", "date(min(at))", "'a'"],
)
def test_no_note_of_what_is_one_text(value: str) -> None:
    model = f"select date(at) as d, cast({value} as string) as v from e group by 1"
    assert not [note for note in convert(model, "bigquery").notes if "another text" in note]


@pytest.mark.parametrize(
    "value",
    ["k || '-' || count(*)", "md5(concat(k, upper(max(b))))", "'a' || max(left(b, 2))"],
)
def test_no_note_of_texts_that_are_put_together(value: str) -> None:
    model = f"select date(at) as d, k, {value} as v from e group by 1, 2"
    assert not [note for note in convert(model, "snowflake").notes if "another text" in note]


@pytest.mark.parametrize(
    ("flag", "is_null"),
    [
        (f"cast({ABOVE} as int)", True),
        (f"cast(({NO_FIRST}) as int)", True),
        (f"case when before is null then null when {ABOVE} then 1 end", False),
        (f"cast(coalesce({ABOVE}, true) as int)", False),
        (f"cast(if({ABOVE}, true, false) as int)", False),
        ("cast(at > coalesce(before, at) + interval 1 hour as int)", False),
        (f"cast((case when {ABOVE} then 1 else 0 end) = 1 as int)", False),
    ],
)
def test_a_first_row_is_noted_where_its_flag_is_null(flag: str, is_null: bool) -> None:
    assert any("old flag is null" in one for one in convert(sessions(start=flag)).notes) == is_null


def test_no_first_row_is_noted_where_there_is_a_time_before_it() -> None:
    model = sessions(lag=LAG.replace("(at)", "(at, 1, at)"), start=f"cast({ABOVE} as int)")
    assert not [note for note in convert(model).notes if "old flag is null" in note]


@pytest.mark.parametrize(("key", "time"), [("coalesce(k, '')", "at"), ("k", "coalesce(at, cr)")])
def test_a_null_is_noted_whatever_stands_for_a_key_or_a_time(key: str, time: str) -> None:
    over = f"over (partition by {key} order by {time})"
    model = sessions(
        lag=f"lag({time}) {over}",
        start=f"cast({time} > before + interval 1 hour as int)",
        number=f"sum(is_start) {over}",
        last=f"select count(*) as n from numbered group by {key}, number",
    )
    assert [note for note in convert(model).notes if "old flag is null" in note]


@pytest.mark.parametrize(
    ("flag", "number"),
    [
        (f"case when before is null then 0 when {ABOVE} then 1 end", "{}"),
        (
            "case when at > coalesce(before, timestamp'1970-01-01') + interval 1 hour then 1 end",
            "{}",
        ),
        (f"case when {ABOVE} then 1 end", "coalesce({}, 0)"),
        (f"cast({ABOVE} as int)", "coalesce({}, 0)"),
    ],
)
def test_no_note_where_the_first_session_had_a_number(flag: str, number: str) -> None:
    notes = convert(sessions(start=flag, number=number.format(NUMBER))).notes
    assert not [note for note in notes if "null" in note], notes


@pytest.mark.parametrize(
    "flag",
    [
        f"coalesce({ABOVE}, true)",
        f"before is null or {ABOVE}",
        "if(at <= before + interval 1 hour, false, true)",
    ],
)
def test_no_note_where_the_first_session_had_an_id(flag: str) -> None:
    assert not [note for note in convert(starts(flag)).notes if "had no id" in note]


@pytest.mark.parametrize("time", ["at", "timestampadd(day, 1, at)"])
def test_no_days_of_the_calendar_in_hours_that_are_counted(time: str) -> None:
    over = f"over (partition by k order by {time})"
    model = sessions(
        lag=f"lag({time}) {over}",
        start=f"if({time} > timestampadd(hour, 48, before), 1, 0)",
        number=f"sum(is_start) {over}",
    )
    assert not [note for note in convert(model).notes if "by the calendar" in note]


def test_days_of_an_interval_whatever_the_time_is_made_of() -> None:
    time = "timestampadd(hour, 1, at)"
    over = f"over (partition by k order by {time})"
    model = sessions(
        lag=f"lag({time}) {over}",
        start=f"if({time} > before + interval '24' hour, 1, 0)",
        number=f"sum(is_start) {over}",
    )
    assert [note for note in convert(model).notes if "by the calendar" in note]


@pytest.mark.parametrize(
    ("value", "is_noted"),
    [
        ("timestamp_diff(max(b), min(b), second)", True),
        ("max(datetime_diff(b, c, day))", True),
        ("max(date_diff(b, c, day))", True),
        ("max(date_diff(date '2024-01-01', c, day))", True),
        ("max(timestamp_sub(b, interval 7 day))", True),
        ("max(datetime_add(b, interval 1 month))", True),
        ("max(b - interval 7 day)", True),
        ("max(timestamp_add(b, interval 24 hour))", False),
        ("max(timestamp_sub(b, interval 24 hour))", True),
        ("max(timestamp_sub(b, interval 1439 minute))", False),
        ("max(b + interval 90 minute)", False),
        ("max(date_diff(date '2024-01-01', date '2024-02-01', day))", False),
        ("max(date '2024-01-01' + interval 7 day)", False),
    ],
)
def test_clocks_of_a_zone_are_noted(value: str, is_noted: bool) -> None:
    model = f"select timestamp_trunc(at, hour) as h, {value} as v from e group by 1"
    assert any("are those of UTC in" in one for one in convert(model, "bigquery").notes) == is_noted


@pytest.mark.parametrize("dialect", ["snowflake", "bigquery"])
def test_no_days_of_spark_elsewhere(dialect: str) -> None:
    model = sessions(start="case when at > before + interval '24' hour then 1 else 0 end")
    assert not [note for note in convert(model, dialect).notes if "Spark adds" in note]


def test_no_session_of_utc_where_a_zone_is_named() -> None:
    model = "select date(at, 'Europe/Berlin') as d, count(*) as n from e group by 1"
    assert not [note for note in convert(model, "bigquery").notes if "at UTC" in note]


def test_no_note_of_a_sign_that_concat_ws_puts() -> None:
    for sign, is_noted in (("-", False), ("", True)):
        model = sessions(last=ID.format(*[f"concat_ws('{sign}', k, number)"] * 2))
        assert any("no sign stands" in note for note in convert(model).notes) == is_noted


def test_no_clock_of_a_session_in_bigquery() -> None:
    model = sessions(start="if(timestamp_diff(at, before, minute) > 30, 1, 0)")
    assert not [note for note in convert(model, "bigquery").notes if "by the clock" in note]


def test_only_what_is_so_is_noted() -> None:
    always = ("no time", "guessed for want of words")
    words = {words for name, (_, words) in NOTED.items() if name not in always}
    said = " ".join(convert(PLAIN).notes)
    assert not [one for one in words if one in said]
