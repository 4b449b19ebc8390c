{#
    Step late rows: exact, only for late keys. CTEs:

    checked_rows      the rows of these keys with the stream time at their arrival (_ew_clock, the row itself included)
                      and their place in the key's order of arrival (_ew_item); rows of one number are in the order of
                      their times, so that a full refresh judges them as a refresh did
    late_candidates   those that a window can count
    late_windows      the stored windows of these keys, where they take part
    replayed          what the window type says of each, see the hook `replay`; the last three only where rows may be
                      late (`replays`)

    `late` is as in _of_late_keys. `before`: there is a CTE clocks_before; `once` is as for slices. Without a list of
    classes rows are first compared with the late keys by class, so that those of other keys are left out before
    anything is shuffled.
#}
{% macro _late_steps(spec, late, before=false, stored=false, replays=true, once=false, range_width=65536) -%}
{%- set apart = event_windows._is_of_one_partition(spec) -%}
{%- set scope = event_windows._clock_scope(spec) -%}
{%- set running = 'clocked._ew_running' if spec.clock != 'key'
    else 'max(clocked._ew_time) over (partition by ' ~ event_windows._names(scope, 'clocked') ~ ' order by '
        ~ event_windows._names([spec.arrival], 'clocked') ~ ')' -%}
{%- set rows = 'new_rows' if spec.clock == 'key' else 'clocked_rows' -%}
{%- if spec.clock != 'key' %}
{{ event_windows._clocked_rows(spec, range_width) | trim }},
{% endif %}
{%- if not late.classes %}
late_classes as (
    select distinct {{ event_windows._key_class(spec) }} as _ew_class from late_keys
),

near_late_keys as (
    select /*+ broadcast(late_classes) */ arrived.*
    from {{ rows }} as arrived
    left semi join late_classes on {{ event_windows._key_class(spec, 'arrived') }} <=> late_classes._ew_class
),
{% endif %}
checked_rows as (
    select
        clocked.*,
        {{ 'greatest(' ~ running ~ ', clocks_before._ew_before)' if before else running }} as _ew_clock,
        cast(row_number() over (
            partition by {{ event_windows._names(spec.key, 'clocked') }}
            order by {{ event_windows._names(
                event_windows._arrival_order(spec) + ['_ew_time', '_ew_until'], 'clocked'
            ) }}
        ) as bigint) as _ew_item,
        {{ event_windows._replayed_key(spec, 'clocked') }} as _ew_key
        {{- ',\n        ' ~ event_windows._once() if once }}
    from (
        select *, {{ event_windows._of_window('row_until', spec) }} as _ew_until
        from {{ rows if late.classes else 'near_late_keys' }}
    ) as clocked
    {%- if before %}
    left join clocks_before on {{ event_windows._equal(scope, 'clocked', 'clocks_before', null_safe=true) }}
    {%- endif %}
    {{ event_windows._of_late_keys(spec, 'clocked', late) }}
)
{%- if replays %},

late_candidates as (
    select *
    from checked_rows
    where _ew_time is not null
),
{% if stored %}
late_windows as (
    {{ event_windows._late_windows(spec, late) | trim }}
),
{% endif %}
{{ 'replayed_apart' if apart else 'replayed' }} as (
    {%- if apart and once %}
    select *, {{ event_windows._once() }} from (
    {%- endif %}
    {{ event_windows._of_window('replay', spec, stored) | trim }}
    {{- '\n    ) as judged' if apart and once }}
)
{%- if apart %},

{{ event_windows._replayed_of_one_partition(spec, stored) | trim }}
{%- endif %}
{%- endif %}
{%- endmacro %}


{#
    Rows with what became of them: a line for each window that a row counts in. Null-safe for
    the reason given in _of_late_keys.
#}
{% macro _late_rows() %}
    select checked_rows.*, replayed._ew_window, replayed._ew_window_last
    from checked_rows
    inner join replayed
        on checked_rows._ew_key <=> replayed._ew_key and checked_rows._ew_item <=> replayed._ew_item
{% endmacro %}


{#
    The running maximum of a whole partition, or of all rows, without sorting them all in one place: a maximum per range
    of arrivals first, then inside the ranges (a two-level scan, Blelloch 1990). For stream_time 'partition' and
    'global' only; ends with a CTE clocked_rows: the new rows with _ew_running. `width` is the length of a range of
    arrivals.
#}
{% macro _clocked_rows(spec, width) %}
    {%- set scope = event_windows._clock_scope(spec) -%}
    {%- set columns = event_windows._names_before(scope) -%}
    {%- set range = event_windows._name(spec.arrival) ~ ' div ' ~ width -%}
arrival_ranges as (
    select {{ columns }}{{ range }} as _ew_range, max(_ew_time) as _ew_top
    from new_rows
    group by {{ columns }}{{ range }}
),

range_clocks as (
    select
        {{ columns }}_ew_range,
        max(_ew_top) over (
            {{ 'partition by ' ~ event_windows._names(scope) if scope }} order by _ew_range
            rows between unbounded preceding and 1 preceding
        ) as _ew_earlier
    from arrival_ranges
),

clocked_rows as (
    select
        new_rows.*,
        greatest(
            range_clocks._ew_earlier,
            max(new_rows._ew_time) over (
                partition by {{ event_windows._names_before(scope, 'new_rows') }}range_clocks._ew_range
                order by new_rows.{{ event_windows._name(spec.arrival) }}
            )
        ) as _ew_running
    from new_rows
    inner join range_clocks
        on new_rows.{{ range }} <=> range_clocks._ew_range
        {%- if scope %} and {{ event_windows._equal(scope, 'new_rows', 'range_clocks', null_safe=true) }}{% endif %}
)
{% endmacro %}
