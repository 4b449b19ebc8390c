/* late_rows */
cache lazy table m__ew_late_4e27a185 as
select * from (
with
new_rows as (
    select *, case when _ew_reason is null then unix_micros(viewed_at) end as _ew_time
    from (
        select arrived.*, case
            when user_id is null then 'null_key'
            when viewed_at is null then 'null_event_time'
            when unix_micros(viewed_at) < -62135596800000000 then 'before_origin'
            when unix_micros(viewed_at) > 253402300799999999 then 'ahead_of_time'
        end as _ew_reason
        from s.views as arrived
        where arrived.arrival_seq > 100 and arrived.arrival_seq <= 30100
    ) as arrived
),

slices as (
    select * from m__ew_slices_4e27a185 where _ew_first is not null
),

clocks_before as (
    select known.user_id, max(known._ew_clock) as _ew_before
    from (
        select user_id, _ew_clock
        from s.m__ew_clocks
        where _ew_clock is not null and _ew_refresh >= 1713312000000000 and _ew_refresh < 1713312000000001
        union all
        select user_id, unix_micros(stored.window_end) as _ew_clock
        from s.m as stored
        where _ew_refresh > 1713312000000000 and _ew_refresh < 1713312000000001
    ) as known
    left semi join m__ew_slices_4e27a185 as near on known.user_id <=> near.user_id
    group by known.user_id
),

touched as (
    select
        slices.user_id,
        min(slices._ew_first) as _ew_first,
        max(slices._ew_until) as _ew_until
    from slices
    group by slices.user_id
),

stored_windows as (
    select
        stored.user_id,
        stored.window_start,
        stored.window_end,
        unix_micros(stored.window_start) as _ew_first,
        unix_micros(stored.window_end) as _ew_last,
        unix_micros(stored.window_end) + 1800000000 as _ew_until,
        stored.views,
        stored.revenue,
        stored._ew_landing_value,
        stored._ew_landing_by,
        stored._ew_segment
    from s.m as stored
    inner join touched on stored.user_id = touched.user_id
    where stored._ew_segment >= 19829
        and unix_micros(stored.window_end) + 1800000000 >= touched._ew_first and unix_micros(stored.window_start) <= touched._ew_until
),

checked_rows as (
    select
        clocked.*,
        greatest(max(clocked._ew_time) over (partition by clocked.user_id order by clocked.arrival_seq), clocks_before._ew_before) as _ew_clock,
        cast(row_number() over (
            partition by clocked.user_id
            order by clocked.arrival_seq, clocked._ew_time, clocked._ew_until
        ) as bigint) as _ew_item,
        to_json(named_struct('k1', clocked.user_id, 'b1', if(is_valid_utf8(clocked.user_id), null, hex(clocked.user_id)))) as _ew_key
    from (
        select *, _ew_time + 1800000000 as _ew_until
        from new_rows
    ) as clocked
    left join clocks_before on clocked.user_id <=> clocks_before.user_id
    where pmod(hash(clocked.user_id), 1048576) in (17, 4711)
),

late_candidates as (
    select *
    from checked_rows
    where _ew_time is not null
),

late_windows as (
    select
        stored_windows.*,
        -row_number() over (
            partition by stored_windows.user_id
            order by stored_windows.window_start, stored_windows.window_end
        ) as _ew_item
    from stored_windows
    where pmod(hash(stored_windows.user_id), 1048576) in (17, 4711)
),

replayed as (
    select _ew_key, _ew_item, _ew_window, _ew_window_last, false as _ew_missed
    from (
        select inline(event_windows_replay_sessions(
            _ew_key, _ew_item, _ew_first, _ew_last, _ew_until, _ew_clock,
            cast(86400000000 as bigint), cast(null as bigint),
            cast(20000000 as bigint)
        )) as (_ew_key, _ew_item, _ew_window, _ew_window_last)
        from (
            select
                _ew_key, _ew_item,
                _ew_time as _ew_first, _ew_time as _ew_last, _ew_until, _ew_clock
            from late_candidates
            where _ew_time is not null
            union all
            select
                to_json(named_struct('k1', late_windows.user_id, 'b1', if(is_valid_utf8(late_windows.user_id), null, hex(late_windows.user_id)))), cast(_ew_item as bigint),
                _ew_first, _ew_last, _ew_until, cast(null as bigint)
            from late_windows
        ) as replay_items
        group by pmod(hash(_ew_key), 8)
    ) as replayed_sessions
)

select
    checked_rows.user_id as c1,
    checked_rows.viewed_at as c2,
    checked_rows.arrival_seq as c3,
    checked_rows.shard as c4,
    checked_rows.page as c5,
    checked_rows.amount as c6,
    checked_rows.idle_minutes as c7,
    checked_rows._ew_time, checked_rows._ew_clock, checked_rows._ew_until,
    checked_rows._ew_item,
    sha2(checked_rows._ew_key, 256) as _ew_key,
    replayed._ew_window, replayed._ew_window_last,
    case
        when checked_rows._ew_reason is not null then checked_rows._ew_reason
        when replayed._ew_window is null then 'late'
    end as _ew_reason
from checked_rows
left join replayed
    on checked_rows._ew_key = replayed._ew_key and checked_rows._ew_item = replayed._ew_item
) as cached
where 'm__ew_late_4e27a185' is not null
;

/* dropped_rows */
insert into s.m__dropped (user_id, viewed_at, arrival_seq, reason, stream_time, run_id, source_row, _ew_refresh)
select *
from (
with
judged as (
    select user_id, viewed_at, arrival_seq, _ew_reason, _ew_clock as _ew_stream_time, to_json(named_struct('user_id', kept.user_id, 'viewed_at', kept.viewed_at, 'arrival_seq', kept.arrival_seq, 'shard', kept.shard, 'page', kept.page, 'amount', kept.amount, 'idle_minutes', kept.idle_minutes), map('ignoreNullFields', 'false', 'timeZone', 'UTC', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS')) as _ew_source_row from (select
        c1 as user_id,
        c2 as viewed_at,
        c3 as arrival_seq,
        c4 as shard,
        c5 as page,
        c6 as amount,
        c7 as idle_minutes,
        _ew_time, _ew_clock, _ew_until, _ew_item, _ew_key, _ew_window, _ew_window_last, _ew_reason
    from m__ew_late_4e27a185
    where _ew_item > 0) as kept where _ew_reason <> 'null_key'
)

select
    judged.user_id, judged.viewed_at, judged.arrival_seq,
    judged._ew_reason as reason,
    timestamp_micros(judged._ew_stream_time) as stream_time,
    '00000000-0000-4000-8000-000000000001' as run_id,
    judged._ew_source_row as source_row,
    cast(1713312000000001 as bigint) as _ew_refresh
from judged
where judged._ew_reason is not null
) as found
where not exists (select 1 from s.m__dropped where _ew_refresh = 1713312000000001 and run_id = '00000000-0000-4000-8000-000000000001')
and not exists (select 1 from s.m where _ew_refresh >= 1713312000000001)
;

/* windows */
merge into s.m as stored
using (
with
slices as (
    select * from m__ew_slices_4e27a185 where _ew_first is not null
),

late_rows as (
    select
        c1 as user_id,
        c2 as viewed_at,
        c3 as arrival_seq,
        c4 as shard,
        c5 as page,
        c6 as amount,
        c7 as idle_minutes,
        _ew_time, _ew_clock, _ew_until, _ew_item, _ew_key, _ew_window, _ew_window_last, _ew_reason
    from m__ew_late_4e27a185
    where _ew_item > 0
),

touched as (
    select
        slices.user_id,
        min(slices._ew_first) as _ew_first,
        max(slices._ew_until) as _ew_until
    from slices
    group by slices.user_id
),

stored_windows as (
    select
        stored.user_id,
        stored.window_start,
        stored.window_end,
        unix_micros(stored.window_start) as _ew_first,
        unix_micros(stored.window_end) as _ew_last,
        unix_micros(stored.window_end) + 1800000000 as _ew_until,
        stored.views,
        stored.revenue,
        stored._ew_landing_value,
        stored._ew_landing_by,
        stored._ew_segment
    from s.m as stored
    inner join touched on stored.user_id = touched.user_id
    where stored._ew_segment >= 19829
        and unix_micros(stored.window_end) + 1800000000 >= touched._ew_first and unix_micros(stored.window_start) <= touched._ew_until
),

merge_inputs as (
    select
        slices.user_id, slices._ew_first, slices._ew_last, slices._ew_until,
        slices.views,
        slices.revenue,
        slices._ew_landing_value,
        slices._ew_landing_by,
        true as _ew_new,
        null as _ew_stored
    from slices
    where pmod(hash(slices.user_id), 1048576) not in (17, 4711)
    union all
    select
        user_id, min(_ew_time) as _ew_first, max(_ew_time) as _ew_last, max(_ew_until) as _ew_until,
        count(*) as views,
        sum(amount) as revenue,
        min_by(page, named_struct('ordered_by', viewed_at, 'arrival', arrival_seq)) filter (where (viewed_at) is not null) as _ew_landing_value,
        min(named_struct('ordered_by', viewed_at, 'arrival', arrival_seq)) filter (where (viewed_at) is not null) as _ew_landing_by,
        true as _ew_new,
        null as _ew_stored
    from late_rows
    where _ew_window is not null
    group by user_id, _ew_time - pmod(_ew_time, 1800000000)
    union all
    select
        stored_windows.user_id, stored_windows._ew_first, stored_windows._ew_last, stored_windows._ew_until,
        stored_windows.views,
        stored_windows.revenue,
        stored_windows._ew_landing_value,
        stored_windows._ew_landing_by,
        false as _ew_new,
        named_struct('window_start', stored_windows.window_start, 'window_end', stored_windows.window_end, '_ew_segment', stored_windows._ew_segment) as _ew_stored
    from stored_windows
),

reached as (
    select
        *,
        max(_ew_until) over (
            partition by user_id order by _ew_first
            rows between unbounded preceding and 1 preceding
        ) as _ew_reached
    from merge_inputs
),

assigned as (
    select
        *,
        cast(null as bigint) as _ew_window_last,
        max(case when _ew_first > _ew_reached or _ew_reached is null then _ew_first end) over (
            partition by user_id order by _ew_first
        ) as _ew_window
    from reached
),

windows as (
    select
        user_id,
        min(_ew_first) as _ew_first,
        max(_ew_last) as _ew_last,
        max(_ew_until) as _ew_until,
        cast(coalesce(sum(views), 0) as bigint) as views,
        cast(sum(revenue) as decimal(20,2)) as revenue,
        cast(min_by(_ew_landing_value, _ew_landing_by) as string) as _ew_landing_value,
        cast(min(_ew_landing_by) as struct<ordered_by:timestamp,arrival:bigint>) as _ew_landing_by,
        collect_list(_ew_stored) as _ew_stored
    from assigned
    group by user_id, _ew_window, _ew_window_last
    having bool_or(_ew_new)
),

changes as (
    select windows.*, posexplode(concat(
        array(_ew_same), filter(_ew_stored, _ew_one -> not _ew_one <=> _ew_same)
    )) as (_ew_place, _ew_was)
    from (
        select
            *,
            try_element_at(filter(
                _ew_stored,
                _ew_one -> _ew_one.window_start = timestamp_micros(_ew_first)
            ), 1) as _ew_same
        from windows
    ) as windows
)

select
    user_id,
    timestamp_micros(_ew_first) as window_start,
    timestamp_micros(_ew_last) as window_end,
    views,
    revenue,
    cast(_ew_landing_value as string) as landing,
    _ew_landing_value,
    _ew_landing_by,
    (_ew_last - pmod(_ew_last, 86400000000)) div 86400000000 as _ew_segment,
    cast(1713312000000001 as bigint) as _ew_refresh,
    '{"number": 1713312000000001, "generation": 1713312000000000, "full": false, "run_id": "00000000-0000-4000-8000-000000000001", "started_at": "2024-04-17T00:00:00+00:00", "runs": [[1713312000000000, "earlier"], [1713312000000001, "00000000-0000-4000-8000-000000000001"]], "from": [[null, 100]], "through": [[null, 30100]], "source": null, "advance_to": null, "logged": 1713312000000000, "logs": false, "scopes": 7, "clock": 1713315600000000, "replayed_until": null, "rows": 30100, "last": 30000, "unseen": 0, "watched": null, "digest": -9223372036854775808}' as _ew_progress,
    _ew_place,
    _ew_was
from changes
left anti join (select 1 from s.m where _ew_refresh >= 1713312000000001 limit 1) as taken
left semi join (select 1 from s.m where _ew_refresh = 1713312000000000 limit 1) as former
) as change
on stored.user_id = change.user_id
    and stored.window_start = change._ew_was.window_start
    and stored.window_end = change._ew_was.window_end
    and stored._ew_segment = change._ew_was._ew_segment
    and (stored._ew_segment >= 19829 or stored._ew_refresh >= 1713312000000001)
when matched and change._ew_place > 0 then delete
when matched then update set
    user_id = change.user_id,
    window_start = change.window_start,
    window_end = change.window_end,
    views = change.views,
    revenue = change.revenue,
    landing = change.landing,
    _ew_landing_value = change._ew_landing_value,
    _ew_landing_by = change._ew_landing_by,
    _ew_segment = change._ew_segment,
    _ew_refresh = change._ew_refresh,
    _ew_progress = change._ew_progress
when not matched and change._ew_place = 0 then insert (user_id, window_start, window_end, views, revenue, landing, _ew_landing_value, _ew_landing_by, _ew_segment, _ew_refresh, _ew_progress)
    values (change.user_id, change.window_start, change.window_end, change.views, change.revenue, change.landing, change._ew_landing_value, change._ew_landing_by, change._ew_segment, change._ew_refresh, change._ew_progress)
;

