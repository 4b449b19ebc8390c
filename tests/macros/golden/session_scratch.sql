/* scratch */
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
    ) as arrived
),

slices as (
    select
        user_id,
        _ew_time - pmod(_ew_time, 1800000000) as _ew_slice,
        min(_ew_time) as _ew_first,
        max(_ew_time) as _ew_last,
        max(_ew_time + 1800000000) as _ew_until,
        count(*) as views,
        sum(amount) as revenue,
        min_by(page, named_struct('ordered_by', viewed_at, 'arrival', arrival_seq)) filter (where (viewed_at) is not null) as _ew_landing_value,
        min(named_struct('ordered_by', viewed_at, 'arrival', arrival_seq)) filter (where (viewed_at) is not null) as _ew_landing_by,
        count(*) as _ew_rows,
        min(arrival_seq) as _ew_arrival_from,
        max(arrival_seq) as _ew_arrival_to,
        rand() as _ew_once
    from new_rows
    where _ew_time is not null
    group by user_id, _ew_time - pmod(_ew_time, 1800000000)
),

overtaken as (
    select user_id
    from (
        select
            user_id, _ew_arrival_to,
            min(_ew_arrival_from) over (
                partition by user_id order by _ew_time desc
                range between unbounded preceding and 88200000001 preceding
            ) as _ew_by
        from (
            select user_id, inline(array(
                named_struct(
                    'at', _ew_first,
                    'came_from', cast(null as bigint), 'came_to', cast(_ew_arrival_to as bigint)
                ),
                named_struct(
                    'at', _ew_last,
                    'came_from', cast(_ew_arrival_from as bigint), 'came_to', cast(null as bigint)
                )
            )) as (_ew_time, _ew_arrival_from, _ew_arrival_to)
            from slices
            where _ew_first is not null
        ) as slice_ends
    ) as looked_ahead
    where _ew_by <= _ew_arrival_to
),

possibly_late as (
    select user_id from overtaken
),

late_keys as (
    select user_id, rand() as _ew_once
    from possibly_late
    group by user_id
),

late_classes as (
    select distinct pmod(hash(user_id), 1048576) as _ew_class from late_keys
),

near_late_keys as (
    select /*+ broadcast(late_classes) */ arrived.*
    from new_rows as arrived
    left semi join late_classes on pmod(hash(arrived.user_id), 1048576) <=> late_classes._ew_class
),

checked_rows as (
    select
        clocked.*,
        max(clocked._ew_time) over (partition by clocked.user_id order by clocked.arrival_seq) as _ew_clock,
        cast(row_number() over (
            partition by clocked.user_id
            order by clocked.arrival_seq, clocked._ew_time, clocked._ew_until
        ) as bigint) as _ew_item,
        to_json(named_struct('k1', clocked.user_id, 'b1', if(is_valid_utf8(clocked.user_id), null, hex(clocked.user_id)))) as _ew_key,
        rand() as _ew_once
    from (
        select *, _ew_time + 1800000000 as _ew_until
        from near_late_keys
    ) as clocked
    left semi join late_keys on clocked.user_id <=> late_keys.user_id
),

late_candidates as (
    select *
    from checked_rows
    where _ew_time is not null
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
        ) as replay_items
        group by pmod(hash(_ew_key), 201)
    ) as replayed_sessions
),

late_rows as (
    select checked_rows.*, replayed._ew_window, replayed._ew_window_last
    from checked_rows
    inner join replayed
        on checked_rows._ew_key <=> replayed._ew_key and checked_rows._ew_item <=> replayed._ew_item
),

merge_inputs as (
    select
        slices.user_id, slices._ew_first, slices._ew_last, slices._ew_until,
        slices.views,
        slices.revenue,
        slices._ew_landing_value,
        slices._ew_landing_by
    from slices
    left anti join late_keys on slices.user_id <=> late_keys.user_id
    union all
    select
        user_id, min(_ew_time) as _ew_first, max(_ew_time) as _ew_last, max(_ew_until) as _ew_until,
        count(*) as views,
        sum(amount) as revenue,
        min_by(page, named_struct('ordered_by', viewed_at, 'arrival', arrival_seq)) filter (where (viewed_at) is not null) as _ew_landing_value,
        min(named_struct('ordered_by', viewed_at, 'arrival', arrival_seq)) filter (where (viewed_at) is not null) as _ew_landing_by
    from late_rows
    where _ew_window is not null
    group by user_id, _ew_time - pmod(_ew_time, 1800000000)
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
        cast(min(_ew_landing_by) as struct<ordered_by:timestamp,arrival:bigint>) as _ew_landing_by
    from assigned
    group by user_id, _ew_window, _ew_window_last
)

select
    user_id,
    timestamp_micros(_ew_first) as window_start,
    timestamp_micros(_ew_last) as window_end,
    views,
    revenue,
    cast(_ew_landing_value as string) as landing
from windows
;

