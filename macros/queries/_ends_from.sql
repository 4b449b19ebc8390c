{#
    The condition that a session ends at a time or later. One in plain SQL ends, as Spark has it, a gap after its last
    event.
#}
{% macro _ends_from(table, time, nullable=false) %}
    {%- set later = table.shown and event_windows._trait('absorbs', table.spec) and time is not none -%}
    {%- set type = event_windows._window_time_type(table) -%}
    {%- if later and table.spec.window.gap_by -%}
        {%- set reached = 'stored._ew_until >= ' ~ event_windows._micros(time, type) -%}
        {{- return(['(' ~ time ~ ' is null or ' ~ reached ~ ')' if nullable else reached]) -}}
    {%- elif later -%}
        {%- set time = event_windows._from_micros(
            '(' ~ event_windows._micros(time, type) ~ ' - ' ~ table.spec.window.gap ~ ')', type
        ) -%}
    {%- endif -%}
    {%- set to_end = -1 if table.spec and event_windows._trait('exclusive_end', table.spec) else 0 -%}
    {{- return(event_windows._bound(table, 'window_end', '>=', time, to_end, nullable)) -}}
{% endmacro %}
