{#
    Step 5, late rows, first half: the rows of the keys in `keys` with the stream time at their arrival (_ew_clock, the
    row itself included) and their place in the key's order of arrival (_ew_item).
    `stream_time` is the name of the stored clocks, or none from scratch; `once` is as for slices. Ends with a CTE suspects.
    Rows whose key has no hash in common with one of the keys are left out before anything is shuffled: a million hashes fit
    anywhere, however many keys there are.
#}
{% macro _suspects(spec, keys, stream_time=none, once=false) -%}
{%- set scope = event_windows._clock_scope(spec) -%}
{%- set arrival = event_windows._arrival_order(spec) -%}
{%- set running = 'clocked._ew_running' if spec.clock != 'key'
        else 'max(clocked._ew_time) over (partition by ' ~ event_windows._names(spec.key, 'clocked')
            ~ ' order by ' ~ event_windows._names(arrival, 'clocked') ~ ')' -%}
hashes as (
    select distinct {{ event_windows._key_hash(spec) }} as _ew_hash from {{ keys }}
),

hashed_rows as (
    select /*+ broadcast(hashes) */ arrived.*
    from {{ 'new_rows' if spec.clock == 'key' else 'clocked_rows' }} as arrived
    left semi join hashes on {{ event_windows._key_hash(spec, 'arrived') }} = hashes._ew_hash
),

suspects as (
    select
        clocked.*,
        {{ 'greatest(' ~ running ~ ', ' ~ event_windows._micros('kept.stream_time', spec) ~ ')' if stream_time else running }} as _ew_clock,
        row_number() over (
            partition by {{ event_windows._names(spec.key, 'clocked') }} order by {{ event_windows._names(arrival, 'clocked') }}
        ) as _ew_item
        {{- ', watched._ew_doubtful' if keys == 'watched' }}
        {{- ',\n        ' ~ event_windows._once() if once }}
    from hashed_rows as clocked
    inner join {{ keys }} as watched
        on {{ event_windows._equal(spec.key, 'clocked', 'watched', null_safe=true) }}
    {%- if stream_time %}
    left join {{ stream_time }} as kept
        on {{ event_windows._equal(scope, 'clocked', 'kept', null_safe=true) or 'true' }}
    {%- endif %}
)
{% endmacro %}


{# One of a million numbers for each key. #}
{% macro _key_hash(spec, alias=none) %}
    {{- return('pmod(hash(' ~ event_windows._names(spec.key, alias) ~ '), 1048576)') -}}
{% endmacro %}


{# Rows in the order in which they arrived; the partition settles ties between partitions. #}
{% macro _arrival_order(spec) %}
    {{- return([spec.arrival, spec.partition] | reject('none') | list) -}}
{% endmacro %}


{#
    The running maximum of a whole partition, or of all rows, without sorting them all in one place: a maximum per
    range of arrivals first, then inside the ranges. For stream_time 'partition' and 'global' only; ends with a CTE
    clocked_rows: the new rows with _ew_running. `width` is the length of a range of arrivals.
#}
{% macro _clocked_rows(spec, width=65536) %}
    {%- set scope = event_windows._clock_scope(spec) -%}
    {%- set arrival = event_windows._arrival_order(spec) -%}
    {%- set columns = event_windows._names(scope) ~ (', ' if scope else '') -%}
    arrival_ranges as (
        select {{ columns }}{{ event_windows._name(spec.arrival) }} div {{ width }} as _ew_range, max(_ew_time) as _ew_top
        from new_rows
        group by {{ columns }}{{ event_windows._name(spec.arrival) }} div {{ width }}
    ),

    range_clocks as (
        select
            {{ columns }}_ew_range,
            max(_ew_top) over (
                {{ 'partition by ' ~ event_windows._names(scope) if scope }} order by _ew_range rows between unbounded preceding and 1 preceding
            ) as _ew_earlier
        from arrival_ranges
    ),

    clocked_rows as (
        select
            new_rows.*,
            greatest(
                range_clocks._ew_earlier,
                max(new_rows._ew_time) over (
                    partition by {{ event_windows._names(scope, 'new_rows') }}{{ ', ' if scope }}range_clocks._ew_range
                    order by {{ event_windows._names(arrival, 'new_rows') }}
                )
            ) as _ew_running
        from new_rows
        inner join range_clocks
            on new_rows.{{ event_windows._name(spec.arrival) }} div {{ width }} = range_clocks._ew_range
            {%- if scope %} and {{ event_windows._equal(scope, 'new_rows', 'range_clocks', null_safe=true) }}{% endif %}
    )
{% endmacro %}
