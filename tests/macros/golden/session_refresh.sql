/* slices */
cache lazy table m__ew_slices_4e27a185 as
select * from (
select /*+ coalesce(1) */
        user_id,
        _ew_time - pmod(_ew_time, 1800000000) as _ew_slice,
        min(_ew_time) as _ew_first,
        max(_ew_time) as _ew_last,
        max(_ew_time + 1800000000) as _ew_until,
        count(*) filter (where _ew_time is not null) as views,
        sum(amount) filter (where _ew_time is not null) as revenue,
        min_by(page, named_struct('ordered_by', viewed_at, 'arrival', arrival_seq)) filter (where _ew_time is not null and (viewed_at) is not null) as _ew_landing_value,
        min(named_struct('ordered_by', viewed_at, 'arrival', arrival_seq)) filter (where _ew_time is not null and (viewed_at) is not null) as _ew_landing_by,
        count(*) as _ew_rows,
        min(arrival_seq) as _ew_arrival_from,
        max(arrival_seq) as _ew_arrival_to,
        count_if(arrival_seq is null) as _ew_unordered,
        sum(xxhash64(_ew_time, cast(arrival_seq as bigint)) % 4294967296) as _ew_of_rows
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
        where (arrived.arrival_seq > 100 and arrived.arrival_seq <= 200) or arrived.arrival_seq is null
    ) as arrived
) as new_rows
    group by user_id, _ew_time - pmod(_ew_time, 1800000000)
) as cached
where 'm__ew_slices_4e27a185' is not null
;

/* clocks */
with

scopes as (
    select
        user_id, max(_ew_before) as _ew_before, max(_ew_last) as _ew_newest, min(_ew_first) as _ew_oldest,
        sum(_ew_rows) as _ew_rows, sum(_ew_uncountable) as _ew_uncountable,
        sum(_ew_without_key) as _ew_without_key, sum(_ew_unordered) as _ew_unordered,
        min(_ew_arrival_from) as _ew_arrival_from, max(_ew_arrival_to) as _ew_arrival_to,
        bit_xor(_ew_digest) as _ew_digest
    from (
        select
            user_id, cast(null as bigint) as _ew_before, _ew_first, _ew_last, _ew_rows,
            if(_ew_first is null, _ew_rows, 0) as _ew_uncountable,
            if(_ew_first is null and (user_id is null), _ew_rows, 0) as _ew_without_key,
            _ew_unordered as _ew_unordered,
            cast(_ew_arrival_from as bigint) as _ew_arrival_from,
            cast(_ew_arrival_to as bigint) as _ew_arrival_to,
            xxhash64(user_id, user_id is null, _ew_first, _ew_last, _ew_until, _ew_rows, _ew_of_rows) as _ew_digest
        from m__ew_slices_4e27a185
        union all
        select
            known.user_id, known._ew_clock,
            null, null, null, null, null, null, null, null, null
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
    ) as slices_and_clocks
    group by user_id
)

select
    coalesce(sum(_ew_rows), 0) as read_rows, coalesce(sum(_ew_uncountable), 0) as read_uncountable,
    coalesce(sum(_ew_without_key), 0) as read_without_key, coalesce(sum(_ew_unordered), 0) as read_unordered,
    min(_ew_oldest) as read_first, max(_ew_newest) as read_latest,
    min(_ew_arrival_from) as read_arrival_from, max(_ew_arrival_to) as read_arrival_to,
    bit_xor(_ew_digest) as read_digest,
    count_if(greatest(_ew_newest, _ew_before) > _ew_before or (_ew_before is null and _ew_newest is not null)) as read_moved,
    count_if(_ew_before is null and _ew_newest is not null) as new_scopes,
    max(if(_ew_before is null and _ew_newest is null, null, greatest(_ew_newest, _ew_before))) as clock,
    count_if(_ew_oldest < greatest(_ew_newest, _ew_before) - 88200000000) as late_scopes,
    if(size(collect_set(if(_ew_oldest < greatest(_ew_newest, _ew_before) - 88200000000 or (_ew_uncountable > _ew_without_key), pmod(hash(user_id), 1048576), null))) <= 10000, concat('classes ', array_join(collect_set(if(_ew_oldest < greatest(_ew_newest, _ew_before) - 88200000000 or (_ew_uncountable > _ew_without_key), pmod(hash(user_id), 1048576), null)), ', ')), null) as classes
from scopes
;

/* windows */
merge into s.m as stored
using (
with
slices as (
    select * from m__ew_slices_4e27a185 where _ew_first is not null
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

