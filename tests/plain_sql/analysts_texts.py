"""Texts as analysts write them, over rows with nulls, letter case, -0.0 and NaN.

`{events}` and `{people}` are the tables. Each text is kept exactly, but for those that are
`Refused`.
"""

from __future__ import annotations


class Refused(str):
    """A text that is refused in a sentence; of one that Spark refuses, it may be Spark's."""


W = "window(e.ts, '1 hour')"
S = "session_window(ts, '20 minutes')"
FROM = "from {events} e"

EVENTS = """
select
    n as seq, nullif(concat('u', n % 5), 'u4') as user_id,
    element_at(array('/A', '/a', '/Buy', null), cast(n % 4 + 1 as int)) as url,
    cast(n * 7 % 40 as int) as amount,
    element_at(array(0.0D, -0.0D, double('NaN'), null, 1.5D), cast(n % 5 + 1 as int)) as score,
    element_at(array(0.0F, -0.0F, float('NaN'), 2.5F), cast(n % 4 + 1 as int)) as ratio,
    timestamp_micros(1704067200000000 + (n * 7919 % 36000) * 1000000) as ts,
    timestamp_ntz'2024-01-01 00:00:00' + make_dt_interval(0, 0, 0, n * 7919 % 36000) as ntz,
    date_add(date'2024-01-01', cast(n % 3 as int)) as day,
    named_struct('os', element_at(array('ios', 'IOS', null), cast(n % 3 + 1 as int)),
        'Screen', named_struct('Width', cast(n % 2 as int)), 'version', concat('v', n % 2))
        as device,
    map('source', concat('s', n % 2), 'Source', concat('S', n % 3)) as attrs,
    array(named_struct('sku', concat('k', n % 2), 'qty', cast(n % 4 as int)),
        named_struct('sku', 'x', 'qty', 1)) as items,
    array(concat('t', n % 2), 'all') as tags,
    n % 7 = 0 as is_bot, concat('os', n % 2) as os, concat('user', n % 2) as user,
    cast(n % 3 as int) as version, concat('now', n % 2) as now, cast(n % 4 as smallint) as small,
    cast(n % 9 as decimal(10, 2)) / 3 as price, cast(n % 4 * 10 as int) as minutes,
    if(n % 3 = 0, null, n % 2 = 0) as flag
from range({first}, {last}) as r(n)
"""
PEOPLE = """
select * from values ('u0', 'Ada', 'DE', '/A'), ('u1', 'bob', 'de', '/x'), ('u2', null, 'FR', null)
    as p(user_id, name, country, url)
"""

TEXTS = [
    # of its bounds Iceberg leaves NaN out, which is above every number
    f"select url, window.start as began, count(*) as n {FROM} group by url, {W} "
    "having max(score) > 100",
    # a condition with a null in it, which Spark fails to translate for Iceberg
    f"select url, window.start as began, count(*) as n {FROM} group by url, {W} "
    "having null > 1 or count(*) > 1",
    # names of items beside columns
    f"select lower(e.url) as url, count(*) as n {FROM} group by url, {W}",
    f"select lower(url) as url, count(*) as n {FROM} group by lower(url), {W} having url = '/a'",
    f"select lower(url) as url, count(*) as n {FROM} group by e.url, {W} having url = '/A'",
    f"select upper(url) as page, count(*) as n {FROM} group by page, {W} having page <> '/BUY'",
    f"select device.os as os, count(*) as n {FROM} group by device.os, os, {W}",
    f"select device.os as device, count(*) as n {FROM} group by device.os, {W}",
    f"select device.os as device, count(*) as n {FROM} group by device, {W}",
    f"select device.os, upper(device.os) as u, count(*) n {FROM} group by device.os, {W}",
    f"select date_format(e.day, 'yyyy-MM') as day, count(*) as n {FROM} group by day, {W}",
    f"select date_trunc('hour', ts) as hour, date(date_trunc('hour', ts)) as day, count(*) n "
    f"{FROM} "
    f"group by hour, day, {W}",
    f"select date_trunc('hour', ts) as hour, day, count(*) n {FROM} group by hour, day, {W}",
    Refused(
        f"select max(amount) as amount, count(*) as score {FROM} group by user_id, {W} "
        "having amount > 10 and max(score) > 0 and score > 1"
    ),
    f"select -amount as amount, count(*) as n {FROM} group by amount, {W} having amount > 15",
    f"select sum(amount) as amount, count(*) n {FROM} group by amount, {W} having amount > 15",
    f"select amount as a, version as amount, count(*) n {FROM} group by amount, version, {W}",
    # the time, or the number of arrival, is a group too
    f"select date_trunc('hour', ts) as h, count(*) as n {FROM} group by date_trunc('hour', ts), "
    "window(date_trunc('hour', ts), '1 day')",
    f"select ts as window_start, user_id as window_end, count(*) as n {FROM} "
    "group by ts, user_id, window(ts, '1 day')",
    f"select date_trunc('hour', ts) as h, count(*) as n, session_window.start as s {FROM} "
    "group by h, session_window(date_trunc('hour', ts), '2 hours')",
    f"select seq % 3 as seq, count(*) as n {FROM} group by seq % 3, {W}",
    f"select seq, count(*) as n, window.start as s {FROM} group by seq, {W}",
    f"select 'x' as url, count(*) as n {FROM} group by url, {W}",
    f"select 'x' as channel, count(*) as n {FROM} group by channel, user_id, {W}",
    f"select upper(user_id) as u, lower(u) as v, count(*) as n, n + 1 as m {FROM} "
    f"group by user_id, {W}",
    f"select url as u, u || '!' as shout, count(*) as n {FROM} group by url, {W} having shout > ''",
    f"select USER_ID, Max(Amount) as M {FROM} group by User_Id, {W} having m > 3",
    f"select E.user_id as `User`, count(*) as `Count` {FROM} group by e.USER_ID, {W}",
    f"select user, version, now, count(*) n {FROM} group by user, version, now, {W}",
    f"select max(user) as user, max(version) v {FROM} group by {W} having max(now) = 'now1'",
    Refused(f"select count(*) as window, window.start as s {FROM} group by url, {W}"),
    # letter case
    f"select regexp_replace(url, r'\\w', '') as a, count(*) n {FROM} "
    f"group by regexp_replace(url, r'\\W', ''), regexp_replace(url, r'\\w', ''), {W}",
    f"select attrs.Source as a, attrs.source as b, count(*) n {FROM} "
    f"group by attrs.Source, attrs.source, {W}",
    f"select attrs['Source'] as a, attrs['source'] as b, count(*) n {FROM} "
    f"group by attrs['Source'], attrs['source'], {W}",
    Refused(f"select attrs.source as b, count(*) n {FROM} group by attrs.Source, {W}"),
    f"select DEVICE.Os, device.screen.width as w, count(*) n {FROM} "
    f"group by device.OS, device.SCREEN.Width, {W}",
    f"select count(distinct attrs.Source) a, count(distinct attrs.source) b {FROM} group by {W}",
    f"select max(struct(amount, Url)) as m, max(struct(Amount, url)) as k {FROM} group by {W}",
    f"select count_if(url = 'X') as a, count_if(url = 'x') as b, count_if(url = '/a') c {FROM} "
    f"group by {W}",
    # structs, maps, arrays
    f"select device, count(*) as n {FROM} group by device, {W}",
    f"select device.screen.width + 1 as w, sum(device.screen.width) as s {FROM} "
    f"group by device.screen, {W}",
    f"select items[0].sku as sku, sum(items[0].qty) as q {FROM} group by items[0].sku, {W}",
    f"select items.sku as skus, count(*) n {FROM} group by items.sku, {W}",
    f"select items.sku[0] as first_sku, count(*) n {FROM} group by items.sku, {W}",
    f"select element_at(attrs, 'source') as s, size(tags) as t, count(*) n {FROM} "
    f"group by element_at(attrs, 'source'), size(tags), {W}",
    f"select tag, count(*) as n {FROM} lateral view explode(tags) t as tag group by tag, {W}",
    f"select t.tag, sum(amount) a {FROM} lateral view explode(tags) t as tag "
    f"group by t.tag, {W} having count(*) > 1",
    f"select i.item.sku as item, sum(item.qty) q {FROM} lateral view explode(items) i as item "
    f"group by item, {W}",
    # -0.0 and NaN
    f"select score, count(*) as n {FROM} group by score, {W}",
    f"select ratio, score, count(*) as n {FROM} group by ratio, score, {S}",
    f"select score + 0 as s, count(*) n {FROM} group by score + 0, {W}",
    f"select min(score) a, max(score) b, count(distinct score) c, count(score) d {FROM} group by "
    f"{W}",
    f"select min(ratio) a, max(ratio) b, sum(ratio) c {FROM} group by user_id, {S}",
    f"select sort_array(collect_set(score)) as s {FROM} group by user_id, {W}",
    f"select user_id, avg(score) as a, count_if(isnan(score)) as nans {FROM} "
    f"group by user_id, {W} having not isnan(avg(score))",
    f"select score > 0 as p, count(*) n {FROM} group by score > 0, {W}",
    Refused(f"select struct(score) as s, count(*) n {FROM} group by struct(score), {W}"),
    f"select if(score = 0, score, null) as z, count(*) n {FROM} "
    f"group by if(score = 0, score, null), {W}",
    # aggregates and conditions
    f"select sum(case when url = '/A' then amount else 0 end) a, count_if(is_bot) b, "
    f"sum(if(is_bot, 1, 0)) c, sum(amount) filter (where not is_bot) d {FROM} group by user_id, "
    f"{W}",
    f"select count(distinct url) a, count(distinct lower(url)) b, count(distinct url, amount) c "
    f"{FROM} "
    f"group by user_id, {S}",
    f"select sum(price) a, avg(price) b, max(price) - min(price) c, round(avg(amount), 2) d {FROM} "
    f"group by user_id, {W}",
    f"select bool_or(flag) a, every(flag) b, any(flag) c, bit_xor(amount) d {FROM} group by url, "
    f"{W}",
    f"select min_by(url, struct(ts, seq)) a, max_by(amount, seq) b {FROM} group by user_id, {S}",
    f"select percentile(amount, 0.5) a, median(amount) b, stddev(amount) is null c {FROM} "
    f"group by user_id, {W}",
    f"select cast(amount > 10 as int) as big, count(*) n {FROM} group by cast(amount > 10 as "
    f"int), {W}",
    f"select substring(url from 1 for 2) as p, count(*) n {FROM} "
    f"group by substring(url from 1 for 2), {W}",
    f"select sum(small) a, max(small) b, small {FROM} group by small, {W}",
    f"select cast(small as tinyint) as t, array(small) l, count(*) n {FROM} "
    f"group by cast(small as tinyint), array(small), {W}",
    f"select user_id, count(*) * 2 + 1 as n, sum(amount) / count(*) as r {FROM} "
    f"group by user_id, {W} having r > 3 and n > 2 and not (user_id = 'u1' or user_id is null)",
    f"select count(*), sum(amount), max(url), sum(amount) / count(*) {FROM} group by user_id, {W}",
    f"select cast(count(*) as string), count(*) > 1, -sum(amount), user_id || '!' {FROM} "
    f"group by user_id, {W}",
    # times and windows
    f"select date(window.start) as d, count(*) n {FROM} group by date(window.start), url, {W}",
    f"select date(window.start) as d, count(*) n {FROM} group by d, {W}",
    f"select window.start as s, window.end as e, count(*) n {FROM} group by s, e, {W}",
    f"select hour(window.start) h, date(window.end) d, count(*) n {FROM} group by 1, 2, {W}",
    f"select {W}.start as s, count(*) n {FROM} group by all",
    f"select {W} as w, w.start as s, date_format(w.end, 'HH:mm') as e, count(*) n {FROM} "
    f"group by user_id, {W}",
    f"select user_id, session_window.end as e, count(*) n {FROM} group by user_id, "
    f"session_window(ts, "
    "case when device.os = 'ios' then '10 minutes' when is_bot then null else '1 day' end)",
    f"select user_id, session_window.start as s, session_window.end as e, count(*) n {FROM} "
    "group by user_id, session_window(ts, concat(minutes, ' minutes'))",
    f"select user_id, session_window as w, count(*) n {FROM} "
    "group by user_id, session_window(ntz, concat(minutes, ' minutes'))",
    f"select user_id, session_window(ts, '1 day') as w, count(*) n {FROM} group by 1, 2",
    f"select user_id, session_window.end - session_window.start as length {FROM} group by "
    f"user_id, {S}",
    Refused(
        f"select user_id, date(session_window.start) d, count(*) n {FROM} "
        f"group by user_id, date(session_window.start), {S}"
    ),
    f"select datediff(max(ts), min(ts)) d, cast(min(ts) as string) c, max(ts) > '2024-01-01' g, "
    f"max(ts) + interval 1 day t {FROM} group by user_id, {W}",
    f"select day, extract(month from day) m, count(*) n {FROM} group by day, {W}",
    Refused(
        f"select n.start, count(*) c from (select *, window(ts, '1 hour') as n {FROM}) "
        "group by n.start, window(ts, '1 hour')"
    ),
    # joins
    f"select user_id, name, count(*) n {FROM} left join {{people}} p using (user_id) "
    f"group by user_id, name, {W}",
    f"select upper(user_id) as user_id, count(*) n {FROM} join {{people}} p using (user_id) "
    f"group by user_id, {W}",
    f"select e.user_id, count(p.user_id) n {FROM} left join {{people}} p using (user_id) "
    f"group by user_id, {W}",
    f"select p.user_id, count(*) n {FROM} left join {{people}} p on e.user_id = p.user_id "
    f"group by p.user_id, {W}",
    f"select p.url as url, count(*) n {FROM} left join {{people}} p on e.user_id = p.user_id "
    f"group by p.url, e.url, {W}",
    f"select lower(p.country) as country, count(distinct e.url) n {FROM} join {{people}} p "
    f"on e.user_id = p.user_id and p.country is not null group by lower(p.country), {W}",
    f"select country, max(length(name)) as name {FROM} join {{people}} p using (user_id) "
    f"group by country, {W} having max(name) > 'A'",
    f"select user_id, count(*) n {FROM} left semi join {{people}} p on p.user_id = e.user_id "
    f"group by user_id, {W}",
    "select a.user_id, count(*) n from {events} a join (select user_id as u, country from "
    "{people})"
    " on u = a.user_id group by a.user_id, window(ts, '1 hour')",
    Refused(
        f"select e.url, count(*) n {FROM} join {{events}} f on e.seq = f.seq group by e.url, {W}"
    ),
    # CTEs and subqueries
    "with people as (select *, lower(url) as page from {events} where not is_bot) "
    "select page, count(*) n from people group by page, window(ts, '1 hour')",
    "with e as (select user_id, url, ts, seq from {events}), "
    "f as (select user_id as url, url as user_id, ts as t, seq from e) "
    "select url, max(user_id) as m from f group by url, window(t, '1 hour')",
    "select u, count(*) n from (select coalesce(user_id, 'none') as u, ts as t, seq from {events} "
    "where url is not null) as x group by x.u, session_window(t, '20 minutes')",
    Refused(
        "with e(a, b, c, d) as (select user_id, amount, ts, seq as seq from {events}) "
        "select a, sum(b) s from e group by a, window(c, '1 hour')"
    ),
    Refused("select Url, n from (select 1) cross join {events} group by Url, window(ts, '1 hour')"),
    "select user, max(current) c from (select user_id as user, amount as current, ts, seq "
    "from {events}) group by user, window(ts, '1 hour')",
    # others
    Refused(f"select distinct user_id {FROM} group by user_id, {W}"),
    f"select user_id, count(*) n {FROM} where url = 'today' or attrs['now'] is null group by 1, "
    f"{W}",
    Refused(f"select user_id, count(*) n {FROM} where ts < r'tomorrow' group by 1, {W}"),
    Refused(f"select user_id, my_format(sum(amount)) f {FROM} group by user_id, {W}"),
    Refused(f"select user_id {FROM} group by"),
    Refused(f"select user_id, 1 as user_ID, count(*) n {FROM} group by user_id, {W}"),
    f"select transform(array(1, 2), url -> url + count(*)) t, user_id {FROM} group by user_id, {W}",
    f"select filter(collect_list(amount), amount -> amount > 3) is null t {FROM} group by "
    f"user_id, {W}",
    Refused(f"select user_id, amount, count(*) n {FROM} group by user_id, {W}"),
    f"select user_id, count(*) n {FROM} group by e.user_id, user_id, E.USER_ID, {W}",
    # as they come
    f"select user_id, count(*) as n, sum(amount) as total, total / n as mean {FROM} "
    f"group by user_id, {W} having mean > 5",
    f"select coalesce(user_id, 'anon') as user_id, count(*) n {FROM} group by user_id, {W}",
    f"select case when user_id is null then 'x' else user_id end as user_id, sum(amount) {FROM} "
    f"group by 1, {W}",
    f"select upper(user_id) as user_id, {W}.start as hour, max(amount) as "
    f"amount {FROM} group by all",
    "with events as (select * from {events} where amount > 3) select events.url, count(*) n "
    "from events group by events.url, window(events.ts, '1 hour')",
    "with a as (with b as (select * from {events}) select *, upper(url) as page from b) "
    "select page, count(distinct user_id) u from a group by page, session_window(ts, '1 hour')",
    "select e.url, p.name, count(*) n from {events} e, {people} p where e.user_id = p.user_id "
    f"group by e.url, p.name, {W}",
    f"select exists(items, i -> i.qty > 2) as big, count(*) n {FROM} group by 1, {W}",
    f"select transform(tags, t -> upper(t)) as tags, count(*) n {FROM} group by tags, {W}",
    f"select sku, sum(qty) q {FROM} lateral view inline(items) i as sku, qty group by sku, {W}",
    f"select k, max(v) v {FROM} lateral view explode(attrs) a as k, v group by k, {W}",
    f"select pos, t, count(*) n {FROM} lateral view outer posexplode(tags) x as pos, t "
    f"group by pos, t, {W}",
    f"select url ilike '/a' as a, url rlike '^/[A-Z]' as b, url in ('/A', null) as c, count(*) n "
    f"{FROM} group by url, {W}",
    f"select user_id <=> 'u1' as a, amount between 3 and 9 as b, count(*) n {FROM} "
    f"group by user_id <=> 'u1', amount between 3 and 9, {W}",
    f"select flag is true as t, flag is not false as f, count(*) n {FROM} group by flag, {W}",
    f"select amount div 10 as d, amount % 3 as m, amount | 1 as o, count(*) n {FROM} "
    f"group by amount div 10, amount % 3, amount | 1, {W}",
    f"select amount::string as a, try_cast(url as int) as b, count(*) n {FROM} "
    f"group by amount::string, try_cast(url as int), {W}",
    f"select struct(user_id as u, url as Page) as s, count(*) n {FROM} "
    f"group by struct(user_id as u, url as Page), {W}",
    f"select if(count(*) > 1, 'many', 'one') as size, nvl2(max(url), 1, 0) v {FROM} "
    f"group by user_id, {W}",
    f"select count(distinct case when amount > 5 then url end) a, "
    f"count(distinct struct(url, amount)) "
    f"b, sum(distinct amount) c, avg(distinct amount) d {FROM} group by user_id, {W}",
    f"select max(device) a, min(items) b, max(device.os) c, max(struct(score, seq)).seq d {FROM} "
    f"group by user_id, {W}",
    f"select max(ts) filter (where is_bot) a, min(day) b, max(ntz) c, count(*) filter (where "
    f"score > 0) d {FROM} group by user_id, {S}",
    "select user_id, score, window.start as s, count(*) n, count(distinct url) u from {events} e "
    "group by user_id, score, window(ts, '1 hour', '30 minutes')",
    f"select from_utc_timestamp(window.start, 'Europe/Berlin') as local, count(*) n {FROM} "
    f"group by {W}",
    "select date_trunc('day', session_window.start) d, sum(price) p from {events} e "
    "group by user_id, session_window(from_utc_timestamp(ts, 'Europe/Berlin'), '20 minutes')",
    f"select string_agg(url, ',') within group (order by seq) s {FROM} group by user_id, {W}",
    f"select listagg(distinct url, '|') within group (order by url) s {FROM} group by user_id, {W}",
    f"select sort_array(collect_list(amount)) l, sort_array(collect_set(url)) s {FROM} "
    f"group by user_id, {W}",
    f"select map_keys(attrs) k, count(*) n {FROM} group by map_keys(attrs), {W}",
    Refused(f"select attrs, count(*) n {FROM} group by attrs, {W}"),
    f"select nanvl(score, -1) as score, count(*) n {FROM} group by score, {W}",
    f"select abs(score) as score, count(*) n, min(score) m {FROM} group by "
    f"score, {W} having score > 0",
    f"select score as k, score * 2 as d, -score as m, 1 / nullif(score, 0) as i, count(*) n {FROM} "
    f"group by score, {W}",
    f"select cast(score as string) as s, count(*) n {FROM} group by cast(score as string), {W}",
    f"select cast(score as string) as s, count(*) n {FROM} group by score, {W}",
    f"select max(score) > 1 as a, min(score) = 0 as b, sum(score) is null as c {FROM} "
    f"group by user_id, {W}",
    f"select count_if(score = 0) a, count_if(score <=> null) b, count_if(score > 1) c, "
    f"max(greatest(score, 0)) d {FROM} group by user_id, {S}",
    f"select ROUND(AVG(Price), 2) AS Avg_Price, LOWER(Url) AS URL {FROM} GROUP BY LOWER(URL), {W}",
    f"select e.device.os `Device OS`, count(*) `How Many` {FROM} group by E.Device.OS, {W} "
    "having `How Many` > 2",
    f"select device.os o, device.version v, count(*) n {FROM} group by device.os, version, "
    f"device.version, {W}",
    f"select device.version as version, version as v, count(*) n {FROM} "
    f"group by device.version, version, {W} having version > 0",
    f"select url, count(*) n {FROM} group by url, {W} having count(*) > 1 and max(amount) > n "
    "and lower(url) <> 'x'",
    f"select url u, count(*) u2 {FROM} group by u, {W} having u like '/%' or u is null",
    f"select 1 as one, 'a' 'b' as ab, null as nothing, count(*) n {FROM} group by {W}, one, ab",
    f"select extract(hour from window.start) h, window.end - window.start as l, count(*) n {FROM} "
    f"group by {W}",
    f"select day + interval 1 day as next, date_diff(day, date'2024-01-01') d, count(*) n {FROM} "
    f"group by day, {W}",
    f"select to_date(ts) as day, count(*) n {FROM} group by to_date(ts), {W}",
    Refused(f"select to_date(ts) as day, count(*) n {FROM} group by day, {W}"),
    f"select make_date(year(day), month(day), 1) as month, sum(price) s {FROM} "
    f"group by make_date(year(day), month(day), 1), {W}",
    f"select user_id, first(url) is null a, any_value(user_id) b, last(day) >= min(day) c {FROM} "
    f"group by user_id, {S}",
    f"select /*+ coalesce(1) */ user_id -- who\n, count(*) /* all */ n {FROM} "
    f"group by user_id, {W};",
    Refused(f"select user_id, sum(amount) over () s {FROM} group by user_id, {W}"),
    Refused(f"select user_id, count(*) n {FROM} natural join {{people}} p group by user_id, {W}"),
    Refused(f"select user_id, count(*) n {FROM} group by user_id, {W} order by n desc limit 3"),
    Refused(f"select user_id, (select max(name) from {{people}}) m {FROM} group by user_id, {W}"),
    Refused(
        f"select user_id, count(*) n {FROM} where user_id in (select user_id from {{people}}) "
        f"group by user_id, {W}"
    ),
    Refused(f"select user_id, current_date as today, count(*) n {FROM} group by user_id, {W}"),
    Refused(
        "select rollup.user_id, count(*) n from {events} as rollup group by rollup.user_id, "
        "window(rollup.ts, '1 hour')"
    ),
    Refused(f"select user_id, count(*) n {FROM} group by grouping sets ((user_id, {W}))"),
    Refused(f"select nothing, count(*) n {FROM} group by nothing, {W}"),
    f"select user_id, approx_count_distinct(url) a, count(url) filter (where url > '') b {FROM} "
    f"group by user_id, {W}",
]
