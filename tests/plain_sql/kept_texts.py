"""Texts that Spark takes and that are kept: the windowed result must be that of the very text."""

from __future__ import annotations

SESSION = "session_window(viewed_at, '30 minutes')"

KEPT = [
    # sessions
    "select user_id, session_window.start as session_start, session_window.end as session_end, "
    "count(*) as page_views, sum(amount) / count(*) as per_view from views -- the views\n"
    f"where not is_bot group by user_id, {SESSION} having count(*) > 1",
    "select user_id, session_window(viewed_at, '1 day'), count(*) from views group by all",
    "select user_id, session_window(seen_at, '1 day 2 hours') w, count(*) from views group by all",
    *[
        f"select session_window(viewed_at, '{gap}') w, count(*) from views group by user_id, w"
        for gap in ("1 month -1 day", "1 day -23 hours", "2 months -1 day")
    ],
    "select session_window.end - session_window.start as d from views "
    "group by session_window(viewed_at, '24 hours')",
    "select user_id, session_window(seen_at, minutes || ' minutes') w, w.end - w.start as d, "
    "sum(price) from views group by 1, 2",
    "select session_window.end as e, sum(price) from views group by device, session_window("
    "viewed_at, case when device = 'web' then '10 minutes' when device = 'app' then '1 day' else "
    "'-1 second' end)",
    "select session_window.start, count(*) from views "
    "group by session_window(viewed_at + interval 1 hour, make_interval(0, 0, 0, 0, 0, minutes))",
    f"select session_window, {SESSION} as again, {SESSION}.start from views group by {SESSION}",
    f"select upper(user_id) as u, count(*) n from views group by user_id, u, {SESSION}",
    f"select 'web' as channel, count(*) n from views group by channel, user_id, {SESSION}",
    "select v.user_id as i, count(*) as level from views v join people p on v.user_id = p.user_id "
    f"group by v.user_id, p.level, {SESSION} having level > 1",
    f"select cast(count(*) as string), count(*) as n, n + 1 from views group by user_id, {SESSION}",
    "select user_id, count(*) filter (where (is_bot is true) is not null and (((amount))) is not "
    "null) as n, array(url, 'b')[0] as u from views group by user_id, array(url, 'b')[0], "
    f"{SESSION}",
    # windows
    "select window.start as s, count(*) n from views group by s, window(viewed_at, '1 hour')",
    "select date(window.end) as d, user_id, count(*) n from views "
    "group by d, concat(user_id, window.start), user_id, window(viewed_at, '1 hour')",
    "select window, window.start s, sum(score), count(distinct url) u from views "
    "group by window(viewed_at, '1 hour', '20 minutes', '-7 minutes')",
    "select window(viewed_at, '1 hour') as window, count(*) from views group by window",
    "select window(viewed_at, '60 minutes').end from views group by window(viewed_at, '1 hour')",
    "select user_id, window.start from views group by user_id, window(viewed_at, '1 hour').start",
    "select user_id, window(viewed_at, '1 hour').start w from views group by 1, w",
    "select window.start as s from views group by window(viewed_at, '1 week')",
    "select window.start as s from views group by window(seen_at, '90 minutes', '40 minutes')",
    "select window.end - interval 1 microsecond as t from views group by window(seen_at, '1 hour')",
    "select window(viewed_at, '1 hour').start as s, window(viewed_at, '1 hour').end as e, "
    "count(*) from views group by all",
    # comments within what is one word to the reader
    "select user_id, listagg(url) within group (order /* by */ by url) as l, count(*) n from views "
    f"group -- by\nby user_id, {SESSION} having /* more */ count(*) > 0",
    # keys
    f"select upper(url) as url, count(*) from views group by url, {SESSION}",
    f"select count(*) as url from views group by user_id, url, {SESSION}",
    "select lower(url) || 'x' as p, length(lower(url)) n from views "
    f"group by lower(url), {SESSION}",
    "select date(viewed_at) day, device, count(*) n from views "
    f"group by day, device, {SESSION} having n > 1 and session_window.start is not null",
    f"select amount + 1 + 1 as b, (amount + 1) * 2 c from views group by amount + 1, {SESSION}",
    "select amount + 1 > 3 and not amount + 1 in (5, 6) as b, (amount + 1) * 2 between amount + 1 "
    f"and 9 or amount + 1 is null as c from views group by amount + 1, {SESSION}",
    "select amount > 1 and amount < 9 or false as b from views "
    f"group by amount > 1, amount < 9, {SESSION}",
    "select -amount as b, case when amount > 1 then 'x' end c from views "
    f"group by amount, {SESSION}",
    f"select place.city, place.zip, count(*) n from views group by place, {SESSION}",
    f"select place.city, max(place.zip) z from views group by place.city, {SESSION}",
    "select place.city as x, count(*) as city from views "
    f"group by place.city, {SESSION} having city > 1",
    f"select 'x' as k, 1 as one, null as n, count(*) c, {SESSION} from views group by all",
    f"select user_id, count(*) from views group by user_id, user_id, (user_id), {SESSION}",
    f"select viewed_at, count(*) from views group by viewed_at, {SESSION}",
    # names
    "select `user id`, count(*) as `how many`, max(`user id`) as `a.b`, min(amount) as `x``y`, "
    f"sum(seq) as `größe`, count(url) as `count` from views group by `user id`, {SESSION}",
    "select `place`.`city`, `count`, `select` from (select *, 1 as `count`, 2 as `select` from "
    f"views) x group by place.city, `count`, `select`, {SESSION}",
    f"select v.USER_ID, max(V.Amount) from views v group by User_Id, {SESSION}",
    f"select sum(amount) as total, total / count(*) as r, (total + 1) * 2 as q from views "
    f"group by user_id, {SESSION} having r > 3",
    "select user_id, max(amount) as amount from views "
    f"group by user_id, {SESSION} having amount > 2 and sum(amount) > 5",
    "select user_id, sum(amount) as amount from views "
    f"group by user_id, {SESSION} having amount > -2 and amount >= 2L and amount not in (-(3), 4S)",
    "select user_id as k, -amount as amount from views "
    f"group by user_id, amount, {SESSION} having amount > 2",
    f"select count(*) from views group by {SESSION} having `count(1)` > 1",
    f"select user_id, count(*) n from views group by user_id, {SESSION} having (n > 1 and "
    "max(viewed_at) > session_window.start and session_window.end is not null) = true",
    # an item of the window's name, which goes before the window in items, and behind it in HAVING
    "select user_id, window.start as Window, md5(cast(window as string)) as id, date(`window`) d, "
    "count(*) as n from views group by user_id, window(viewed_at, '1 hour')",
    "select window(viewed_at, '1 hour') as w, window.end as window, window as e, count(*) as n "
    "from views group by w having date(window.start) > date'1970-01-01'",
    "select place.window, string(window) as f, window(viewed_at, '1 hour').end as e from (select "
    "*, named_struct('window', amount) as place from (select * except (place) from views)) x "
    "group by place, window(viewed_at, '1 hour')",
    "select user_id, struct(session_window.start as start, max(viewed_at) as end) as "
    "session_window, session_window.end - session_window.start as d from views group by user_id, "
    f"{SESSION}",
    "select user_id, count(*) as session_window, session_window + 1 as m from views "
    f"group by user_id, {SESSION} having m > 2 and session_window.start is not null",
    # bounds of a session beside an aggregate that they cannot be parted from
    "select user_id, session_window.start as st, session_window.end as e, count(*) n from views "
    f"group by user_id, {SESSION} having (unix_micros(e) - unix_micros(st)) / n > 10",
    "select user_id, session_window.start as st, session_window.end as e from views group by "
    f"user_id, {SESSION} having count(*) / (timestampdiff(MINUTE, st, e) + 1) > 0.01",
    "select user_id, session_window.start as st, count(*) n from views group by user_id, "
    f"{SESSION} having n > (hour(st)) - 20 or not coalesce(sum(amount), 0) <= hour(st)",
    f"select user_id, count(*) n from views group by user_id, {SESSION} having count(*) > case "
    "when dayofweek(session_window.start) in (1, 7) then 2 else 1 end",
    "select max(timediff(Minute, viewed_at, viewed_at + interval 3 hours)) as m, timediff(hour, "
    "session_window.start, session_window.end) as h, timediff(day, seen_at, date'2024-12-01') d, "
    f"count(*) as n from views group by timediff(day, seen_at, date'2024-12-01'), {SESSION}",
    "select user_id, timestampdiff(MINUTE, session_window.start, session_window.end) + 1 as long, "
    f"count(*) as n from views group by user_id, {SESSION} having n / long > 0.01",
    "select user_id, count(*) / (hour(session_window.start) + 1) as r from views "
    f"group by user_id, {SESSION} having r > 0.01 and user_id in ('u1')",
    f"select user_id, max(viewed_at) as m from views group by user_id, {SESSION} having "
    "m = session_window.start",
    # words that can begin a clause
    "select limit, v.offset, max(seq) as last from (select *, amount as offset, minutes as limit "
    f"from views) v group by limit, v.offset, {SESSION} having offset > 1 and not limit = -5 and "
    "(last > offset) or case when offset is null then limit else offset end between limit and 9",
    # aggregates
    "select max(struct(viewed_at, url)).url as u, max(struct(v.Viewed_At, v.URL)) s from views v "
    f"group by user_id, {SESSION}",
    "select struct(count(*) as n, session_window as w) s, struct(User_Id) t, "
    f"named_struct('w', session_window) u from views v group by user_id, {SESSION}",
    "select to_json(struct((User_Id), ((user_id)) as u)) a, max(to_json(struct((v.Amount)))) b, "
    "max(to_json(struct((v.amount)))) c, max(to_json(((AMOUNT), 1))) d, count(*) n "
    f"from views v group by user_id, {SESSION}",
    "select not(is_bot) as human, max(amount)is not null as m, case when(is_bot)then sum(amount)"
    "else 0 end c, sum(amount)in(1,2) i, (max(amount) > 1 or(is_bot), device) in ((true,'web')) t, "
    "count(*)from views where(amount > 0)group by user_id, is_bot, device, window(viewed_at,"
    "'1 hour')having not(is_bot)and count(*)between 1 and 3",
    "select transform(sort_array(collect_list(amount)), x -> x + count(*)) as l, "
    f"filter(array(1, 2), USER_ID -> user_id > 1) as k from views group by user_id, {SESSION}",
    "select percentile_cont(0.5) within group (order by amount desc) c, count(*) filter (where "
    "device = 'web' or amount > 2) d, sum(amount) filter (where true) e, first(url) filter (where "
    f"not true or null) ignore nulls is null f from views group by user_id, {SESSION}",
    "select timestampadd(minute, 5, session_window.start) as t, max(timestampadd(hour, 1, "
    f"viewed_at)) m from views group by user_id, {SESSION}",
    f"select session_window.start from views group by user_id, {SESSION}",
    "select user_id, `max`(amount), `Upper`(user_id) as u, max(price) from views "
    "where `upper`(url) = '/HOME' group by user_id, `session_window`(viewed_at, '1 hour') "
    "limit all",
    # what is below
    "with a as (select *, url as factor from views), b as (select *, factor || 'x' as u, u as v "
    "from a where factor is not null), c as (with d as (select *, v as threshold from b) select "
    "user_id, threshold || u as t, viewed_at, seq, e from d lateral view explode(items) e as e "
    f"where e = 'x' or threshold > 'b') select t, e, count(*) n from c group by t, e, {SESSION}",
    "with a as (select *, upper(url) as u from views where device is not null), b as (select "
    "user_id, u, viewed_at as t, seq from a) select u, count(*) c, min(t) as first from b "
    "group by u, session_window(t, '1 hour')",
    f"select x, count(*) n from views lateral view explode(items) e as x group by x, {SESSION}",
    "select user_id, x from (select user_id, explode(items) as x, viewed_at, seq from views) "
    f"group by user_id, x, {SESSION}",
    f"select user_id, name, count(*) n from views left join people using (user_id) "
    f"group by user_id, name, {SESSION}",
    f"select v.user_id, count(*) n from views v left join people p using (user_id) "
    f"group by user_id, {SESSION}",
    # both columns of one name in USING, of which the left one has no relation to be named by
    "select user_id, p.user_id as known, count(p.user_id) as k, count(*) as n from (select * from "
    f"views) left join people p using (user_id) group by user_id, p.user_id, {SESSION}",
    "select user_id, count_if(o.user_id is null) n, count(total) as t from (select * from views) "
    "left join (people p left join (select user_id, total from orders) o using (user_id)) "
    f"using (user_id) group by user_id, {SESSION} having max(p.user_id) is null or max(total) = 7",
    # a table that is only looked up, twice
    "select o.name as o, max(d.level) as level from views v join people o on o.user_id = v.user_id "
    f"left join people as d on d.level = o.level + 1 group by o.name, {SESSION}",
    "with e as (select v.user_id, viewed_at, v.seq as k, k + 0 as seq, name from views v left "
    f"join people p using (user_id)) select name, count(*) n from e group by name, {SESSION}",
    "with e as (select v.*, o.name as o, d.name as d from views v left join people o "
    "using (user_id) left join people d on d.user_id = v.device) "
    f"select o, d, count(*) as n from e group by o, d, {SESSION}",
    "select total, count(*) n from views v left join (select p.user_id, o.total from people p left "
    f"join orders o using (user_id)) q on q.user_id = v.user_id group by total, {SESSION}",
    # queries that are only looked up, and read whole
    "select g.top, count(*) n from views v left join (select user_id, max(level) as top, count(*) "
    "filter (where name is not null) as times from people group by user_id having count(*) > 0) g "
    f"on g.user_id = v.user_id group by g.top, {SESSION}",
    "with newest as (select p.*, row_number() over (partition by user_id order by level desc, "
    "name) as latest from people p), seen as (select v.*, newest.name from views v left join "
    "newest on newest.user_id = v.user_id and latest = 1) select name, count(*) n, max(seq) as seq "
    f"from seen group by name, {SESSION}",
    "select g.names, g.has, count(*) n from views v left join (select user_id, "
    "array_sort(array_distinct(collect_list(name))) as names, "
    "exists(collect_set(name), x -> x = 'ann') as has from people group by user_id) g "
    f"on g.user_id = v.user_id group by g.names, g.has, {SESSION}",
    "select g.few, count(*) n from views v left join (select user_id, "
    "size(array_intersect(collect_set(name), array('ann', 'bob'))) as few from people group by "
    f"user_id) g on g.user_id = v.user_id group by g.few, {SESSION}",
    "select g.top, g.names, count(*) n from views v left join (select user_id, last_value(level) "
    "over v as top, sort_array(collect_set(name) over (partition by user_id)) as names from people "
    "window w as (partition by user_id order by level, name rows between unbounded preceding and "
    "unbounded following), v as w) g on g.user_id = v.user_id group by g.top, g.names, "
    f"{SESSION}",
    "with some as (select distinct user_id, level from people where level in (select max(level) "
    "from people union select 1)), every as (select user_id from some union all select 'u1') "
    f"select user_id, count(*) n from views join every using (user_id) group by user_id, {SESSION}",
    "select label, count(*) n from views v left join (values ('web', 'Web'), ('app', 'App')) as "
    f"t(device, label) on t.device = v.device group by label, {SESSION}",
    f"select v.user_id, count(*) n from views v left anti join (select user_id, lag(level) over "
    "(partition by user_id order by level, name) as before from people) b on b.user_id = v.user_id "
    f"and b.before is not null group by v.user_id, {SESSION}",
    "with f as (select v.*, p.level from views v left join people p using (user_id)) select "
    "f.level, q.name, count(*) as n from f left join people q on q.level = f.level + 1 "
    f"group by f.level, q.name, {SESSION}",
    "select p.name, x.c, count(*) as n from views v left join (people p join (select level, "
    "count(*) as c from people group by level) x on x.level = p.level) on p.user_id = v.user_id "
    f"group by p.name, x.c, {SESSION}",
    "select names, count(*) as n from views v cross join (select listagg(name, ',') within group "
    f"(order by name) as names from people) p group by names, {SESSION}",
    "select /*+ broadcast(p) */ p.name, min(p.level) c from views v join people p "
    f"on p.user_id = v.user_id group by p.name, {SESSION}",
    f"select user_id, count(*) n from views left semi join people using (user_id) "
    f"group by user_id, {SESSION}",
    "select count(*) c from (select * from views where false limit 0) x "
    f"group by user_id, {SESSION}",
    f"select x, count(*) n from views v, lateral explode(v.items) as e(x) group by x, {SESSION}",
    # variables of lambdas in other letters, with names of columns, of items and of the window
    "select user_id, transform(array(named_struct('start', t)), Window -> window.start) as s from "
    "(select *, timestamp'2024-01-01 00:00:00' as t from views) group by user_id, t, "
    "window(viewed_at, '1 hour')",
    "select exists(items, User -> user = 'x') as u, count(*) as n from views "
    f"group by exists(items, User -> user = 'x'), {SESSION}",
    "select url, count(*) as n, transform(array(1, 2), n -> n + count(*)) as t from views "
    f"group by url, {SESSION}",
    "select max(exists(array(1), amount -> amount > v.amount)) as t, max(amount) as m from views v "
    f"group by user_id, {SESSION}",
    "select v.url, exists(array('/Buy'), Url -> url = v.url) as b from views v "
    f"group by v.url, {SESSION}",
    "select user_id, count(*) as n from views v group by user_id, session_window(viewed_at, if("
    "exists(array(1), minutes -> minutes < v.minutes), '1 hour', '5 minutes'))",
    # words that Spark would read as a day where a date is wanted
    "select 'now' as label, coalesce(url, 'today') as u, if(url = 'now', 'now', url) as v, "
    "concat('now', '-', url) as c, 'today' || url as d, upper('know') as k, count(*) as n from "
    f"views group by url, {SESSION}",
    "select case when url = 'today' then 'now' else device end as u, url in ('today', 'now') as i, "
    f"url like 'now' as l, count(*) n from views group by 1, 2, 3, {SESSION}",
    "select count_if(lower(url) = 'today') as a, count_if(array_contains(items, 'now')) as b, "
    f"max(nvl(nullif(device, 'now'), 'now')) as c from views group by user_id, {SESSION}",
    "select concat(url, chr(9)) as c, array_join(array_sort(collect_set(url)), chr(10)) as j, "
    "max(split(url, chr(47))[1]) as s, max(translate(url, '/', lpad('', 1, '-'))) as t, "
    f"count(*) as n from views group by url, {SESSION}",
    "with c as (select *, array(struct('today' as label, viewed_at as at)) as l from views) "
    "select user_id, count(*) as n, max(l[0].label) as d from c where l[0].at >= seen_at or "
    f"element_at(l, 1).at >= viewed_at group by user_id, {SESSION}",
    "with c as (select *, 'today' as label, '09:30' as opens from views) select label, count_if("
    "date_format(viewed_at, 'HH:mm') > opens) as l, count_if(url = opens) as n from c "
    f"where label <> device and label in ('today', url) group by label, {SESSION}",
    "with c as (select *, array('09:00', '10:00') as l from views) select l[0] as o, count_if("
    "date_format(viewed_at, 'HH:mm') > l[0]) as a, count_if(array_contains(l, url)) as n, "
    f"count_if(element_at(l, 2) = url) as e from c group by l, {SESSION}",
    "with c as (select *, case when amount > 1 then '09:30' else 'now' end as o, struct('10:00' as "
    "a) as s from views), d as (select *, o as p from c) select p, case when max(amount) > 1 then "
    "'09:30' else '10:00' end as q, max(url) = q as e, count_if("
    "date_format(viewed_at, 'HH:mm') > p) as n from d where p <> url or s.a > device "
    f"group by p, {SESSION} having q <> 'now' and max(url) > q",
    "select case when hour(viewed_at) < 12 then '09:00' end as c, if(amount > 1, '10:00', null) i, "
    "nvl2(device, 'now', 'later') as v, decode(device, 'today', 'now', 'web', url) as d, count_if("
    "url is distinct from 'today' or url in ('now', null)) as n, count_if(array_contains(array("
    "'09:00', '10:00'), date_format(viewed_at, 'HH:mm'))) as a from views "
    f"group by 1, 2, 3, 4, {SESSION}",
    # times beside texts, and with a date
    "select count_if(date_format(viewed_at, 'HH:mm') between '09:00' and '17:00') as b, count_if("
    "date_format(viewed_at, 'HH') || ':00' in ('09:00', '10:00')) as i, "
    "count_if(url >= '09:30' or substring(cast(viewed_at as string), 12, 5) < '10:00') as s, "
    "max(case when amount > 1 then '00:00' else '12:00' end) = '00:00' as c from views "
    f"group by user_id, {SESSION}",
    "select sum(case device when 'T1' then 1 when '09:30' then 2 else 0 end) as c, "
    "count_if(element_at(items, 1) = 'T1') as e, "
    "count_if(array_contains(split(url, '/'), 'T9')) as s, "
    "count_if(url = cast('09:30' as string)) as t, collect_list(url)[0] = 'T1' as l, "
    "count_if(from_unixtime(unix_timestamp(viewed_at), 'HH:mm') >= '09:30') as f "
    f"from views group by user_id, {SESSION}",
    "select date_format(viewed_at, 'HH:mm') >= '09:30' as late, count(*) as n from views where "
    "viewed_at >= '2024-01-01' || ' 10:00' and viewed_at > to_timestamp('2024-01-01 10:00:00') and "
    f"viewed_at > to_timestamp(date(seen_at) || ' 00:00') group by 1, {SESSION} "
    "having max(date_format(viewed_at, 'HH:mm')) < '23:30'",
    # commas and several brackets of types
    "select items::array<string> as i, max(cast(map(url, array(amount)) as map<string, array<int>>)"
    "['/Buy']) as m, max(named_struct('a', amount, 'b', url)::struct<a:bigint, b:string>) as s, "
    "cast(array(struct(array(max(amount)) as a)) as array<struct<a:array<bigint>>>) as l from "
    f"views group by items::array<string>, {SESSION}",
    # signs for which Spark puts in settings, and how they are written
    r"select max(url || '$\{spark.app.name}') as a, max(url || '$' '{spark.app.name}') as b, "
    "concat(url, '${', '${}', '${a b}') as c, count(*) as n from views "
    f"group by url, {SESSION}",
    # items that are numbers, beside decimals
    "select user_id, 3 as parts, -3L as b, (7S) as c, 0.25 as d, parts as e, sum(price) / parts as "
    "f, string(sum(price) / b) g, string(sum(price) % c) h, string(avg(price) * d) i, sum(price) / "
    f"e + parts as j from views group by user_id, parts, {SESSION} "
    "having string(sum(price) / parts) like '%3333333333%' or b < c",
    "select 99999999999999999999 as k, max(minutes) < k as h, bool_or(is_bot) = k as b "
    f"from views group by user_id, {SESSION}",
    # words that sqlglot has others for
    "select is_bot is unknown as a, is_bot is not unknown as b, url like some ('/H%', '/B%') as c, "
    "url not ilike some ('/h%', '/x') as d, max(cast(device as character(3))) as e, "
    "some(is_bot) as f, bool_or(is_bot) is unknown as g, count(*) /* a backslash \\\n */ as n "
    f"from views group by is_bot is unknown, is_bot is not unknown, url, {SESSION}",
    # numbers that are literals, beside the same ones that are none
    "select string(sum(price / 3L)) as a, string(sum(price / 3::bigint)) as b, string(sum(price / "
    "7S)) as c, string(sum(price / cast(7 as smallint))) as d, string(sum(price / -3)) as e, "
    "string(sum(price / -(3))) f, string(sum(price / (-(-7L)))) g, string(sum(price / - -7L)) h, "
    f"price / -3 as i, price / (-(3)) as j, count(*) as n from views group by i, j, {SESSION}",
    "select -amount as a, -(amount) + 1 as b, (3) + amount * 2 as c, count(*) n from views "
    f"group by -(amount), amount * (2), {SESSION}",
    # a column called table
    "select max(table) as a, max((table is null)) as b from (select *, amount as table from views) "
    f"v group by user_id, {SESSION}",
    # others
    "select all user_id, count(all amount) c, sum(all amount) as s, count(all url, amount) as d "
    f"from views group by user_id, {SESSION}",
    f"select user_id, sum(amount) as a from views group by user_id, {SESSION} having sum(amount)",
    f"select user_id, max(url) as u from views group by user_id, {SESSION} having max(is_bot)",
    "select shiftright(amount, 1) as r, amount + 1 << 2 as l, count(*) n from views "
    f"group by amount, {SESSION}",
    "select is_bot and amount > 1 or is_bot as b, count(*) n from views "
    f"group by is_bot and amount > 1, is_bot, {SESSION}",
    "with a as (select * from views), b as (with a as (select url as u, viewed_at, seq from a) "
    f"select * from a) select u, count(*) n from b group by u, {SESSION}",
    "with user as (select * from views) select user.url, count(*) n from user "
    "group by user.url, session_window(user.viewed_at, '30 minutes')",
    "select max(substring(url from 2 for 1)) as u, substring(device from 1 for 2) as d from views "
    f"group by device, {SESSION}; -- the end",
    "select max(viewed_at + interval '30 minutes') as m, count_if(seen_at > timestamp_ntz"
    "'2024-03-10 00:00:00' + interval '1 day 2 hours') as c from views where viewed_at < "
    f"timestamp'2024-12-01' - interval '1 month' group by user_id, {SESSION}",
    "select max(viewed_at - interval '1' day '2' hours) as a, max(viewed_at) - interval 5 hours 30 "
    "minutes as b, max(-1::string) as c from views group by user_id, window(viewed_at, '1 hour')",
    "select max(viewed_at + interval '.5 seconds') as a, max(viewed_at + interval '5 seconds') b, "
    "max(viewed_at + interval '- 1 day') as c, max(viewed_at + interval '1 day') as d, "
    "viewed_at + interval '-.5 seconds' as e, viewed_at + interval '5 seconds' as f from views "
    "group by e, f, window(viewed_at, '1 hour')",
    # strings that touch, and strings apart
    "select max(url || 'O''Brien') as a, max(url || 'O' 'Brien') as b, 'O''Brien' as c, "
    "'O' 'Brien' as d, max(url || '''') as e, count(*) as n from views "
    f"group by 'O''Brien', {SESSION}",
    # signs
    "select max(+cast(amount as string)) as m, max(cast(amount as string)) as t, "
    "max(viewed_at + interval -'3' hours) as a, max(viewed_at + interval +2 hours) as b, "
    f"max(url collate utf8_lcase::string) as u from views group by user_id, {SESSION}",
    # an item that looks like a call
    "select user_id, not(bool_or(is_bot)) as human, human is null as unknown from views "
    f"group by user_id, {SESSION} having human is not null",
    # operators that bind in Spark's order, beside the same with brackets
    "select bit_or(amount & 1 << 2) as a, bit_or((amount & 1) << 2) as b, "
    "bit_xor(seq | amount & 1) as c, bit_xor((seq | amount) & 1) as d, bit_xor(seq ^ amount & 1) "
    "as e, bit_xor((seq ^ amount) & 1) as f, max(seq || 1 + 2) as g, max(seq || (1 + 2)) as h "
    f"from views group by {SESSION} having bit_or(amount & 1 << 2) > 3 "
    "and bit_or((amount & 1) << 2) is not null",
    "select amount & 1 << 2 as a, (amount & 1) << 2 as b, (amount & 1 << 2) + 1 as c, "
    f"seq % 8 | amount & 1 | 2 as d, count(*) n from views group by amount & 1 << 2, "
    f"(amount & 1) << 2, seq % 8 | amount & 1, {SESSION}",
    "select is_bot = is_bot < is_bot as a, is_bot = (is_bot < is_bot) as b, is_bot > is_bot in "
    "(false) as c, is_bot > (is_bot in (false)) as d, is_bot > is_bot between false and true as e, "
    "is_bot > (is_bot between false and true) as f, is_bot = (is_bot is true) as g, "
    "is_bot = is_bot is true as h, count(*) n from views "
    f"group by 1, 2, 3, 4, 5, 6, 7, 8, {SESSION}",
    # keys inside of other expressions
    "select extract(hour from seen_at) + 1 as h, count(*) n from views "
    f"group by extract(hour from seen_at), {SESSION} having extract(hour from seen_at) > 5",
    # items of another whole type than a column of their name
    *(
        f"select user_id, sum(amount) as amount, cast(max(amount) as int) as seq, min(cast(amount "
        f"as smallint)) as minutes from views group by user_id, {SESSION} having {condition}"
        for condition in (
            "amount > 2 and (seq) >= 3",
            "1 = minutes or amount in (3, 50)",
            "minutes <> 1",
            "amount between 2 and 3000000000 and not seq < 2",
        )
    ),
    "select v.amount is null as h, coalesce(max(url), '') as amount from views v "
    f"group by v.amount is null, {SESSION} having amount is not null",
    "select amount > 2 is not null as h, cast(amount % 2 as string) as s, "
    "struct(amount % 2 as k, count(*) as n) as t from views "
    f"group by amount > 2, amount % 2, {SESSION}",
]
