/* slices */
cache lazy table m__ew_slices_4e27a185 as
select * from (
select /*+ coalesce(1) */
        user_id,
        _ew_time as _ew_slice,
        min(_ew_time) as _ew_first,
        max(_ew_time) as _ew_last,
        max(_ew_time) as _ew_until,
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
            when pmod(unix_micros(viewed_at), 1) <> 0 then 'off_resolution'
        end as _ew_reason
        from s.views as arrived
        where (arrived.arrival_seq <= 200) or arrived.arrival_seq is null
    ) as arrived
) as new_rows
    group by user_id, _ew_time
) as cached
where 'm__ew_slices_4e27a185' is not null
;

/* clocks */
with

overtaken as (
    select user_id
    from (
        select
            user_id, _ew_arrival_to,
            min(_ew_arrival_from) over (
                partition by user_id order by _ew_time desc
                range between unbounded preceding and 3600000001 preceding
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
            from m__ew_slices_4e27a185
            where _ew_first is not null
        ) as slice_ends
    ) as looked_ahead
    where _ew_by <= _ew_arrival_to
),

possibly_late as (
    select user_id from overtaken
),

keys_of_late_rows as (
    select user_id
    from possibly_late
    group by user_id
),

late_keys as (
    select user_id from keys_of_late_rows
    union
    select user_id from m__ew_slices_4e27a185
    where _ew_first is null and user_id is not null
),

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
    (select count(*) from keys_of_late_rows) as late_scopes,
    (select if(size(collect_set(pmod(hash(user_id), 1048576))) <= 10000, concat('classes ', array_join(collect_set(pmod(hash(user_id), 1048576)), ', ')), null) from late_keys) as classes
from scopes
;

/* windows */
create or replace table s.m
using iceberg
partitioned by (_ew_segment)
tblproperties ('write.merge.mode' = 'copy-on-write', 'write.update.mode' = 'copy-on-write', 'write.delete.mode' = 'copy-on-write', 'write.merge.distribution-mode' = 'none', 'commit.retry.num-retries' = '20', 'write.metadata.delete-after-commit.enabled' = 'true', 'write.metadata.previous-versions-max' = '100', 'write.merge.isolation-level' = 'serializable', 'write.wap.enabled' = 'false', 'event_windows.spec' = '{"layout": 3, "\\u0072elation": "s.views", "\\u006bey": ["use\\u0072_id"], "event_time": "viewed_at", "types": {"use\\u0072_id": "st\\u0072ing", "viewed_at": "timestamp", "a\\u0072\\u0072ival_seq": "bigint"}, "window": {"type": "sliding", "family": "sliding", "diffe\\u0072ence": 600000000, "\\u0072esolution": 1, "g\\u0072ace": 3600000000, "o\\u0072igin": null}, "agg\\u0072egates": {"views": "count(*)", "\\u0072evenue": "sum(amount)", "landing": "min_by(page, viewed_at)"}, "value_types": {"views": ["bigint", "bigint"], "\\u0072evenue": ["decimal(20,2)", "decimal(20,2)"], "landing": ["st\\u0072ing", "st\\u0072ing", "st\\u0072uct<o\\u0072de\\u0072ed_by:timestamp,a\\u0072\\u0072ival:bigint>"]}, "a\\u0072\\u0072ival_o\\u0072de\\u0072": "a\\u0072\\u0072ival_seq", "pa\\u0072tition": null, "st\\u0072eam_time": "\\u006bey", "emit": "updates", "expi\\u0072e": "\\u006beep", "\\u0072etention": null, "leaves_afte\\u0072": null, "max_ahead": null, "a\\u0072\\u0072ived_at": null, "file_fo\\u0072mat": "icebe\\u0072g", "segment": 86400000000, "plain": null}', 'event_windows.build' = '{"numbe\\u0072": 1713312000000001, "gene\\u0072ation": 1713312000000001, "full": true, "\\u0072un_id": "00000000-0000-4000-8000-000000000001", "sta\\u0072ted_at": "2024-04-17T00:00:00+00:00", "\\u0072uns": [[1713312000000001, "00000000-0000-4000-8000-000000000001"]], "f\\u0072om": [], "th\\u0072ough": [[null, 200]], "sou\\u0072ce": null, "advance_to": null, "logged": null, "logs": true, "scopes": 3, "cloc\\u006b": 1713315600000000, "\\u0072eplayed_until": null, "\\u0072ows": 100, "last": 100, "unseen": 100, "watched": null, "digest": -9223372036854775808, "\\u0072elation": "s.views", "settings": {"null in JSON": "{}"}}', 'event_windows.reads' = '', 'event_windows.published' = '', 'event_windows.view' = '', 'event_windows.shown' = '', 'event_windows.shows' = '', 'event_windows.shows_commit' = '', 'event_windows.progress' = '', 'event_windows.progress_1' = '', 'event_windows.progress_2' = '', 'event_windows.progress_3' = '', 'event_windows.expired' = '', 'event_windows.last_published' = '', 'event_windows.late_again' = '', 'event_windows.reshaping' = '', 'event_windows.rollup' = '', 'event_windows.without_rows' = '')
as

with
slices as (
    select * from m__ew_slices_4e27a185 where _ew_first is not null
),

merge_inputs as (
    select
        slices.user_id, slices._ew_first, slices._ew_last, slices._ew_until,
        slices._ew_last as _ew_newest,
        slices.views,
        slices.revenue,
        slices._ew_landing_value,
        slices._ew_landing_by
    from slices
),

instants as (
    select
        user_id,
        to_json(named_struct('k1', user_id, 'b1', if(is_valid_utf8(user_id), null, hex(user_id)))) as _ew_key,
        _ew_first,
        views,
        revenue,
        _ew_landing_value,
        _ew_landing_by
    from merge_inputs
),

moved as (
    select inline(arrays_zip(k, starts, base, first_new, last_new))
        as (_ew_key, _ew_window, _ew_base, _ew_first_new, _ew_last_new)
    from (
        select inline(event_windows_sliding_windows(
            _ew_key, _ew_first, _ew_newest,
            cast(600000000 as bigint), cast(1 as bigint), cast(null as bigint)
        )) as (k, starts, base, first_new, last_new)
        from (
            select _ew_key, _ew_first, cast(null as bigint) as _ew_newest
            from instants
        ) as times
        group by pmod(hash(_ew_key), 8)
    ) as batches
),

running as (
    select
        *,
        cast(coalesce(sum(views) over onward, 0) as bigint) as _ew_onward_1,
        cast(coalesce(sum(views) over so_far, 0) as bigint) as _ew_so_far_1,
        cast(sum(revenue) over onward as decimal(20,2)) as _ew_onward_2,
        cast(sum(revenue) over so_far as decimal(20,2)) as _ew_so_far_2,
        cast(min_by(_ew_landing_value, _ew_landing_by) over onward as string) as _ew_onward_3,
        cast(min_by(_ew_landing_value, _ew_landing_by) over so_far as string) as _ew_so_far_3,
        cast(min(_ew_landing_by) over onward as struct<ordered_by:timestamp,arrival:bigint>) as _ew_onward_4,
        cast(min(_ew_landing_by) over so_far as struct<ordered_by:timestamp,arrival:bigint>) as _ew_so_far_4,
        max(_ew_first) over onward as _ew_block_last
    from (
        select *, _ew_first - pmod(_ew_first, 600000001) as _ew_block
        from instants
    ) as instants_in_blocks
    window
        onward as (partition by user_id, _ew_block order by _ew_first desc),
        so_far as (partition by user_id, _ew_block order by _ew_first)
),

shares as (
    select
        user_id, _ew_key, 'onward' as _ew_share, _ew_first as _ew_at, _ew_block_last as _ew_newest,
        _ew_onward_1 as views,
        _ew_onward_2 as revenue,
        _ew_onward_3 as _ew_landing_value,
        _ew_onward_4 as _ew_landing_by
    from running
    union all
    select
        user_id, _ew_key, 'so_far' as _ew_share, _ew_first as _ew_at, _ew_first as _ew_newest,
        _ew_so_far_1 as views,
        _ew_so_far_2 as revenue,
        _ew_so_far_3 as _ew_landing_value,
        _ew_so_far_4 as _ew_landing_by
    from running
),

held as (
    select _ew_key, _ew_window, inline(array(
        named_struct(
            'share', 'onward',
            'at',
            if(_ew_first_new - pmod(_ew_first_new, 600000001) = _ew_window - pmod(_ew_window, 600000001), _ew_first_new, null)
        ),
        named_struct(
            'share', 'so_far',
            'at',
            if(_ew_last_new - pmod(_ew_last_new, 600000001) = _ew_window - pmod(_ew_window, 600000001), null, _ew_last_new)
        )
    )) as (_ew_share, _ew_at)
    from moved
),

assigned as (
    select
        shares.user_id,
        held._ew_window as _ew_first,
        held._ew_window + 600000000 as _ew_last,
        held._ew_window + 600000000 as _ew_until,
        shares._ew_newest,
        cast(null as boolean) as _ew_replayed,
        shares.views,
        shares.revenue,
        shares._ew_landing_value,
        shares._ew_landing_by,
        held._ew_window,
        held._ew_window + 600000000 as _ew_window_last
    from held
    inner join shares
        on held._ew_key = shares._ew_key and held._ew_share = shares._ew_share and held._ew_at = shares._ew_at
),

windows as (
    select
        user_id,
        _ew_window as _ew_first,
        _ew_window_last as _ew_last,
        _ew_window_last as _ew_until,
        max(_ew_newest) as _ew_newest,
        bool_or(_ew_replayed) as _ew_replayed,
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
    cast(_ew_landing_value as string) as landing,
    _ew_landing_value,
    _ew_landing_by,
    _ew_newest,
    _ew_replayed,
    (_ew_last - pmod(_ew_last, 86400000000)) div 86400000000 as _ew_segment,
    cast(1713312000000001 as bigint) as _ew_refresh,
    cast(null as string) as _ew_progress
from windows
;

