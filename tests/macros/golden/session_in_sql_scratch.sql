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
    select _ew_key, inline(_ew_replayed) as (_ew_item, _ew_window, _ew_window_last), false as _ew_missed
    from (
        select
            _ew_key,
            if(
                size(_ew_parts) > 10000,
                raise_error(concat('event_windows: one key has so many rows that may be late, near each other, that to replay them in SQL takes ', size(_ew_parts), ' steps, allowed are 10000: ', _ew_key, '. Give replay python, or raise the var event_windows__max_replay_steps; smaller refreshes (event_windows__max_rows_per_refresh) take fewer')),
                aggregate(
                    filter(_ew_parts, part -> part.item > 0),
                    named_struct(
                        'live', transform(filter(_ew_parts, part -> part.item < 0), part -> named_struct('first', part.first, 'last', part.last, 'until', part.until, 'items', array(part.items))),
                        'late', cast(array() as array<bigint>)
                    ),
                    (state, arrived) -> aggregate(
                        state.live,
                        named_struct('first', arrived.first, 'last', arrived.last, 'until', arrived.until, 'items', array(arrived.items)),
                        (hull, session) -> if(session.first <= arrived.until and session.until >= arrived.first, named_struct(
                            'first', least(hull.first, session.first),
                            'last', greatest(hull.last, session.last),
                            'until', greatest(hull.until, session.until),
                            'items', concat(session.items, hull.items)
                        ), hull),
                        hull -> if(arrived.clock - hull.until > 86400000000, named_struct(
                            'live', state.live,
                            'late', concat(state.late, array(arrived.item))
                        ), named_struct(
                            'live', concat(filter(state.live, session -> not (session.first <= arrived.until and session.until >= arrived.first)), array(hull)),
                            'late', state.late
                        ))
                    ),
                    state -> concat(
                        flatten(transform(
                            filter(state.live, session -> exists(session.items, numbers -> numbers[0] > 0)),
                            session -> transform(flatten(session.items), i -> named_struct(
                                'item', i, 'first', session.first, 'last', session.last
                            ))
                        )),
                        transform(state.late, i -> named_struct(
                            'item', i, 'first', cast(null as bigint), 'last', cast(null as bigint)
                        ))
                    )
                )
            ) as _ew_replayed
        from (
            select _ew_key, sort_array(collect_list(_ew_part)) as _ew_parts
            from (
                select _ew_key, _ew_island, named_struct(
                    'item', min(_ew_item), 'first', min(_ew_first), 'last', max(_ew_last), 'until', max(_ew_until),
                    'clock', min(_ew_clock), 'items', collect_list(_ew_item)
                ) as _ew_part
                from (
                    select
                        *,
                        max(case when _ew_first > _ew_start_reached or _ew_start_reached is null then _ew_first end) over (
                            partition by _ew_key, _ew_island, _ew_alone, _ew_turn order by _ew_first
                        ) as _ew_start
                    from (
                        select
                            *,
                            max(_ew_until) over (
                                partition by _ew_key, _ew_island, _ew_alone, _ew_turn order by _ew_first rows between unbounded preceding and 1 preceding
                            ) as _ew_start_reached
                        from (
                            select *, count_if(_ew_alone) over (partition by _ew_key, _ew_island order by _ew_item) as _ew_turn
                            from (
                                select *, _ew_item < 0 or _ew_clock - _ew_until > 86400000000 as _ew_alone
                                from (
                                    select
                                        *,
                                        max(case when _ew_first > _ew_island_reached or _ew_island_reached is null then _ew_first end) over (
                                            partition by _ew_key order by _ew_first
                                        ) as _ew_island
                                    from (
                                        select
                                            *,
                                            max(_ew_until) over (
                                                partition by _ew_key order by _ew_first rows between unbounded preceding and 1 preceding
                                            ) as _ew_island_reached
                                        from (
                                            select
                                                _ew_key, _ew_item,
                                                _ew_time as _ew_first, _ew_time as _ew_last, _ew_until, _ew_clock
                                            from late_candidates
                                            where _ew_time is not null
                                        ) as _ew_island_items
                                    ) as _ew_island_in_order
                                ) as items_of_islands
                            ) as items_in_doubt
                        ) as _ew_start_items
                    ) as _ew_start_in_order
                ) as items_of_parts
                group by _ew_key, _ew_island, _ew_alone, _ew_turn, _ew_start
            ) as parts
            group by _ew_key, _ew_island
        ) as islands
    ) as replayed_islands
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

