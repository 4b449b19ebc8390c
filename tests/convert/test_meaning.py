"""What names and words of a model mean is what they mean in the converted one."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from dbt_event_windows.convert import NotUnderstoodError, convert, dialects
from tests.convert.not_understood import LAG, NUMBER, OVER, START, days, sessions


@dataclass(frozen=True)
class Case:
    """`pieces` are in the converted text, as one line, from left to right."""

    name: str
    model: str
    pieces: tuple[str, ...]
    dialect: str = "spark"


JOIN = "left join d on d.k = e.k"


def written(name: str, value: str, as_: str, dialect: str = "bigquery") -> Case:
    """A value of each day, and how it is written."""
    return Case(name, days(value), (f" {as_} as v ",), dialect)


def grouped(name: str, value: str, window: str, dialect: str = "bigquery") -> Case:
    """What a model groups by, and the window that it is."""
    model = f"select {value} as g, count(*) as n from e group by 1"
    return Case(name, model, (f"group by {window}",), dialect)


def apart(unit: str, limit: str) -> str:
    """Sessions by the datediff of dbt."""
    return sessions(
        start=f"case when {{{{ dbt.datediff('before', 'at', '{unit}') }}}} {limit} "
        "then 1 else 0 end"
    )


ABOVE = "at > before + interval 1 hour"
GAP = "session_window(at, "
MONTHS = "calendar_window(at, 'month')"
LAST = "select d, sum(amount) as s from a group by d"
CASES = [
    Case("an item before a column", "select k + 1 as k, date(at) as d, count(*) as n from e "
         "group by k, d", ("group by k + 1, calendar_window(at, 'day')",), "bigquery"),
    Case("a column before an item", "select k + 1 as k, date(at) as d, count(*) as n from e "
         "group by k, d", ("group by k, calendar_window(at, 'day')",), "snowflake"),
    Case("an item that reads its own name", "select lower(country) as country, date(at) as d, "
         "max(at) as at from e group by 1, 2",
         ("max(at) as at", "group by lower(country), calendar_window(at, 'day')")),
    *(Case(f"{word} as a column of {source}",
           f"with a as (select {star}, date(at) as d from {source}) "
           f"select d, a.`{word}` as x, count(*) as n from a group by 1, 2",
           (f" `{word}` as x,", f"group by `{word}`,"), dialect)
      for word in ("from", "true", "null", "qualify", "Two words")
      for star, source in (("*", "e"), ("e.*", "{{ ref('e') }} as e"))
      for dialect in ("spark", "bigquery")),
    Case("a word behind its table", "select date(e.at) as d, e.`true` as x, count(*) as n from e "
         "group by 1, 2", ("`true` as x,", "group by `true`,")),
    Case("a word with fields", "select date(e.at) as d, e.`null`.`from` as x, count(*) as n from e "
         "group by 1, 2", ("`null`.`from` as x,", "group by `null`.`from`,")),
    Case("a word that needs no quotes behind a dot", "select date(e.at) as d, e.from as x, "
         "count(*) as n from e group by 1, 2", ("`from` as x,", "group by `from`,")),
    Case("a word as the key of sessions", sessions().replace(
         "by k", "by `from`").replace("select k", "select `from` as k"),
         ("group by `from`, session_window(at, '30 minutes')",)),
    *(Case(f"user as {name}", f"select {name} as x, date(at) as d, count(*) as n from e "
           f"group by {name}, 2", (f" {alone} as x,", f"group by {alone},"), dialect)
      for name, alone in (("user", "user"), ("`user`", "`user`"), ("e.user", "user"),
                          ("user.id", "user.id"), ("e.user.id", "user.id"))
      for dialect in ("spark", "bigquery")),
    Case("user.id of windows", "select user.id, count(*) as n from e group by user.id, "
         "session_window(at, '1 hour')", ("select user.id,", "group by user.id, session_window(")),
    Case("a column with the name of a function", "select e.`current_date` as x, date(at) as d, "
         "count(*) as n from e group by 1, 2", ("e.`current_date` as x,", "by e.`current_date`,")),
    # times
    Case("a cast in lag", sessions(lag="lag(cast(s as timestamp)) over (partition by k order by s)",
         start="if(cast(s as timestamp) > before + interval 1 hour, 1, 0)",
         number="sum(is_start) over (partition by k order by cast(s as timestamp))"),
         ("session_window(cast(s as timestamp), '1 hour')",)),
    Case("a text as a time below", sessions(source="(select *, to_timestamp(s) as at from e)"),
         ("session_window(at, '30 minutes')",)),
    Case("a cast that may fail", "select date(try_cast(s as timestamp)) as d, count(*) as n from e "
         "group by 1", ("calendar_window(try_cast(s as timestamp), 'day')",)),
    Case("a sign that casts", f"with a as (select +word as amount, date(at) as d from e) {LAST}",
         ("sum(+word) as s",)),
    Case("a cast that must not fail", "select cast(cast(s as timestamp) as date) as d, "
         "count(*) as n from e group by 1", ("calendar_window(cast(s as timestamp), 'day')",)),
    # dates of truncated times
    grouped("the date of a month", "date(timestamp_trunc(at, month))", MONTHS),
    grouped("of a month without a zone", "date(datetime_trunc(at, month))", MONTHS),
    grouped("the date of a month in Spark", "to_date(date_trunc('month', at))", MONTHS, "spark"),
    grouped("the date of a month in Snowflake", "to_date(date_trunc('month', at))", MONTHS,
            "snowflake"),
    *(Case(f"{value} as a time", f"select cast({value} as timestamp) as g, count(*) as n from e "
           "group by 1", (f"select cast({start} as timestamp) as g", f"group by {window}"))
      for value, start, window in (
          ("date_trunc('hour', at)", "window.start", "window(at, '1 hour')"),
          ("date_trunc('day', at)", "calendar_window.start", "calendar_window(at, 'day')"),
          ("date(at)", "cast(calendar_window.start as date)", "calendar_window(at, 'day')"))),
    grouped("the date of a month as a time", "date(cast(date_trunc('month', at) as timestamp))",
            MONTHS, "spark"),
    Case("one unit twice", "select date_trunc('hour', at) as h, count(*) as n from e group by 1, "
         "date_trunc('hour', at)", ("group by window(at, '1 hour')",)),
    grouped("the month of a date", "date_trunc('month', cast(at as date))", MONTHS, "spark"),
    grouped("the date by extract", "extract(date from at)", "calendar_window(at, 'day')"),
    grouped("the date of a zone by extract", "extract(date from at at time zone 'Asia/Tokyo')",
            "calendar_window(at, 'day', time_zone => 'Asia/Tokyo')"),
    grouped("the date of an hour", "date(timestamp_trunc(at, hour))",
            "calendar_window(at, 'day')"),
    grouped("the date of a quarter", "date(time_slice(at, 15, 'minute'))",
            "calendar_window(at, 'day')", "snowflake"),
    grouped("a zone of both", "date(timestamp_trunc(at, month, 'Asia/Tokyo'), 'Asia/Tokyo')",
            "calendar_window(at, 'month', time_zone => 'Asia/Tokyo')"),
    grouped("UTC of both", "cast(timestamp_trunc(at, month, 'UTC') as date)",
            "calendar_window(at, 'month', time_zone => 'UTC')"),
    grouped("the date of a text", "date(to_date(s, 'dd/MM/yyyy'))",
            "calendar_window(to_date(s, 'dd/MM/yyyy'), 'day')", "spark"),
    Case("the date of a month below", "with a as (select timestamp_trunc(at, month) as m, amount "
         "from e), b as (select * from a where amount > 1) select date(m) as d, count(*) as n "
         "from b group by 1", (f"from e where amount > 1 group by {MONTHS}",), "bigquery"),
    Case("an hour below", "with a as (select *, date_trunc('hour', at) as h from e) "
         "select date_trunc('year', h) as y, count(*) as n from a group by 1",
         ("from a group by calendar_window(h, 'year')",)),
    Case("a coalesce for the ELSE", sessions(start="coalesce(case when at <= before + interval 1 "
         "hour then 0 end, null, 1)"), ("session_window(at, '1 hour')",)),
    Case("the first constant of a coalesce", sessions(start="coalesce(case when at > before + "
         "interval 1 hour then 1 end, 0, 1)"), ("session_window(at, '1 hour')",)),
    Case("a coalesce of a coalesce", sessions(start="coalesce(cast(coalesce(case when at <= before "
         "+ interval 1 hour then 0 end, null) as int), 1)"), ("session_window(at, '1 hour')",)),
    Case("a coalesce of what a flag is asked for", sessions(start="case when at <= before + "
         "interval 1 hour then 0 end", number="count_if(coalesce(is_start = 1, true)) over "
         "(partition by k order by at)"), ("session_window(at, '1 hour')",)),
    Case("the first of a start that is carried on", sessions(number="last_value(case when is_start "
         f"= 1 then at end, true) {OVER}", last="select k, min(number) as since, count(*) as n "
         "from numbered group by k, number"), ("session_window.start as since",)),
    *(Case(f"several ids: {ids}", sessions(
        number=f"{NUMBER} as sid, last_value(case when is_start = 1 then at end, true) {OVER} as "
        f"since, last_value(case when is_start = 1 then id end, true) {OVER}",
        last=f"select k, {ids}, count(*) as n from numbered group by {ids}, k"),
        (", ".join(["select k", *(pieces[one] for one in ids.split(", ") if one in pieces),
                    "count(*) as n"]),))
      for pieces in [{"since": "session_window.start as since",
                      "number": "min_by(id, at) as number"}]
      for ids in ("since, number", "number, since", "since, sid", "sid, since", "sid, number")),
    Case("a start of another type beside a number", sessions(
        lag="lag(cast(at as timestamp_ntz)) over (partition by k order by cast(at as "
        f"timestamp_ntz)) as at_before, {LAG}",
        number=f"{NUMBER} as sid, last_value(case when cast(at as timestamp_ntz) > at_before + "
        "interval 30 minutes then cast(at as timestamp_ntz) end, true) "
        + OVER.replace("by at", "by cast(at as timestamp_ntz)"),
        last="select k, number as since, count(*) as n from numbered group by k, sid, number"),
         ("min_by(cast(at as timestamp_ntz), at) as since", "session_window(at, '30 minutes')")),
    Case("a start of another type", sessions(number="last_value(case when is_start = 1 then "
         f"cast(at as timestamp_ntz) end, true) {OVER}", last="select k, number as since, count(*) "
         "as n from numbered group by k, number"),
         ("min_by(cast(at as timestamp_ntz), at) as since", "session_window(at, '30 minutes')")),
    Case("a start that is a text", sessions(
        lag=LAG.replace("at", "cast(at as timestamp)"),
        start="if(cast(at as timestamp) > before + interval 30 minutes, 1, 0)",
        number=f"last_value(case when is_start = 1 then at end, true) {OVER}",
        last="select k, number as since, count(*) as n from numbered group by k, number"),
         ("min_by(at, cast(at as timestamp)) as since", "session_window(cast(at as timestamp),")),
    Case("a flag that is 1", sessions(number="count_if(is_start = 1) over (partition by k order by "
         "at)"), ("session_window(at, '30 minutes')",)),
    Case("a flag that is true", sessions(number="last_value(case when true = is_start then at end) "
         "ignore nulls over (partition by k order by at)", start="before is null or at > before + "
         "interval 1 hour"), ("session_window(at, '1 hour')",)),
    Case("an order beside a name", sessions(number="sum(is_start) over (w order by at)").replace(
        "from starts", "from starts window w as (partition by k)"),
         ("session_window(at, '30 minutes')",)),
    # flags in the ELSE
    *(Case(f"{flag} with a flag in its ELSE", sessions(start=flag, number=f"{count} {OVER}"),
           ("session_window(at, '1 hour')",))
      for flag, count in (
          (f"if(before is null, 1, if({ABOVE}, 1, 0))", "sum(is_start)"),
          (f"case when before is null then 1 else case when {ABOVE} then 1 end end",
           "sum(is_start)"),
          (f"case when before is null then true else {ABOVE} end", "count_if(is_start)"),
          (f"case when before is null then 1 else cast({ABOVE} as int) end", "sum(is_start)"))),
    # epochs of which the one before is taken
    *(Case(f"{epochs} before", sessions(
          lag=f"lag({epochs}) {OVER}",
          start=f"case when before is null or {epochs} - before > {limit} then 1 else 0 end"),
           ("session_window(at, '30 minutes')",), dialect)
      for epochs, limit, dialect in (
          ("unix_timestamp(at)", 1800, "spark"), ("cast(at as bigint)", 1800, "spark"),
          ("unix_micros(at)", 1800000000, "spark"), ("unix_seconds(at)", 1800, "bigquery"),
          ("date_part('epoch_second', at)", 1800, "snowflake"))),
    *(Case("a number before", sessions(
        lag="lag(timestamp_micros(x)) over (partition by k order by x)",
        start="case when timestamp_micros(x) > before + interval 30 minute then 1 else 0 end",
        number="sum(is_start) over (partition by k order by x)"),
        ("session_window(timestamp_micros(x), '30 minutes')",), dialect)
      for dialect in ("bigquery", "spark")),
    # the SQL of other warehouses
    written("decimals", "sum(cast(x as numeric))", "sum(cast(x as decimal(38, 9)))"),
    written("numeric", "max(numeric '1.19')", "max(cast('1.19' as decimal(38, 9)))"),
    written("seconds", "max(timestamp_seconds(s))", "max(timestamp_seconds(s))"),
    written("in the order of time", "array_agg(url order by at)", "collect_list(url)"),
    written("in the order of time in Snowflake", "array_agg(url) within group (order by at)",
            "collect_list(url)", "snowflake"),
    written("without nulls", "array_agg(url ignore nulls order by at)", "collect_list(url)"),
    written("decimals in the order of time", "array_agg(cast(x as numeric) order by at)",
            "collect_list(cast(x as decimal(38, 9)))"),
    written("the last one", "array_agg(url order by at desc)[safe_offset(0)]", "max_by(url, at)"),
    written("the first one", "array_agg(url order by at limit 1)[ordinal(1)]", "min_by(url, at)"),
    written("the first one but null", "array_agg(url ignore nulls order by at limit 1)[offset(0)]",
            "min_by(url, at) filter(where not url is null)"),
    written("the last one or null", "array_agg(url respect nulls order by at desc)[offset(0)]",
            "max_by(url, at)"),
    written("whole matches", "count_if(rlike(url, 'shop'))",
         r"count_if(regexp_like(url, '\\A(?:shop)\\z'))", "snowflake"),
    written("first matches", "max(regexp_extract(a, 'b+'))", "max(regexp_extract(a, 'b+', 0))"),
    written("days of weeks", "max(extract(dayofweek from b))", "max(extract(DAYOFWEEK from b))"),
    written("parts of times in Snowflake", "max(date_part('hour', b))", "max(extract(hour from b))",
            "snowflake"),
    written("days of years", "max(extract(dayofyear from b))", "max(extract(doy from b))"),
    written("percentiles", "percentile_cont(0.5) within group (order by x desc)",
         "percentile_cont(0.5) WITHIN GROUP (order by x desc)", "snowflake"),
    written("texts in the order of time", "listagg(url, ',') within group (order by at)",
            "listagg(url, ',') WITHIN GROUP (order by at)", "snowflake"),
    written("texts in their own order", "listagg(distinct k, ',') within group (order by k desc)",
            "listagg(distinct k, ',') WITHIN GROUP (order by k desc)", "snowflake"),
    written("days of ISO weeks", "max(dayofweekiso(b))", "max(( weekday(b) + 1 ))", "snowflake"),
    written("keys of dbt_utils in BigQuery", "max({{ dbt_utils.generate_surrogate_key(['k']) }})",
            "max(md5(cast(concat(coalesce(cast(k as string), '_dbt_utils_surrogate_key_null_')) "
            "as string)))"),
    written("units of dates", "max(date_trunc(date(b), day))", "max(cast(date(b) as date))"),
    written("hours by date_trunc", "max(date_trunc(b, hour))", "max(date_trunc('HOUR', b))"),
    written("days of dates", "max(date_trunc('day', b::date))", "max(cast(b as date))",
            "snowflake"),
    written("months of dates", "max(date_trunc('month', to_date(b)))",
            "max(trunc(to_date(b), 'MONTH'))", "snowflake"),
    written("days between dates", "max(b::date - c::date)",
            "max(datediff(cast(b as date), cast(c as date)))", "snowflake"),
    written("whole numbers", "max(cast(x as int))", "max(cast(x as bigint))"),
    written("whole numbers of Snowflake", "sum(x)::int", "cast(sum(x) as bigint)", "snowflake"),
    written("constants with places", "sum(x) * 100.0 / count(*)", "sum(x) * 100.0e0 / count(*)"),
    written("constants as decimals", "max(numeric '1.5') * 1e3",
            "max(cast('1.5' as decimal(38, 9))) * 1e3"),
    written("any value but null", "any_value(url)", "any_value(url) IGNORE NULLS"),
    written("the largest but null", "max_by(url, score)",
            "max_by(url, score) filter(where not url is null)"),
    written("a place from 0", "max(a[offset(depth)])", "max(a[depth])"),
    written("a place from 0 or none", "max(a[safe_offset(0 + x)])", "max(get(a, 0 + x))"),
    written("a place from 1", "max(a[ordinal(depth)])", "max(a[depth - 1])"),
    written("a place from 1 or none", "max(a[safe_ordinal(x + 1)])", "max(get(a, ( x + 1 ) - 1))"),
    written("constants as places", "max(a[offset(3)] + a[safe_ordinal(2)])",
            "max(a[3] + get(a, 1))"),
    written("constants beyond INT", "countif(v > 30 * 24 * 60 * 60 * 1000)",
            "count_if(v > 30 * 24 * 60 * 60 * 1000L)"),
    written("constants within INT", "countif(v + 1 > 24 * 60 * 60)",
            "count_if(v + 1 > 24 * 60 * 60)"),
    written("products with constants", "max(extract(hour from b) * 3600 * -1000000)",
            "max(extract(HOUR from b) * 3600L * -1000000)"),
    written("products with constants in brackets", "max(length(s) * (60 * 60) + 1000000)",
            "max(length(s) * ( 60 * 60L ) + 1000000)"),
    written("products that are longer", "sum(v) * 100 + count(*) * 7",
            "sum(v) * 100 + count(*) * 7"),
    written("large constants that are added", "max(v - 1000000)", "max(v - 1000000L)", "snowflake"),
    written("weeks in days", "max(-7 * v + b::date)", "max(-7 * v + cast(b as date))", "snowflake"),
    written("weeks that may be added to dates", "max(last_day(d) + 7 * n - 100000 * v)",
            "max(last_day(d) + 7 * n - 100000L * v)", "snowflake"),
    written("a few of what is counted", "max(v * 2 + 7 * n)", "max(v * 2L + 7L * n)", "snowflake"),
    grouped("a time of a text of a length", "date_trunc('hour', cast(cast(x as varchar(19)) as "
            "timestamp))", "window(cast(cast(x as varchar(19)) as timestamp), '1 hour')", "spark"),
    Case("sessions by a text of a length",
         sessions(*(part.replace("partition by k", "partition by cast(k as varchar(10))")
                    for part in (LAG, START, NUMBER)),
                  last="select cast(k as varchar(10)) as k, count(*) as n from numbered "
                  "group by 1, number"),
         ("group by cast(k as varchar(10)), session_window(at, ",), "spark"),
    written("sizes of arrays", "max(array_length(a))", "max(array_size(a))"),
    written("sizes of arrays in Snowflake", "max(array_size(a))", "max(array_size(a))",
            "snowflake"),
    written("logarithms", "max(log10(x) + log(x, 2) + log(x, 3))",
            "max(log10(x) + log2(x) + log(3, x))"),
    written("a number of a text", "max(+url)", "max(positive(url))", "snowflake"),
    written("a number", "max(+1)", "max(1)", "snowflake"),
    written("hashes", "max(sha2(url))", "max(sha2(url, 256))", "snowflake"),
    written("dates that may be none", "max(try_to_date(s))", "max(try_to_date(s))", "snowflake"),
    Case("rows with an empty array", "select date(at) as d, p.key as id, o, count(*) as n from e "
         "left join unnest(params) as p with offset as o group by 1, 2, 3",
         ("from e lateral view outer posexplode(params) _p as o, p group by",), "bigquery"),
    Case("rows of arrays in their order", "select date(at) as d, q.x as x, count(*) as n from e, "
         "unnest(items) as p left join unnest(p.parts) as q left join t on t.k = e.k group by 1, 2",
         ("from e left join t on t.k = e.k lateral view explode(items) _p as p "
          "lateral view outer explode(p.parts) _q as q group by",), "bigquery"),
    Case("the place of a row of an array", "select date(at) as d, max(prices[safe_offset(o)]) as v "
         "from e, unnest(items) as i with offset as o group by 1", ("max(get(prices, o)) as v",),
         "bigquery"),
    # what a truncated time is
    Case("a month of a time", "select date_trunc(at, month) as m, count(*) as n from e group by 1",
         ("select calendar_window.start as m",), "bigquery"),
    Case("a month of a zone", "select date_trunc(at, month, 'Asia/Tokyo') as m, count(*) as n from "
         "e group by 1", ("select calendar_window.start as m", "time_zone => 'Asia/Tokyo'"),
         "bigquery"),
    Case("a month of a date", "select date_trunc(date(at), month) as m, count(*) as n from e group "
         "by 1", ("select cast(calendar_window.start as date) as m",), "bigquery"),
    Case("a month of a date in Snowflake", "select date_trunc('month', to_date(at)) as m, count(*) "
         "as n from e group by 1", ("select cast(calendar_window.start as date) as m",),
         "snowflake"),
    Case("a month by trunc", "select trunc(at, 'month') as m, count(*) as n from e group by 1",
         ("select calendar_window.start as m",), "snowflake"),
    Case("recursive by word alone", "with recursive a as (select date(at) as d from e where k > "
         "1), b as (select * from a) select d, count(*) as n from b group by d",
         ("select cast", "from e where k > 1")),
    # filters
    Case("a filter above a date", "with a as (select date(at) as d, v + 1 as id from t where x or y"
         "), b as (select * from a where id > 5) select d, count(*) as n from b where d > '2024' "
         "or d is null group by 1",
         ("where ( x or y ) and ( v + 1 ) > 5 and ( date(at) > '2024' or date(at) is null ) ",)),
    # letters
    written("keys of maps", "max(concat(attrs.DATE, attrs.END, attrs.Range))",
            "max(concat(attrs.DATE, attrs.END, attrs.Range))", "spark"),
    # items that are named in others
    Case("items before", "with a as (select k, at, lag(at) over (partition by k order by at) as b, "
         "timestampdiff(second, b, at) as gap, if(gap > 9, 1, 0) as s from (select k, at from e) "
         "e), n as (select k, at, sum(s) over (partition by k order by at) as n from a) select k, "
         "min(at) as s, max(at) as e, timestampdiff(second, s, e) as d from n group by k, n "
         "having d > 5 and s > '2024'",
         ("timestampdiff(second, session_window.start, max(at)) as d",
          "session_window(at, '9.999999",
          "having timestampdiff(second, min(at), max(at)) > 5 and min(at) > '2024'")),
    Case("an item before among columns", "with a as (select date_trunc('hour', at) as h, v * 2 as "
         "v, v + 1 as w, -w as x, date(h) as d from e) select d, sum(w) as w, sum(x) as x from a "
         "group by d", ("sum(v + 1) as w, sum(-( v + 1 )) as x", "calendar_window(at, 'day')")),
    Case("a column that WHERE names", "with a as (select date(at) as d, v * 2 as w, w + 1 as x "
         "from e where w > 1) select d, sum(x) as x from a group by d", ("sum(w + 1) as x",)),
    Case("an item that WHERE names", "select date(at) as d, count(*) as n from e where d > '2024' "
         "group by 1", ("where to_date(at) > '2024'",), "snowflake"),
    Case("no items in BigQuery", "with a as (select date(at) as d, v * 2 as w, w + 1 as x from e) "
         "select d, sum(x) as x from a group by d", ("sum(w + 1) as x",), "bigquery"),
    Case("items in HAVING", "with a as (select k, date(at) as d, v + 1 as v from e) select k, d, "
         "max(v) as v from a group by k, d having v > 2", ("having max(v + 1) > 2",)),
    Case("a grouped column in HAVING", "with a as (select k, date(at) as d from e) select d, "
         "upper(k) as k from a group by k, d having k > 'a'", ("having k > 'a'",)),
    Case("fields by names", "with a as (select v / 9 as amount, at, date(at) as d from e) "
         "select d, max(struct(at, amount)).amount as v from a group by d",
         ("max(struct(at, v / 9 as amount)).amount",)),
    Case("fields by names in BigQuery", "with a as (select v / 9 as amount, at, date(at) as d "
         "from e) select d, max(struct(at, amount)) as v from a group by d",
         ("max(struct(at, v / 9 as amount))",), "bigquery"),
    Case("the hour of a row", "select date_trunc('hour', at) as h, max(date_trunc('hour', at)) as "
         "m from e group by 1", ("window.start as h", "max(date_trunc('hour', at)) as m")),
    Case("numbers from 1", sessions(number=f"1 + {NUMBER}", last="select k, number, concat(k, '-', "
         "number) as id from numbered group by k, number"),
         ("select k, concat(k, '-', 1 + unix_micros(session_window.start)) as id",)),
    Case("numbers that are cast", sessions(number=f"cast({NUMBER} as int)", last="select k, number "
         "as nth, max(number) + 1 as next, concat(k, '-', number) as id, int(number) || k as other "
         "from numbered group by k, number"),
         ("select k, concat(k, '-', unix_micros(session_window.start)) as id, "
          "unix_micros(session_window.start) || k as other from",)),
    # lengths
    grouped("starts of slices", "time_slice(at, 15, 'minute', 'START')", "window(at, '15 minutes')",
            "snowflake"),
    Case("a computed length", "select timestamp_bucket(at, interval 5 * 3 minute) as b, "
         "count(*) as n from e group by 1", ("window(at, '15 minutes')",), "bigquery"),
    Case("more than dbt's minutes", apart("minute", "> 30"), (f"{GAP}'30 minutes')",)),
    Case("some of dbt's minutes", apart("minute", ">= 30"), (f"{GAP}'29 minutes')",)),
    Case("dbt's hours", apart("hour", "> 1"), (f"{GAP}'1 hour')",)),
    Case("half a minute of dbt's", apart("minute", "> 30.5"), (f"{GAP}'30 minutes')",)),
    Case("dbt's minutes as seconds", apart("minute", "* 60 > 1800"), (f"{GAP}'30 minutes')",)),
    Case("dbt's minutes in BigQuery", apart("minute", "> 30"), (f"{GAP}'30 minutes')",),
         "bigquery"),
    Case("dbt's minutes in Snowflake", apart("minute", "> 30"), (f"{GAP}'30 minutes')",),
         "snowflake"),
    Case("small factors", sessions(start="if((unix_micros(at) - unix_micros(before)) * 1e-7 > 180,"
         " 1, 0)"), ("session_window(at, '30 minutes')",)),
    Case("other small factors", sessions(start="if((unix_millis(at) - unix_millis(before)) * "
         "0.0000006 > 1.08, 1, 0)"), ("session_window(at, '30 minutes')",)),
    # brackets of calls that are operators in Spark
    written("a quotient of a difference", "div(unix_seconds(max(at)) - unix_seconds(min(b)), 60)",
            "( unix_seconds(max(at)) - unix_seconds(min(b)) ) div 60"),
    written("a product of a quotient", "300 * div(sum(a), 300)", "300L * ( sum(a) div 300 )"),
    written("quotients of sums", "sum(div(a + 1, b - 1))", "sum(( a + 1 ) div ( b - 1 ))"),
    written("a quotient below", "sum(c / div(a, b))", "sum(c / ( a div b ))"),
    written("quotients of quotients", "sum(div(div(a, b), div(c, d)))",
            "sum(a div b div ( c div d ))"),
    written("a rest in a product", "sum(a * mod(b, c))", "sum(a * ( b % c ))"),
    written("a quotient with a sign", "max(-div(a, b))", "max(-( a div b ))"),
    written("a time before a time", "max(a - timestamp_sub(at, interval 5 minute))",
            "max(a - ( at - interval '5' MINUTE ))"),
    Case("a quotient in GROUP BY", "select 300 * div(k, 300) as k, date(at) as d, count(*) as n "
         "from e group by 1, 2", ("group by 300L * ( k div 300 ),",), "bigquery"),
    written("a sum of bits", "sum(bitand(f, 1) + bitand(f, 2))", "sum(( f & 1 ) + ( f & 2 ))",
            "snowflake"),
    written("a product of bits", "max(bitxor(a, b) * c)", "max(( a ^ b ) * c)", "snowflake"),
    written("bits of bits", "max(bitand(a, bitor(b, c)))", "max(a & ( b | c ))", "snowflake"),
    written("other bits", "max(bitnot(bitand(a, b)))", "max(~( a & b ))", "snowflake"),
    written("bits turned over twice", "max(bitnot(bitnot(a)))", "max(~( ~a ))", "snowflake"),
    written("bits that are compared", "count_if(bitand(f, 4) = 4)", "count_if(f & 4 = 4)",
            "snowflake"),
    written("bits in levels", "max(a | b & c ^ d)", "max(a | b & c ^ d)"),
    written("bits in brackets", "max((a | b) & (c ^ d))", "max(( a | b ) & ( c ^ d ))"),
    written("shifts of bits", "max(a & b << 2)", "max(a & shiftleft(b, 2))"),
    written("bits in Spark", "max((a | b) & c ^ d)", "max(( a | b ) & c ^ d)", "spark"),
    written("an interval of several units", "max(at - interval 5 hours 30 minutes)",
            "max(at - interval '5' HOURS '30' MINUTES)", "spark"),
    written("one between times", "count_if(a between b - interval 1 hour 30 minutes and b)",
            "count_if(a between b - interval '1' HOUR '30' MINUTES and b)", "databricks"),
    written("one with its texts", "max(at + interval '1' day '2' hours)",
            "max(at + interval '1' DAY '2' HOURS)", "spark"),
    written("a sum of intervals", "max(at - (interval 5 hours + interval 30 minutes))",
            "max(at - ( interval '5' HOURS + interval '30' MINUTES ))", "spark"),
    written("a constant with its sign", "max(-1::string)", "max(cast(-1 as string))", "spark"),
    written("a sign before a cast", "max(-(1)::string || -a::int)",
            "max(-cast(( 1 ) as string) || -cast(a as int))", "spark"),
    # names
    Case("an item in HAVING", "select date(at) as d, sum(v) as v from e group by 1 having v > 1",
         ("sum(v) as v", "having sum(v) > 1")),
    Case("replaced in a star", "with a as (select * replace (amount / 100 as amount), "
         f"date(at) as d from e) {LAST}", ("sum(amount / 100) as s",), "bigquery"),
    Case("replaced in the star of a table", "with a as (select e.* replace (cents as amount), "
         f"date(at) as d from e) {LAST}", ("sum(cents) as s",), "bigquery"),
    Case("the star of a table beside another", "with a as (select e.*, d.v as w, date(e.at) as d "
         f"from e {JOIN}) select k, d, sum(v) as v, max(w) as w from a where x > 1 group by 1, 2",
         ("select e.k as k,", "sum(e.v) as v, max(d.v) as w", "where e.x > 1 group by e.k,")),
    Case("names alone beside the star of a table", "with a as (select e.*, d.w, lag(at) over "
         f"(partition by u order by at) as before from e {JOIN}), b as (select *, sum(case when at "
         "> before + interval 1 hour then 1 end) over (partition by u order by at) as n from a) "
         "select u, sum(v) as v from b group by u, n",
         ("select u, sum(e.v) as v", "group by u, session_window(at, '1 hour')")),
    Case("renamed in a star", "with a as (select * rename (amount as amt, cents as amount), "
         f"date(at) as d from e) {LAST}", ("sum(cents) as s",), "snowflake"),
    Case("the columns of a CTE", "with x(k, at) as (select * from raw) select k, date(at) as d, "
         "count(*) as n from x group by 1, 2", ("with x(k, at) as", "from x")),
    Case("an inner CTE", "with src as (select * from t), b as (with src as (select * from u) "
         "select k, date(at) as d from src) select d, count(*) as n from b group by d",
         ("with src as ( select * from u ) select", "from src")),
    Case("a table with the name of a later CTE", "with a as (select k, date(at) as d from b), "
         "b as (select * from t) select d, count(*) as n from a group by d", ("from b",)),
]  # fmt: skip


def test_what_would_be_read_in_another_way_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialects, "in_brackets", lambda node, _: node)
    with pytest.raises(NotUnderstoodError, match="binds operators in another way"):
        convert(days("sum(div(a + 1, b))"), "bigquery")
    assert "a div b" in convert(days("sum(div(a, b))"), "bigquery").sql


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_meaning(case: Case) -> None:
    line = " ".join(convert(case.model, case.dialect).sql.split())
    after = 0
    for piece in case.pieces:
        assert piece in line[after:], line
        after = line.index(piece, after) + len(piece)
