{#
    How many windows of a windowed model are open, closed and in the state, at its clocks as they are now, as one row. A
    refresh does not count them, since that would read windows that it does not touch.
#}
{% macro window_counts(relation=none) %}
    {{ return(adapter.dispatch('window_counts', 'event_windows')(relation=relation, unknown=[kwargs, varargs])) }}
{% endmacro %}


{% macro default__window_counts(relation, unknown) %}
    {{ event_windows._needs_spark('window_counts(...)') }}
{% endmacro %}


{% macro spark__window_counts(relation, unknown) %}
    {%- set asked = event_windows._refreshed_model(
        'window_counts(...)', relation, event_windows._unknown_options('relation', unknown)
    ) -%}
    {%- set spec, tables = asked.spec, asked.tables -%}
    {%- if not spec -%}
        {{- return('select 0L as open, 0L as closed, 0L as in_state where false /* ' ~ relation
            ~ ' is not there yet */') -}}
    {%- endif -%}
    {%- set clock = event_windows._time_micros('clock.stream_time', spec) -%}
    {%- set until = event_windows._of_window('stored_until', spec, 'stored') -%}
    {#- a final window that has closed may have left the state, but not the table that shows it -#}
    {%- set final = spec.emit == 'final' %}
select
    count_if(not is_closed) as open,
    {{ '(select count(*) from ' ~ tables.model ~ ')' if final else 'count_if(is_closed)' }} as closed,
    count_if(not has_left) as in_state
from (
    select
        {{ 'false' if spec.window.grace is none
            else 'coalesce(' ~ event_windows._closed(spec, until, clock) ~ ', false)' }} as is_closed,
        {{ 'false' if spec.retention is none
            else 'coalesce(' ~ event_windows._has_left(spec, 'stored', clock, spec.retention) ~ ', false)' }}
            as has_left
    from {{ tables.windows }} as stored
    {{ event_windows._join_slowest_clocks(asked) | trim }}
) as windows
{%- endmacro %}
