{#
    How late dropped rows were, per refresh: the grace that would have counted 50, 90, 99 and 100 percent of them,
    beside what the ledger has of the refresh. Only rows that came too late for the grace there is are measured. Those
    of keys that were made anew are measured with the refresh that made them anew, whose rows_late has new rows alone.
#}
{% macro lateness(relation=none) %}
    {{ return(adapter.dispatch('lateness', 'event_windows')(relation=relation, unknown=[kwargs, varargs])) }}
{% endmacro %}


{% macro default__lateness(relation, unknown) %}
    {{ event_windows._needs_spark('lateness(...)') }}
{% endmacro %}


{% macro spark__lateness(relation, unknown) %}
    {%- set asked = event_windows._refreshed_model(
        'lateness(...)', relation, event_windows._unknown_options('relation', unknown)
    ) -%}
    {%- set spec, tables = asked.spec, asked.tables -%}
    {%- if not spec -%}
        {{- return('select * from ' ~ relation ~ '\nwhere false /* not there yet: it cannot be asked for its late '
            ~ 'rows */') -}}
    {%- endif -%}
    {%- set time = event_windows._time_micros(event_windows._name(spec.event_time), spec) -%}
    {%- set clock = event_windows._time_micros('stream_time', spec) %}
with
late_rows as (
    select _ew_refresh, {{ event_windows._of_window('least_grace', spec, time, clock) }} as needed
    from {{ event_windows._counted_dropped(asked) }}
    where reason in ('late', 'late_partial')
),

quantiles as (
    select
        _ew_refresh,
        {%- for percent in [50, 90, 99] %}
        cast(percentile_disc({{ percent / 100 }}) within group (order by needed) as bigint) as p{{ percent }},
        {%- endfor %}
        max(needed) as p100
    from late_rows
    group by _ew_refresh
)

select
    runs.run_id,
    runs.started_at,
    runs.rows_read,
    runs.rows_late,
    runs.rows_late_partial,
    {%- for part, name in [['p50', 'grace_p50'], ['p90', 'grace_p90'], ['p99', 'grace_p99'], ['p100', 'grace_max']] %}
    {{ event_windows._interval('quantiles.' ~ part) }} as {{ name }}{{ ',' if not loop.last }}
    {%- endfor %}
from {{ tables.runs }} as runs
left join quantiles on runs._ew_refresh = quantiles._ew_refresh
where {{ event_windows._is_of_model(tables) }}
order by runs._ew_refresh
{%- endmacro %}
