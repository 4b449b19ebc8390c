/* late_rows */
with
late_rows as (
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
        where arrived.arrival_seq > 100 and arrived.arrival_seq <= 200
    ) as arrived
),

clocks_before as (
    select known.user_id, max(known._ew_clock) as _ew_before
    from (
        select user_id, _ew_clock
        from s.m__ew_clocks
        where _ew_clock is not null and _ew_refresh >= 1713312000000000 and _ew_refresh < 1713312000000001
        union all
        select user_id, stored._ew_newest as _ew_clock
        from s.m as stored
        where _ew_refresh > 1713312000000000 and _ew_refresh < 1713312000000001
    ) as known
    left semi join m__ew_slices_4e27a185 as near on known.user_id <=> near.user_id
    group by known.user_id
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
        select *, _ew_time as _ew_until
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

replayed as (
    select
        _ew_key, _ew_item, _ew_bounds.starts as _ew_window, _ew_bounds.ends - 1 as _ew_window_last,
        _ew_missed
    from (
        select
            *,
            explode_outer(filter(_ew_windows, _ew_held -> _ew_held.ends > _ew_clock - 3600000000)) as _ew_bounds,
            not forall(_ew_windows, _ew_held -> _ew_held.ends > _ew_clock - 3600000000) as _ew_missed
        from (
            select *, array(named_struct('starts', (_ew_time - pmod(_ew_time, 600000000)), 'ends', (_ew_time - pmod(_ew_time, 600000000)) + 600000000)) as _ew_windows
            from late_candidates
            where _ew_time is not null
        ) as placed
    ) as open_windows
)

select
    cast(checked_rows.arrival_seq as bigint) as _ew_arrival,
    cast(null as bigint) as _ew_partition,
    checked_rows._ew_time, checked_rows._ew_clock, checked_rows._ew_until,
    checked_rows._ew_item,
    sha2(checked_rows._ew_key, 256) as _ew_key,
    replayed._ew_window, replayed._ew_window_last,
    case
        when row_number() over (partition by checked_rows._ew_key, checked_rows._ew_item order by replayed._ew_window) > 1 then null
        when checked_rows._ew_reason is not null then checked_rows._ew_reason
        when replayed._ew_window is null then 'late'
        when bool_or(replayed._ew_missed) over (partition by checked_rows._ew_key, checked_rows._ew_item) then 'late_partial'
    end as _ew_reason
from checked_rows
left join replayed
    on checked_rows._ew_key = replayed._ew_key and checked_rows._ew_item = replayed._ew_item
),

few_late_rows as (
    select * from late_rows limit 501
)

select
    count(*) as lines, count_if(_ew_reason = 'late') as late, count_if(_ew_reason = 'late_partial') as late_partial, count_if(_ew_item < 0 and _ew_window is not null) as moved_windows,
    if(
        count(*) <= 500 and
            size(collect_set(if(_ew_item > 0, struct(_ew_key, _ew_arrival, _ew_partition, _ew_time, _ew_until), null)))
            = size(collect_set(if(_ew_item > 0, struct(_ew_key, _ew_item), null))),
        to_json(collect_list(struct(_ew_key, _ew_item, _ew_arrival, _ew_partition, _ew_time, _ew_until, _ew_clock, _ew_window, _ew_window_last, _ew_reason))),
        null
    ) as kept
from few_late_rows
;

/* dropped_rows */
insert into s.m__dropped (user_id, viewed_at, arrival_seq, reason, stream_time, run_id, source_row, _ew_refresh)
select *
from (
with
judged as (
    select user_id, viewed_at, arrival_seq, _ew_reason, _ew_clock as _ew_stream_time, to_json(named_struct('user_id', kept.user_id, 'viewed_at', kept.viewed_at, 'arrival_seq', kept.arrival_seq, 'shard', kept.shard, 'page', kept.page, 'amount', kept.amount, 'idle_minutes', kept.idle_minutes), map('ignoreNullFields', 'false', 'timeZone', 'UTC', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS')) as _ew_source_row from (select
        arrived.user_id,
        arrived.viewed_at,
        arrived.arrival_seq,
        arrived.shard,
        arrived.page,
        arrived.amount,
        arrived.idle_minutes,
        line._ew_time, line._ew_clock, line._ew_until, line._ew_item, line._ew_key, line._ew_window,
        line._ew_window_last, line._ew_reason
    from (
        select *
    from (
        select inline(from_json(
            '[{"_ew_key":"9c56","_ew_item":1}]', 'array<struct<_ew_key: string, _ew_item: bigint, _ew_arrival: bigint, _ew_partition: bigint, _ew_time: bigint, _ew_until: bigint, _ew_clock: bigint, _ew_window: bigint, _ew_window_last: bigint, _ew_reason: string>>',
            map('mode', 'FAILFAST')
        ))
    ) as lines
        where _ew_item > 0
    ) as line
    left join (
        select
            clocked.*,
            cast(clocked.arrival_seq as bigint) as _ew_arrival,
            cast(null as bigint) as _ew_partition,
            sha2(to_json(named_struct('k1', clocked.user_id, 'b1', if(is_valid_utf8(clocked.user_id), null, hex(clocked.user_id)))), 256) as _ew_key,
            _ew_time as _ew_until
        from (
            select *, case when _ew_reason is null then unix_micros(viewed_at) end as _ew_time
    from (
        select arrived.*, case
            when user_id is null then 'null_key'
            when viewed_at is null then 'null_event_time'
            when unix_micros(viewed_at) < -62135596800000000 then 'before_origin'
            when unix_micros(viewed_at) > 253402300799999999 then 'ahead_of_time'
        end as _ew_reason
        from s.views as arrived
        where arrived.arrival_seq > 100 and arrived.arrival_seq <= 200
    ) as arrived
        ) as clocked
        where pmod(hash(clocked.user_id), 1048576) in (17, 4711)
    ) as arrived
        on line._ew_key = arrived._ew_key and line._ew_arrival = arrived._ew_arrival
        and line._ew_partition <=> arrived._ew_partition and line._ew_time <=> arrived._ew_time and line._ew_until <=> arrived._ew_until
    where if(arrived._ew_key is null, raise_error('event_windows: rows of the source changed while this run read them: run again'), true)) as kept where _ew_reason <> 'null_key'
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
        arrived.user_id,
        arrived.viewed_at,
        arrived.arrival_seq,
        arrived.shard,
        arrived.page,
        arrived.amount,
        arrived.idle_minutes,
        line._ew_time, line._ew_clock, line._ew_until, line._ew_item, line._ew_key, line._ew_window,
        line._ew_window_last, line._ew_reason
    from (
        select *
    from (
        select inline(from_json(
            '[{"_ew_key":"9c56","_ew_item":1}]', 'array<struct<_ew_key: string, _ew_item: bigint, _ew_arrival: bigint, _ew_partition: bigint, _ew_time: bigint, _ew_until: bigint, _ew_clock: bigint, _ew_window: bigint, _ew_window_last: bigint, _ew_reason: string>>',
            map('mode', 'FAILFAST')
        ))
    ) as lines
        where _ew_item > 0
    ) as line
    left join (
        select
            clocked.*,
            cast(clocked.arrival_seq as bigint) as _ew_arrival,
            cast(null as bigint) as _ew_partition,
            sha2(to_json(named_struct('k1', clocked.user_id, 'b1', if(is_valid_utf8(clocked.user_id), null, hex(clocked.user_id)))), 256) as _ew_key,
            _ew_time as _ew_until
        from (
            select *, case when _ew_reason is null then unix_micros(viewed_at) end as _ew_time
    from (
        select arrived.*, case
            when user_id is null then 'null_key'
            when viewed_at is null then 'null_event_time'
            when unix_micros(viewed_at) < -62135596800000000 then 'before_origin'
            when unix_micros(viewed_at) > 253402300799999999 then 'ahead_of_time'
        end as _ew_reason
        from s.views as arrived
        where arrived.arrival_seq > 100 and arrived.arrival_seq <= 200
    ) as arrived
        ) as clocked
        where pmod(hash(clocked.user_id), 1048576) in (17, 4711)
    ) as arrived
        on line._ew_key = arrived._ew_key and line._ew_arrival = arrived._ew_arrival
        and line._ew_partition <=> arrived._ew_partition and line._ew_time <=> arrived._ew_time and line._ew_until <=> arrived._ew_until
    where if(arrived._ew_key is null, raise_error('event_windows: rows of the source changed while this run read them: run again'), true)
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
        unix_micros(stored.window_end) - 1 as _ew_last,
        unix_micros(stored.window_end) - 1 as _ew_until,
        stored._ew_newest,
        stored.views,
        stored.revenue,
        stored._ew_landing_value,
        stored._ew_landing_by,
        stored._ew_segment
    from s.m as stored
    inner join touched on stored.user_id = touched.user_id
    where stored._ew_segment >= 19830
        and unix_micros(stored.window_end) - 1 >= touched._ew_first and unix_micros(stored.window_start) <= touched._ew_until
),

merge_inputs as (
    select
        slices.user_id, slices._ew_first, slices._ew_last, slices._ew_until,
        slices._ew_last as _ew_newest,
        slices.views,
        slices.revenue,
        slices._ew_landing_value,
        slices._ew_landing_by,
        true as _ew_new
    from slices
    where pmod(hash(slices.user_id), 1048576) not in (17, 4711)
    union all
    select
        stored_windows.user_id, stored_windows._ew_first, stored_windows._ew_last, stored_windows._ew_until,
        stored_windows._ew_newest,
        stored_windows.views,
        stored_windows.revenue,
        stored_windows._ew_landing_value,
        stored_windows._ew_landing_by,
        false as _ew_new
    from stored_windows
),

bounded as (
    select
        *,
        explode(if(_ew_new, array(named_struct('starts', (_ew_first - pmod(_ew_first, 600000000)), 'ends', (_ew_first - pmod(_ew_first, 600000000)) + 600000000)), array(named_struct('starts', _ew_first, 'ends', _ew_last + 1)))) as _ew_bounds
    from merge_inputs
),

assigned as (
    select *, _ew_bounds.starts as _ew_window, _ew_bounds.ends - 1 as _ew_window_last
    from bounded
),

placed_inputs as (
    select
        assigned.user_id, assigned._ew_first, assigned._ew_last, assigned._ew_until,
        assigned._ew_newest,
        assigned.views,
        assigned.revenue,
        assigned._ew_landing_value,
        assigned._ew_landing_by,
        assigned._ew_new,
        assigned._ew_window, assigned._ew_window_last
    from assigned
    union all
    select
        user_id, min(_ew_time) as _ew_first, max(_ew_time) as _ew_last, max(_ew_until) as _ew_until,
        max(_ew_time) as _ew_newest,
        count(*) as views,
        sum(amount) as revenue,
        min_by(page, named_struct('ordered_by', viewed_at, 'arrival', arrival_seq)) filter (where (viewed_at) is not null) as _ew_landing_value,
        min(named_struct('ordered_by', viewed_at, 'arrival', arrival_seq)) filter (where (viewed_at) is not null) as _ew_landing_by,
        true as _ew_new,
        _ew_window, _ew_window_last
    from late_rows
    where _ew_window is not null
    group by user_id, _ew_window, _ew_window_last
),

windows as (
    select
        user_id,
        _ew_window as _ew_first,
        _ew_window_last as _ew_last,
        _ew_window_last as _ew_until,
        max(_ew_newest) as _ew_newest,
        cast(coalesce(sum(views), 0) as bigint) as views,
        cast(sum(revenue) as decimal(20,2)) as revenue,
        cast(min_by(_ew_landing_value, _ew_landing_by) as string) as _ew_landing_value,
        cast(min(_ew_landing_by) as struct<ordered_by:timestamp,arrival:bigint>) as _ew_landing_by,
        array(named_struct(
            'window_start', timestamp_micros(_ew_window),
            'window_end', timestamp_micros(_ew_window_last + 1),
            '_ew_segment', (_ew_window_last - pmod(_ew_window_last, 86400000000)) div 86400000000
        )) as _ew_stored
    from placed_inputs
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
    timestamp_micros(_ew_last + 1) as window_end,
    views,
    revenue,
    cast(_ew_landing_value as string) as landing,
    _ew_landing_value,
    _ew_landing_by,
    _ew_newest,
    (_ew_last - pmod(_ew_last, 86400000000)) div 86400000000 as _ew_segment,
    cast(1713312000000001 as bigint) as _ew_refresh,
    '{"number": 1713312000000001, "generation": 1713312000000000, "full": false, "run_id": "00000000-0000-4000-8000-000000000001", "started_at": "2024-04-17T00:00:00+00:00", "runs": [[1713312000000000, "earlier"], [1713312000000001, "00000000-0000-4000-8000-000000000001"]], "from": [[null, 100]], "through": [[null, 200]], "source": null, "advance_to": null, "logged": 1713312000000000, "logs": false, "scopes": 7, "clock": 1713315600000000, "replayed_until": null, "rows": 200, "last": 100, "unseen": 0, "watched": null, "digest": -9223372036854775808}' as _ew_progress,
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
    and (stored._ew_segment >= 19830 or stored._ew_refresh >= 1713312000000001)
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
    _ew_newest = change._ew_newest,
    _ew_segment = change._ew_segment,
    _ew_refresh = change._ew_refresh,
    _ew_progress = change._ew_progress
when not matched and change._ew_place = 0 then insert (user_id, window_start, window_end, views, revenue, landing, _ew_landing_value, _ew_landing_by, _ew_newest, _ew_segment, _ew_refresh, _ew_progress)
    values (change.user_id, change.window_start, change.window_end, change.views, change.revenue, change.landing, change._ew_landing_value, change._ew_landing_by, change._ew_newest, change._ew_segment, change._ew_refresh, change._ew_progress)
;

