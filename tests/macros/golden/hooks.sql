/* hopping: slice */
_ew_time - pmod(_ew_time, 1200000000)

/* hopping: row_until */
_ew_time

/* hopping: windows_of */
transform(sequence((_ew_time - pmod(_ew_time, 1200000000)) - 1200000000 * (((_ew_time - pmod(_ew_time, 1200000000)) + 3600000000 - 1 - _ew_time) div 1200000000), (_ew_time - pmod(_ew_time, 1200000000)), 1200000000), _ew_starts -> named_struct('starts', _ew_starts, 'ends', _ew_starts + 3600000000))

/* hopping: assign */
bounded as (
    select
        *,
        explode(if(_ew_new, transform(sequence((_ew_first - pmod(_ew_first, 1200000000)) - 1200000000 * (((_ew_first - pmod(_ew_first, 1200000000)) + 3600000000 - 1 - _ew_first) div 1200000000), (_ew_first - pmod(_ew_first, 1200000000)), 1200000000), _ew_starts -> named_struct('starts', _ew_starts, 'ends', _ew_starts + 3600000000)), array(named_struct('starts', _ew_first, 'ends', _ew_last + 1)))) as _ew_bounds
    from merge_inputs
),

assigned as (
    select *, _ew_bounds.starts as _ew_window, _ew_bounds.ends - 1 as _ew_window_last
    from bounded
)

/* cumulating: slice */
_ew_time - pmod(_ew_time, 3600000000)

/* cumulating: row_until */
_ew_time

/* cumulating: windows_of */
transform(sequence((_ew_time - pmod(_ew_time, 3600000000)) + 3600000000, (_ew_time - pmod(_ew_time, 86400000000)) + 86400000000, 3600000000), _ew_ends -> named_struct('starts', (_ew_time - pmod(_ew_time, 86400000000)), 'ends', _ew_ends))

/* cumulating: assign */
bounded as (
    select
        *,
        explode(if(_ew_new, transform(sequence((_ew_first - pmod(_ew_first, 3600000000)) + 3600000000, (_ew_first - pmod(_ew_first, 86400000000)) + 86400000000, 3600000000), _ew_ends -> named_struct('starts', (_ew_first - pmod(_ew_first, 86400000000)), 'ends', _ew_ends)), array(named_struct('starts', _ew_first, 'ends', _ew_last + 1)))) as _ew_bounds
    from merge_inputs
),

assigned as (
    select *, _ew_bounds.starts as _ew_window, _ew_bounds.ends - 1 as _ew_window_last
    from bounded
)

/* calendar: slice */
transform(array(transform(transform(array(unix_micros(from_utc_timestamp(timestamp_micros(_ew_time), 'Europe/Berlin'))), _ew_local -> date_from_unix_date(cast((_ew_local - pmod(_ew_local, 86400000000)) div 86400000000 as int))), _ew_day -> transform(transform(array(0, 1, 2), _ew_step -> unix_date(add_months(date '1970-01-01', ((((year(_ew_day) - 1970) * 12 + month(_ew_day) - 1) - pmod(((year(_ew_day) - 1970) * 12 + month(_ew_day) - 1), 1)) + _ew_step * 1))) * 86400000000L), _ew_midnight -> transform(array(unix_micros(to_utc_timestamp(timestamp_micros(_ew_midnight), 'Europe/Berlin'))), _ew_start -> if(_ew_midnight >= -1577923200000000L or unix_micros(from_utc_timestamp(timestamp_micros(_ew_start - 1800000000L), 'Europe/Berlin')) < _ew_midnight, _ew_start, _ew_start - 1800000000L))[0]))[0]), _ew_at -> named_struct('starts', _ew_at[if(_ew_time < _ew_at[1], 0, 1)], 'ends', _ew_at[if(_ew_time < _ew_at[1], 0, 1) + 1]))[0].starts

/* calendar: row_until */
_ew_time

/* calendar: windows_of */
transform(array(transform(transform(array(unix_micros(from_utc_timestamp(timestamp_micros(_ew_time), 'Europe/Berlin'))), _ew_local -> date_from_unix_date(cast((_ew_local - pmod(_ew_local, 86400000000)) div 86400000000 as int))), _ew_day -> transform(transform(array(0, 1, 2), _ew_step -> unix_date(add_months(date '1970-01-01', ((((year(_ew_day) - 1970) * 12 + month(_ew_day) - 1) - pmod(((year(_ew_day) - 1970) * 12 + month(_ew_day) - 1), 1)) + _ew_step * 1))) * 86400000000L), _ew_midnight -> transform(array(unix_micros(to_utc_timestamp(timestamp_micros(_ew_midnight), 'Europe/Berlin'))), _ew_start -> if(_ew_midnight >= -1577923200000000L or unix_micros(from_utc_timestamp(timestamp_micros(_ew_start - 1800000000L), 'Europe/Berlin')) < _ew_midnight, _ew_start, _ew_start - 1800000000L))[0]))[0]), _ew_at -> named_struct('starts', _ew_at[if(_ew_time < _ew_at[1], 0, 1)], 'ends', _ew_at[if(_ew_time < _ew_at[1], 0, 1) + 1]))

/* calendar: assign */
bounded as (
    select
        *,
        explode(if(_ew_new, transform(array(transform(transform(array(unix_micros(from_utc_timestamp(timestamp_micros(_ew_first), 'Europe/Berlin'))), _ew_local -> date_from_unix_date(cast((_ew_local - pmod(_ew_local, 86400000000)) div 86400000000 as int))), _ew_day -> transform(transform(array(0, 1, 2), _ew_step -> unix_date(add_months(date '1970-01-01', ((((year(_ew_day) - 1970) * 12 + month(_ew_day) - 1) - pmod(((year(_ew_day) - 1970) * 12 + month(_ew_day) - 1), 1)) + _ew_step * 1))) * 86400000000L), _ew_midnight -> transform(array(unix_micros(to_utc_timestamp(timestamp_micros(_ew_midnight), 'Europe/Berlin'))), _ew_start -> if(_ew_midnight >= -1577923200000000L or unix_micros(from_utc_timestamp(timestamp_micros(_ew_start - 1800000000L), 'Europe/Berlin')) < _ew_midnight, _ew_start, _ew_start - 1800000000L))[0]))[0]), _ew_at -> named_struct('starts', _ew_at[if(_ew_first < _ew_at[1], 0, 1)], 'ends', _ew_at[if(_ew_first < _ew_at[1], 0, 1) + 1])), array(named_struct('starts', _ew_first, 'ends', _ew_last + 1)))) as _ew_bounds
    from merge_inputs
),

assigned as (
    select *, _ew_bounds.starts as _ew_window, _ew_bounds.ends - 1 as _ew_window_last
    from bounded
)

/* session_gap_by: slice */
_ew_time

/* session_gap_by: row_until */
case when _ew_time is not null then greatest(_ew_time, unix_micros((viewed_at + (make_dt_interval(0, 0, idle_minutes))))) end

/* session_gap_by: windows_of */
None

/* session_gap_by: assign */
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
)

