{#
    Source rows as CTEs, ending in report_rows: each with its event time (_ew_time, none for a row that no window can
    count, with _ew_reason) and stream time at its arrival (_ew_clock, none where rows have no numbers). `wanted` is a
    condition: only clocks that its rows move are followed.
#}
{% macro _report_rows(spec, wanted=none, bounds={}) %}
    {%- set scope = event_windows._clock_scope(spec) -%}
    {%- set columns = event_windows._names(scope) %}
all_rows as (
    {{ event_windows._new_rows(spec, bounds) | trim }}
),
{%- if wanted %}

wanted_clocks as (
    select distinct {{ columns or 'true as _ew_one' }} from all_rows where {{ wanted }}
),
{%- endif %}

report_rows as (
    select
        *,
        {%- if spec.arrival %}
        max(_ew_time) over (
            {{ 'partition by ' ~ columns if columns }} order by {{ event_windows._name(spec.arrival) }}
            rows between unbounded preceding and current row
        ) as _ew_clock
        {%- else %}
        cast(null as bigint) as _ew_clock
        {%- endif %}
    from all_rows
    {%- if wanted %}
    left semi join wanted_clocks
        on {{ event_windows._equal(scope, 'all_rows', 'wanted_clocks', null_safe=true) }}
    {%- endif %}
)
{%- endmacro %}


{# Dropped rows with what tells them apart, to join: reason and stream time at arrival. #}
{% macro _report_join_dropped(asked) %}
    {%- set spec = asked.spec -%}
    {%- set columns = [] -%}
    {%- for column in spec.key + [spec.event_time, spec.arrival, spec.partition]
        if column and not event_windows._is_among(column, columns) -%}
        {%- do columns.append(column) -%}
    {%- endfor %}
left join (
    select
        {{ event_windows._names(columns) }},
        max(reason) as _ew_dropped,
        max({{ event_windows._time_micros('stream_time', spec) }}) as _ew_dropped_at
    from {{ event_windows._counted_dropped(asked) }}
    group by {{ event_windows._names(columns) }}
) as dropped
    on {{ event_windows._equal(columns, 'wanted', 'dropped', null_safe=true) }}
{% endmacro %}


{# What is said of a source row `wanted`, joined to dropped rows. #}
{% macro _report_row_fields(spec) %}
    {#- a clock that was moved by hand (event_windows__advance_to) is that of no row -#}
    {%- set clock = 'coalesce(dropped._ew_dropped_at, wanted._ew_clock)' -%}
    {{- return({
        'key': event_windows._report_texts(spec.key, spec, 'wanted'),
        'time': event_windows._time_micros(event_windows._names([spec.event_time], 'wanted'), spec),
        'arrival': event_windows._names([spec.arrival], 'wanted') if spec.arrival else 'null',
        'partition': event_windows._exact_text(spec.partition, spec, 'wanted') if spec.partition else 'null',
        'clock': clock,
        'reason': 'coalesce(dropped._ew_dropped, wanted._ew_reason)',
        'needed': event_windows._of_window('least_grace', spec, 'wanted._ew_time', clock)
    }) -}}
{% endmacro %}
