"""Models that are not converted: the clause and line that are named, and words of the reason."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    name: str
    model: str
    clause: str
    line: int
    reason: str
    dialect: str | None = None


START = "case when at > before + interval 30 minutes then 1 else 0 end"
OVER = "over (partition by k order by at)"
LAG = f"lag(at) {OVER}"
IGNORING = f"lag(at) ignore nulls {OVER}"
NUMBER = "sum(is_start) over (partition by k order by at)"
NUMBERED = f"(select *, row_number() {OVER} as i from events)"
LAST = "select k, count(*) as n from numbered group by k, number"


def starts_where(null: str) -> str:
    """A flag that asks whether something is null, as for the first row."""
    return START.replace("when", f"when {null} is null or")


def sessions(
    lag: str = LAG,
    start: str = START,
    number: str = NUMBER,
    last: str = LAST,
    source: str = "events",
    then: str = "",
) -> str:
    """Sessions by hand: line 1 looks back, 2 marks starts, 3 numbers, 4 groups."""
    return (
        f"with previous as (select *, {lag} as before from {source}),\n"
        f"starts as (select *, {start} as is_start from previous{then}),\n"
        f"numbered as (select *, {number} as number from starts)\n{last}"
    )


def days(value: str) -> str:
    """A value of each day, in line 2."""
    return f"select date(at) as d,\n{value} as v from e group by 1"


NOT_UNDERSTOOD = [
    Case("no unit", "select date_trunc() as t, count(*) as n from e group by t",
         "GROUP BY", 1, "nothing that it groups by is a session"),
    Case("cut off", "select k, timestamp_trunc(at, week(", "text", 1, "read as SQL", "bigquery"),
    Case("a hint in a comment", "select date(at) as d, count(*) as n from e /* or /*+ all */\n"
         "where not is_bot -- */\ngroup by 1", "text", 3, "it ends at the first */"),
    Case("a comment that goes on", "select date(at) as d, count(*) as n -- ends \\\nfrom e\n"
         "group by 1", "text", 2, "ends with a backslash"),
    # Jinja
    Case("loop", "{% for c in cols %}{{ c }}{% endfor %}", "Jinja", 1, "the text does not say"),
    Case("other condition", "select 1\n{% if target.name == 'dev' %}\n{% endif %}", "Jinja", 2,
         "the text does not say"),
    Case("set of a call", "\n{% set cols = run_query('x') %}", "Jinja", 2, "does not say"),
    Case("a filter on what is set", "{% set cut = 'a' %}\nselect '{{ cut | upper }}'", "Jinja", 2,
         "what is set as cut is used here"),
    Case("a macro with what is set", "{% set cut = 'a' %}\nselect {{ my_macro(cut) }}", "Jinja", 2,
         "what is set as cut is used here"),
    Case("a default of what is set", "{% set n = 2 %}\nselect {{ var('gap', n * 15) }}", "Jinja", 2,
         "what is set as n is used here"),
    Case("open if", "select 1\n{% if is_incremental() %}\nwhere x", "Jinja", 3, "not closed"),
    Case("elif", "{% if is_incremental() %}\n{% elif a %}{% endif %}", "Jinja", 2, "does not say"),
    Case("Jinja behind a relation",
         "select k, date(ts) as d, count(*) as n from views\n{{ limit_dev() }}\ngroup by 1, 2",
         "Jinja", 2, "behind what it follows"),
    Case("Jinja over a column that is made below", sessions(source="raw", lag=f"amount / 100 as "
         f"amount, {LAG}", last="select k, sum({{ cents('amount') }}) as n\nfrom numbered "
         "group by k, number"), "Jinja", 4, "may name columns"),
    Case("Jinja behind a name", sessions(last="select k,\nsum(numbered.{{ amount }}) as n "
         "from numbered group by k, number"), "Jinja", 5, "may name columns"),
    Case("Jinja in a name", sessions(source="raw", lag=f"amount / 100 as amount_usd, {LAG}",
         last="select k, sum(amount_{{ currency }}) as n\nfrom numbered group by k, number"),
         "Jinja", 4, "may name columns"),
    Case("own table", "select * from\n{{ this }}", "Jinja", 2, "reads its own table"),
    # the text
    Case("no SQL", "select k,\nfrom (x", "text", 2, "cannot be read as SQL"),
    Case("open string", "select 'a", "text", 1, "is not closed"),
    Case("a call that sqlglot stumbles over", "select date(at) as d, date_sub(, b) as e from t "
         "group by 1", "text", 1, "read as SQL", "bigquery"),
    Case("a sign before a name", "select +k as k,\ncount(*) over (order by +k) as n from e",
         "SELECT", 2, "a row for each event"),
    Case("lost word", "select date(at) as d, count(*) as n\nfrom a tablesample bernoulli (5)\n"
         "group by 1", "text", 2, "not understood"),
    Case("two statements", "select 1; select 2", "text", 1, "not one SELECT"),
    Case("union", "select 1 union all select 2", "text", 1, "not one SELECT"),
    Case("names of fields", "with a as (select v / 9 as amount, at, date(at) as d from e) select "
         "d,\nmax((at, amount)) as v from a group by d", "SELECT", 2,
         "a field here has the name of 'amount'"),
    Case("the name of a field in brackets", "with a as (select v / 9 as amount, date(at) as d from "
         "e) select d,\nmax(struct((amount))) as v from a group by d", "SELECT", 2,
         "a field here has the name of 'amount'"),
    Case("who reads", "select current_user as u, date(at) as d, count(*) as n from e group by 1, 2",
         "SELECT of the converted text", 2, "depends on who runs the refresh"),
    # what is grouped by
    Case("a row for each event", sessions(last="select *, number as n\nfrom numbered"), "SELECT", 3,
         "a row for each event"),
    Case("an id from elsewhere", "select domain_sessionid, count(*) as n\nfrom events\n"
         "group by domain_sessionid", "GROUP BY", 3, "nothing that it groups by"),
    Case("an id from a join", "select s.id, count(*) as n from events e\njoin s on s.k = e.k\n"
         "group by s.id", "GROUP BY", 3, "nothing that it groups by"),
    Case("sessions by day", sessions(last="select date(a) as d, avg(n) as n from (\n"
         "select k, min(at) as a, count(*) as n from numbered group by k, number) s\ngroup by 1"),
         "GROUP BY", 6, "are grouped again here"),
    Case("sessions by key", sessions(last="select k, avg(n) as n from (\n"
         "select k, count(*) as n from numbered group by k, number) s\ngroup by k"),
         "GROUP BY", 6, "are grouped again here"),
    Case("number of sessions", sessions(last=", s as (select k, count(*) as n from numbered "
         "group by k, number)\nselect count(*) as sessions from s"), "SELECT", 5,
         "are grouped again here"),
    Case("keys of days", "select\ncount(distinct k) as n from (select k, date(at) as d from e "
         "group by 1, 2)", "SELECT", 2, "are grouped again here"),
    Case("number without its key", sessions(last="select count(*) as n\nfrom numbered\n"
         "group by number"), "GROUP BY", 6, "repeat for each key"),
    Case("another column", sessions(last="select k, c, count(*) as n\nfrom numbered\n"
         "group by k, c, number"), "GROUP BY", 6, "one session can be several rows"),
    Case("two kinds of sessions", sessions(
        number=f"{NUMBER} as other, sum(case when at > before + interval 1 hour then 1 else 0 end) "
        "over (partition by k order by at)",
        last="select k, count(*) as n from numbered group by k, number, other"),
        "GROUP BY", 1, "two kinds"),
    Case("sessions of two times", sessions(
        lag=f"lag(made) over (partition by k order by made) as made_before, {LAG}",
        number=f"{NUMBER} as other, sum(case when made > made_before + interval 30 minutes then 1 "
        "else 0 end) over (partition by k order by made)",
        last="select k, count(*) as n from numbered group by k, number, other"),
        "GROUP BY", 1, "two kinds"),
    Case("rollup", "select k, date_trunc('hour', at) as h, count(*) as n from events\n"
         "group by rollup(k, date_trunc('hour', at))", "GROUP BY", 1, "ROLLUP"),
    # session ids
    Case("changes", sessions(number="conditional_change_event(is_start) over "
                             "(partition by k order by at)"),
         "session id", 1, "not known", "snowflake"),
    Case("last value with nulls", sessions(number="last_value(is_start) over "
                                           "(partition by k order by at)"),
         "session id", 1, "not known"),
    Case("a largest start of another type", sessions(number="max(case when is_start = 1 then "
         f"cast(at as timestamp_ntz) end) {OVER}"), "session id", 1, "not known"),
    Case("a largest id behind a lag that ignores nulls", sessions(lag=IGNORING, number="max(case "
         f"when is_start = 1 then event_id end) {OVER}"), "session id", 1, "not known"),
    Case("a last value with nulls behind a lag without", sessions(lag=IGNORING, number="last_value("
         f"case when is_start = 1 then at end) {OVER}"), "session id", 1, "not known"),
    Case("a number of two behind such a lag", sessions(lag=IGNORING, start="case when "
         "at > before + interval 1 hour then 1 end", number=f"coalesce({NUMBER}, 1)"),
         "session id", 1, "is that of another one, too"),
    Case("another key", sessions(lag="lag(at) over (partition by d order by at)"),
         "PARTITION BY", 1, "not those of the key"),
    Case("another order", sessions(number="sum(is_start) over (partition by k order by seq)"),
         "ORDER BY", 3, "in the order of the time"),
    Case("backwards", sessions(number="sum(is_start) over (partition by k order by at desc)"),
         "ORDER BY", 3, "in the order of the time"),
    Case("backwards by numbers of rows", sessions(source=NUMBERED, lag="lag(at) over (partition by "
         "k order by i desc)"), "ORDER BY", 1, "in the order of the time"),
    Case("counted backwards by numbers of rows", sessions(source=NUMBERED, number="sum(is_start) "
         "over (partition by k order by i desc)"), "ORDER BY", 1, "in the order of the time"),
    Case("carried on backwards by numbers of rows", sessions(source=NUMBERED, number="last_value("
         "case when is_start = 1 then at end) ignore nulls over (partition by k order by i desc)"),
         "ORDER BY", 1, "in the order of the time"),
    Case("no order", sessions(number="sum(is_start) over (partition by k)"), "ORDER BY", 1,
         "no order"),
    Case("frame", sessions(number="sum(is_start) over (partition by k order by at rows between 5 "
                           "preceding and current row)"), "frame", 1, "all rows up to this one"),
    Case("a frame beside a name", sessions(number="sum(is_start) over (w rows between 1 preceding "
         "and current row)").replace("from starts", "from starts window w as (partition by k "
         "order by at)"), "frame", 1, "all rows up to this one"),
    Case("largest id", sessions(
        number="max(case when is_start then id end) over (partition by k order by at)",
        start="at > before + interval 1 hour"), "session id", 1, "not known"),
    Case("count of all", sessions(number="count(is_start) over (partition by k order by at)"),
         "session id", 1, "not known"),
    Case("count with else", sessions(number="count(case when at > before + interval 1 hour then 1 "
                                     "else 0 end) over (partition by k order by at)"),
         "session id", 1, "not known"),
    Case("part of a number", sessions(
        last="select k, count(*) as n from numbered\ngroup by k, number % 2"), "GROUP BY", 5,
        "tell sessions apart"),
    Case("a column in an id", sessions(last="select count(*) as n from numbered\n"
         "group by concat(k, '-', number, c)"), "GROUP BY", 5, "one session can be several rows"),
    Case("a start without its key", sessions(
        number="last_value(case when is_start then at end, true) over (partition by k order by at)",
        start="at > before + interval 1 hour", last="select count(*) as n from numbered\n"
        "group by number"), "GROUP BY", 5, "repeat for each key"),
    # starts
    Case("other times", sessions(start="case when at > before + interval 30 minutes or sent > "
                                 "lag(sent) over (partition by k order by sent) + interval 1 hour "
                                 "then 1 else 0 end"), "start of a session", 1, "two columns"),
    Case("another condition", sessions(start="case when at > before + interval 30 minutes or "
                                       "campaign <> 'x' then 1 else 0 end"),
         "start of a session", 2, "not understood as a time since the row before"),
    *(Case(f"dates as times in {dialect}", sessions(source="(select *, date(t) as at from raw)",
           start="case when at > before + interval '1 day' then 1 else 0 end"),
           "start of a session", 1, "rows are compared by a DATE", dialect)
      for dialect in ("spark", "snowflake")),
    *(Case(f"dates by {step}", sessions(start=f"case when {step} then 1 else 0 end"),
           "start of a session", 1, "rows are compared by a DATE", "bigquery")
      for step in ("at > date_add(before, interval 1 day)",
                   "before < date_sub(at, interval 2 day)")),
    Case("seconds and milliseconds before", sessions(lag=f"lag(unix_millis(at)) {OVER}",
         start="case when unix_seconds(at) - before > 1800 then 1 else 0 end"),
         "start of a session", 1, "not understood as a time since the row before"),
    Case("seconds before, or none", sessions(lag=f"lag(unix_timestamp(at), 1, 0) {OVER}",
         start="case when unix_timestamp(at) - before > 1800 then 1 else 0 end"),
         "start of a session", 1, "not understood as a time since the row before"),
    Case("seconds of two rows before", sessions(lag=f"lag(unix_timestamp(at), 2) {OVER}",
         start="case when unix_timestamp(at) - before > 1800 then 1 else 0 end"),
         "start of a session", 1, "not understood as a time since the row before"),
    Case("in the order of seconds", sessions(lag="lag(unix_timestamp(at)) over (partition by k "
         "order by unix_timestamp(at))",
         start="case when unix_timestamp(at) - before > 1800 then 1 else 0 end"),
         "ORDER BY", 1, "in the order of the time"),
    Case("midnight", sessions(start="case when date(at) <> date(before) then 1 else 0 end"),
         "start of a session", 1, "not understood as a time since the row before"),
    Case("days", sessions(start="case when datediff(at, before) > 1 then 1 else 0 end"),
         "start of a session", 1, "not understood as a time since the row before"),
    Case("any time at all", sessions(start="case when {{ dbt.datediff('before', 'at', 'hour') }} "
         ">= 1 then 1 else 0 end"), "start of a session", 1, "not above zero"),
    Case("minutes since the row after", sessions(start="case when {{ dbt.datediff('at', 'before', "
         "'minute') }} > 30 then 1 else 0 end"), "start of a session", 1,
         "not understood as a time since the row before"),
    Case("a time rounded to no unit", sessions(start="case when ceil((unix_timestamp(at) - "
         "unix_timestamp(before)) / 45) > 30 then 1 else 0 end"), "start of a session", 1,
         "not understood as a time since the row before"),
    Case("a time rounded to places", sessions(start="case when ceil((unix_timestamp(at) - "
         "unix_timestamp(before)) / 60, 1) > 30 then 1 else 0 end"), "start of a session", 1,
         "not understood as a time since the row before"),
    Case("a number of no unit", sessions(start="case when at - before > 1800 then 1 else 0 end"),
         "start of a session", 1, "not understood as a time since the row before"),
    Case("months", sessions(start="case when at > before + interval 1 month then 1 else 0 end"),
         "start of a session", 1, "not understood as a time since the row before"),
    Case("two rows before", sessions(lag="lag(at, 2) over (partition by k order by at)"),
         "start of a session", 1, "not understood as a time since the row before"),
    Case("no limit", sessions(start="case when before is null then 1 else 0 end"),
         "start of a session", 1, "no limit is compared"),
    Case("a value that is null", sessions(start=starts_where(f"lag(campaign) {OVER}")),
         "ORDER BY", 2, "in the order of the time"),
    Case("a start for each device", sessions(start=starts_where(
        "lag(at) over (partition by k, device order by at)")), "PARTITION BY", 2,
         "not those of the key"),
    Case("no second row before", sessions(start=starts_where(f"lag(at, 2) {OVER}")),
         "start of a session", 2, "not understood as a time"),
    Case("no row after", sessions(start=starts_where(f"lead(at) {OVER}")), "start of a session", 2,
         "not understood as a time"),
    Case("no change of an amount", sessions(start=starts_where(f"v - lag(v) {OVER}")),
         "ORDER BY", 2, "in the order of the time"),
    Case("never behind a row without a value", sessions(start="case when lag(url) over "
         "(partition by k order by at) is null then 0 when at > before + interval 30 minutes "
         "then 1 else 0 end"), "ORDER BY", 2, "in the order of the time"),
    Case("the number of the second for the first", sessions(start="case when at > before + "
         "interval 1 hour then 1 end", number=f"coalesce({NUMBER}, 1)"), "session id", 1,
         "what stands for the number of the first session is that of another one, too"),
    Case("no event", sessions(number="conditional_true_event() over (partition by k order by at)"),
         "session id", 3, "not known", "snowflake"),
    Case("a flag of one value", sessions(start="coalesce(v > 1)"), "start of a session", 2,
         "not understood as a time since the row before"),
    Case("not a number", sessions(start="case when timestampdiff(minute, before, at) > 'nan' "
         "then 1 else 0 end"), "start of a session", 1,
         "not understood as a time since the row before"),
    Case("no such number", sessions(start="case when timestampdiff(minute, before, at) > 1e400 "
         "then 1 else 0 end"), "start of a session", 1,
         "not understood as a time since the row before"),
    Case("the other way round", sessions(start="case when timestampdiff(minute, before, at) * "
         "(0 - 1) > 0 - 30 then 1 else 0 end"), "start of a session", 1,
         "not understood as a time since the row before"),
    Case("the midnight after", sessions(start="case when at > date_add(before, 1) then 1 else 0 "
         "end"), "start of a session", 1, "not understood as a time since the row before"),
    Case("seconds of a text", sessions(start="case when unix_timestamp(at, 'dd.MM.yyyy') - "
         "unix_timestamp(before, 'dd.MM.yyyy') > 1800 then 1 else 0 end"), "start of a session", 1,
         "not understood as a time since the row before"),
    Case("times of day", sessions(lag="lag(at::time) over (partition by k order by at)",
         start="iff(datediff('second', before, at::time) > 1800, 1, 0)"), "ORDER BY", 1,
         "in the order of the time", "snowflake"),
    Case("whole seconds of a time", sessions(start="iff(datediff('second', before::timestamp_ntz(0)"
         ", at::timestamp_ntz(0)) > 1800, 1, 0)"), "start of a session", 1,
         "not understood as a time since the row before", "snowflake"),
    Case("flag of two", sessions(start="case when at > before + interval 1 hour then 2 else 0 end"),
         "start of a session", 1, "THEN is neither 1 nor 0"),
    Case("other else", sessions(start="case when at > before + interval 1 hour then 1 else n end"),
         "start of a session", 1, "ELSE is neither 1 nor 0"),
    Case("a flag of another column in the ELSE", sessions(start="case when before is null then 1\n"
         "else case when v > 1 then 1 else 0 end end"), "start of a session", 3,
         "not understood as a time since the row before"),
    Case("a time as one without a zone", "select cast(date_trunc('hour', at) as timestamp_ntz) as h"
         ",\ncount(*) as n from e group by 1", "GROUP BY", 2, "nothing that it groups by"),
    Case("each row by a flag in the ELSE", sessions(start="coalesce(case when before is null then "
         "1 else case when at > before + interval 1 hour then 1 end end, 1)"),
         "start of a session", 1, "each row starts a session"),
    Case("exception", sessions(start="case when is_bot then 0 when at > before + interval 1 hour "
                               "then 1 else 0 end"), "start of a session", 2, "an exception"),
    Case("several exceptions", sessions(start="case when at <= before + interval 1 hour then 0 "
                                        "when at <= before + interval 2 hours then 0 else 1 end"),
         "start of a session", 1, "several exceptions"),
    Case("each row", sessions(start="case when at > before + interval 1 hour then 1 else 1 end"),
         "start of a session", 1, "each row starts a session"),
    Case("each row but the first", sessions(start="case when at > before + interval 1 hour then 1 "
         "when before is null then 0 else 1 end"), "start of a session", 1,
         "each row starts a session"),
    Case("each row by a coalesce", sessions(start="coalesce(cast(case when at > before + interval "
         "1 hour then 1 end as int), 1)"), "start of a session", 1, "each row starts a session"),
    Case("each row by what a flag is asked for", sessions(start="coalesce((case when at > before + "
         "interval 1 hour then 1 end) = 1, true)"), "start of a session", 1,
         "each row starts a session"),
    Case("each row by a number that is asked for", sessions(start="case when at > before + "
         "interval 1 hour then 1 end", number="sum(case when coalesce(is_start = 1, true) then 1 "
         "else 0 end) over (partition by k order by at)"), "start of a session", 1,
         "each row starts a session"),
    Case("each row by one of two flags", sessions(start="coalesce((case when at > before + "
         "interval 1 hour then 1 end) = 1 or at > before + interval 2 hours, true)"),
         "start of a session", 1, "each row starts a session"),
    Case("each row by a coalesce of one", sessions(start="coalesce(cast(coalesce(case when at > "
         "before + interval 1 hour then 1 end, null) as int), 1)"), "start of a session", 1,
         "each row starts a session"),
    Case("each row by its THEN", sessions(start="coalesce(case when at <= before + interval 1 hour "
         "then null else 1 end, 1)"), "start of a session", 1,
         "not understood as a time since the row before"),
    Case("each row by the THEN of an IF", sessions(start="ifnull(if(at <= before + interval 1 "
         "hour, null, 1), 1)"), "start of a session", 1,
         "not understood as a time since the row before"),
    Case("no row by a coalesce", sessions(start="coalesce(case when at <= before + interval 1 hour "
         "then 0 end, 0, 1)"), "start of a session", 1, "an exception to what starts a session"),
    Case("an equation", sessions(start="case when k = 1 then 1 else 0 end"),
         "start of a session", 2, "not understood as a time since the row before"),
    Case("not of an equation", sessions(start="case when not at = before then 1 else 0 end"),
         "start of a session", 1, "only the opposite of a comparison"),
    Case("a limit of zero", sessions(start="case when at > before + interval 0 minutes then 1 "
                                     "else 0 end"), "start of a session", 1, "not above zero"),
    # what stands between
    Case("late filter", sessions(then=" where not is_bot"), "WHERE", 2, "after the sessions"),
    Case("late filter beside the group", sessions(last="select k, count(*) as n\nfrom numbered\n"
         "where not is_bot group by k, number"), "WHERE", 6, "after the sessions"),
    Case("distinct between", sessions().replace("starts as (select", "starts as (select distinct"),
         "DISTINCT", 2, "between the sessions and what is read"),
    Case("join between", sessions(then=" join p using (k)"), "JOIN", 2, "below a join"),
    Case("rows made between", sessions(then="", start=f"explode(items) as item, {START}"), "SELECT",
         2, "several rows of one"),
    Case("column from nowhere", "with a as (select k, at from events),\n"
         "b as (select k, sum(f) over (partition by k order by at) as n from a)\n"
         "select k, count(*) as c from b group by k, n", "SELECT", 2, "'f' is no column of a"),
    Case("columns renamed", "select d, sum(c) as c from\n"
         "(select date(at) as d, count(*) as c from e group by 1) as x(d, c) group by 1", "FROM", 2,
         "a list of names behind a relation"),
    Case("its own rows", "with recursive a as (select * from b union all select * from a)\n"
         "select date(at) as d, count(*) as n from a group by 1", "WITH", 1, "reads its own rows"),
    Case("a CTE behind", "with recursive a as (select * from b), b as (select * from t) "
         "select date(at) as d, count(*) as n from a group by 1", "WITH", 1, "reads its own rows"),
    Case("two CTEs of one name", "with a as (select * from t), c as (select * from a),\n"
         "b as (with a as (select * from u) select c.k, date(a.at) as d from a join c using (k))\n"
         "select d, count(*) as n from b group by d", "WITH", 2,
         "of one name"),
    # outputs
    Case("first value", sessions(
        number=f"{NUMBER} as number, first_value(url) over (partition by k order by at)"
        ).replace("as number from", "as landing from")
        .replace(LAST, "select k, min(landing) as l, count(*) from numbered group by k, number"),
        "SELECT", 4, "looks at other rows"),
    Case("numbers of the start", sessions(last="select k, sum(is_start) as n\nfrom numbered\n"
         "group by k, number"), "SELECT", 4, "looks at other rows"),
    Case("row number above", sessions(last=", s as (select k, min(at) as since from numbered "
         "group by k, number)\nselect k, row_number() over (partition by k order by since) as i "
         "from s"), "SELECT", 5, "looks at other rows"),
    Case("star with exceptions", sessions(last=", s as (select k, count(*) as n from numbered "
         "group by k, number)\nselect * except (n)\nfrom s"), "SELECT", 5, "star with exceptions"),
    Case("star beside the group", sessions(last="select *\nfrom numbered group by k, number"),
         "SELECT", 4, "a star beside GROUP BY"),
    Case("limit", sessions(last=LAST + "\nlimit 10"), "LIMIT", 5, "not understood"),
    Case("join above", sessions(last=", s as (select k, count(*) as n from numbered group by "
         "k, number)\nselect s.k, p.x from s\njoin p on p.k = s.k"), "JOIN", 6, "joined after"),
    # what a session number is used for
    Case("the first session", sessions(last="select k, min(at) as s from numbered\n"
         "group by k, number\nhaving number = 1"), "HAVING", 6, "is used as a number"),
    Case("later sessions", sessions(last="select k, s from (\nselect k, number, min(at) as s from "
         "numbered group by k, number) as x\nwhere number > 1"), "HAVING", 6,
         "is used as a number"),
    Case("is it the first", sessions(last="select k,\nif(number = 1, 'new', 'old') as what, "
         "count(*) as n from numbered group by k, number"), "SELECT", 5, "is used as a number"),
    Case("a number that is cut", sessions(last="select count(*) as n,\nconcat(k, "
         "lpad(number, 4, '0')) as id from numbered group by k, number"), "SELECT", 5,
         "is used as a number"),
    Case("a key in capitals", sessions(last="select concat(upper(k), '-', number) as id, count(*) "
         "as n from numbered\ngroup by 1"), "GROUP BY", 4, "the key is not in the GROUP BY"),
    Case("a key in small letters", sessions(last="select lower(k) as who, count(*) as n\n"
         "from numbered group by lower(k), number"), "GROUP BY", 5,
         "the key is not in the GROUP BY"),
    Case("a key for another", sessions(last="select coalesce(k, v) as k, count(*) as n\n"
         "from numbered group by coalesce(k, v), number").replace(
         "partition by k", "partition by k, v"), "GROUP BY", 5,
         "the key is not in the GROUP BY"),
    Case("a key that is computed", sessions(last="select k + 1 as k, count(*) as n\n"
         "from numbered group by k + 1, number"), "GROUP BY", 5, "the key is not in the GROUP BY"),
    Case("a key as a number", sessions(last="select cast(k as bigint) as k, count(*) as n\n"
         "from numbered group by cast(k as bigint), number"), "GROUP BY", 5,
         "the key is not in the GROUP BY"),
    Case("no name", sessions(last="select k,\nmin(at), count(*) as n from numbered group by k, "
         "number"), "SELECT", 5, "this column has no name"),
    Case("no name in another warehouse", "select date(at) as d,\ncount(*) from e group by 1",
         "SELECT", 2, "this column has no name", "bigquery"),
    Case("rows of an array by a condition", "select date(at) as d, p.value as v from e\nleft join "
         "unnest(params) as p on p.key = 'a' group by 1, 2", "JOIN", 2,
         "UNNEST is joined by a condition", "bigquery"),
    Case("a join behind an array", "select date(at) as d, t.name as v from e cross join\n"
         "unnest(items) as p left join t on t.id = p.id group by 1, 2", "JOIN", 2,
         "a table is joined by what UNNEST makes", "bigquery"),
    # groups by time
    Case("two units", "select date_trunc('hour', at) as h, date(at) as d, count(*) as n\n"
         "from events group by h,\nd", "GROUP BY", 1, "several units of time"),
    Case("decade", "select\ndate_trunc('decade', at) as d, count(*) as n from events group by 1",
         "GROUP BY", 2, "no window of a decade"),
    Case("a unit that trunc has not", "select\ntrunc(at, 'DD') as d, count(*) as n from e "
         "group by 1", "GROUP BY", 2, "trunc of Spark is null for the unit day"),
    Case("a date of hours of trunc", "select\nto_date(trunc(at, 'hour')) as d, count(*) as n "
         "from e group by 1", "GROUP BY", 2, "trunc of Spark is null for the unit hour"),
    Case("origin", "select\ndate_bin('1 hour', at, timestamp '2020-01-01') as h, count(*) as n "
         "from events group by 1", "GROUP BY", 2, "origin is not 1970-01-01", "databricks"),
    Case("rounded minutes", sessions(start="case when cast((unix_timestamp(at) - "
         "unix_timestamp(before)) / 60 as int) > 30 then 1 else 0 end"),
         "start of a session", 1, "not understood as a time since the row before"),
    Case("seconds as decimals", sessions(start="case when cast(at as decimal(10, 0)) - "
         "cast(before as decimal(10, 0)) > 30 then 1 else 0 end"),
         "start of a session", 1, "not understood as a time since the row before"),
    Case("a day of parts", "select cast(time_slice(at, 7, 'minute') as date) as d, count(*) as n "
         "from events group by 1", "GROUP BY", 1, "windows that are no parts of days", "snowflake"),
    Case("an origin within a day",
         "select\ndate_bin('1 hour', at, timestamp '1970-01-01 00:07:00') as h, count(*) as n "
         "from events group by 1", "GROUP BY", 2, "origin is not 1970-01-01", "databricks"),
    Case("origin of a bucket", "select timestamp_bucket(at, interval 1 hour, x) as h, count(*) n "
         "from events group by 1", "GROUP BY", 1, "an origin is not converted", "bigquery"),
    Case("the end of a slice", "select time_slice(at, 15, 'minute', 'end') as m, count(*) as n "
         "from events group by 1", "GROUP BY", 1, "this is the end of a slice", "snowflake"),
    Case("length", "select time_slice(at, 1, 'month') as m, count(*) as n from events group by 1",
         "GROUP BY", 1, "length is not understood", "snowflake"),
    Case("no time in a bucket", "select timestamp_bucket() as h, count(*) n from events group by 1",
         "GROUP BY", 1, "length is not understood", "bigquery"),
    Case("no length of a bucket", "select timestamp_bucket(at) as h, count(*) n from events "
         "group by 1", "GROUP BY", 1, "length is not understood", "bigquery"),
    Case("a length of each row", "select timestamp_bucket(at, interval x minute) as h, "
         "count(*) n from events group by 1", "GROUP BY", 1, "length is not understood",
         "bigquery"),
    Case("too deep", "select date(at) as d, count(*) as n, max(" + "(" * 2000 + "a" + ")" * 2000
         + ") as m from events group by 1", "text", 1, "too long or too deep"),
    Case("a date of a text", "select\nto_date(text, 'dd/MM/yyyy') as d, count(*) as n from events "
         "group by 1", "GROUP BY", 2, "a text that is read with a format is no time"),
    Case("a zone in Spark's SQL", "select date(at, 'Europe/Berlin') as d, count(*) as n\n"
         "from events group by date(at, 'Europe/Berlin')", "GROUP BY", 2,
         "nothing that it groups by", "spark"),
    Case("a zone of each row", "select date(at, zone) as d, count(*) as n from events group by 1",
         "GROUP BY", 1, "the time zone is not the same for all rows", "bigquery"),
    Case("hours of a zone", "select timestamp_trunc(at, hour, 'Asia/Kolkata') as h, count(*) as n "
         "from events group by 1", "GROUP BY", 1,
         "windows of one hour are counted in UTC, and not in Asia/Kolkata", "bigquery"),
    Case("a zone within", "select date(timestamp_trunc(at, day, 'America/New_York')) as d,\n"
         "count(*) as n from e group by 1", "GROUP BY", 1, "windows that are no parts of days",
         "bigquery"),
    Case("a zone within a cast", "select cast(timestamp_trunc(at, day, 'Asia/Kolkata') as date) as "
         "d,\ncount(*) as n from e group by 1", "GROUP BY", 1, "windows that are no parts of days",
         "bigquery"),
    Case("a zone within a zone", "select timestamp_trunc(timestamp_trunc(at, hour, 'Asia/Kolkata'),"
         " day, 'Asia/Kolkata') as d,\ncount(*) as n from e group by 1", "GROUP BY", 1,
         "windows of one hour are counted in UTC", "bigquery"),
    Case("weeks of months", "select trunc(date_trunc('month', at), 'week') as w,\n"
         "count(*) as n from e group by 1", "GROUP BY", 1, "this is truncated before"),
    Case("days of months below", "with m as (select *, date_trunc('month', at) as m from e)\n"
         "select date_trunc('day', m) as d, count(*) as n from m group by 1", "GROUP BY", 1,
         "this is truncated before"),
    Case("a zone that is lost", "select timestamp_trunc(at, hour) as h,\n"
         "max(format_timestamp('%H', at, 'Asia/Kolkata')) as n from events group by 1", "SELECT", 2,
         "takes the time zone of the session", "bigquery"),
    # the SQL of other warehouses
    Case("the first one by another order", days("array_agg(url order by v desc)[safe_offset(0)]"),
         "SELECT", 2, "a place in an array of values", "bigquery"),
    Case("the second one", days("array_agg(url order by at)[safe_offset(1)]"), "SELECT", 2,
         "a place in an array of values", "bigquery"),
    Case("in another order", days("array_agg(url order by score)"), "SELECT", 2,
         "an order by another column than the time", "bigquery"),
    Case("in another order in Snowflake", days("array_agg(url) within group (order by score)"),
         "SELECT", 2, "an order by another column than the time", "snowflake"),
    Case("different ones in an order", days("array_agg(distinct url) within group (order by url)"),
         "SELECT", 2, "an order by another column than the time", "snowflake"),
    Case("from the last on", days("array_agg(url) within group (order by at desc)"), "SELECT", 2,
         "or from the last time on", "snowflake"),
    Case("rows of an array in Snowflake", "select e.at::date as d, f.value::text as v, "
         "count(*) as n from e,\nlateral flatten(input => e.tags) f group by 1, 2", "FROM", 2,
         "FLATTEN has other columns", "snowflake"),
    Case("rows of an array by its place", "select e.at::date as d, f.value::text as v, "
         "count(*) as n from e,\nlateral flatten(e.tags) f group by 1, 2", "FROM", 2,
         "FLATTEN has other columns", "snowflake"),
    Case("rows of an array as a table", "select e.at::date as d, f.value::text as v, "
         "count(*) as n from e,\ntable(flatten(input => e.tags)) f group by 1, 2", "FROM", 2,
         "FLATTEN has other columns", "snowflake"),
    Case("the row before in another table", "select e.at::date as d, sum(q.v) as v from e\n"
         "asof join q match_condition (e.at >= q.at) on e.k = q.k group by 1", "JOIN", 2,
         "ASOF JOIN", "snowflake"),
    Case("a test of a comparison", days("count_if(a = b in (c))"), "SELECT", 2,
         "in one order or another", "snowflake"),
    Case("a sum behind a text", days("max(a || b + 1)"), "SELECT", 2,
         "in one order or another", "snowflake"),
    Case("the first two", days("string_agg(url, ',' order by at limit 2)"), "SELECT", 2,
         "left out by the translation", "bigquery"),
    Case("places that are cut off", days("sum(trunc(x, 2))"), "text", 1,
         "has no words for this", "snowflake"),
    Case("several largest", days("max_by(url, score, 3)"), "text", 1,
         "has no words for this", "snowflake"),
    Case("times of day of values", days("min(time(at))"), "SELECT", 2,
         "a time of day", "bigquery"),
    Case("many digits", days("max(cast(x as bignumeric))"), "SELECT", 2,
         "more digits", "bigquery"),
    Case("a path into JSON", days("max(payload:page.url::string)"), "SELECT", 2,
         "a path into JSON", "snowflake"),
    Case("a text of a length", days("max(cast(b as varchar(36)))"), "SELECT", 2,
         "cut to a length", "snowflake"),
    Case("a text of one letter", days("max(b::char)"), "SELECT", 2, "cut to a length",
         "snowflake"),
    Case("casts by a format", days("max(cast(b as string format 'YYYY'))"), "SELECT", 2,
         "a cast by a format", "bigquery"),
    Case("weeks from Sunday", days("count(distinct extract(week from b))"), "SELECT", 2,
         "a unit that Spark does not have", "bigquery"),
    Case("weeks of values", days("min(timestamp_trunc(b, week))"), "SELECT", 2,
         "a unit that Spark does not have", "bigquery"),
    Case("days from 0", days("max(date_part(dow, b))"), "SELECT", 2,
         "a unit that Spark does not have", "snowflake"),
    # what the plan refuses
    Case("of the plan", sessions(last="select k, count(*) from numbered group by k, number",
                                 source="(select distinct * from events) as e"),
         "DISTINCT in FROM (...) e of the converted text", 5, "compares a row with all others"),
]  # fmt: skip
