{#
    A bound as a user gives it. Where nobody here knows the type of the column (a CTE, a name alone) it is written for
    either, and Spark takes one as it plans: an instant is compared with a TIMESTAMP_NTZ by the zone of the session.
#}
{% macro _given_bound(table, column, operator, option, given, to_end, problems, type=none) %}
    {%- set known = type or event_windows._window_time_type(table) -%}
    {%- set time = event_windows._time(option, given, known, problems) -%}
    {%- set bound = event_windows._ends_from(table, time) if column == 'window_end'
        else event_windows._bound(table, column, operator, time, to_end) -%}
    {%- if known is not none or not bound %}{{- return(bound) -}}{% endif -%}
    {%- set wall = event_windows._given_bound(
        table, column, operator, option, given, to_end, problems, 'timestamp_ntz'
    ) -%}
    {{- return(['case when typeof(stored.' ~ column ~ ") = 'timestamp_ntz' then " ~ wall[0] ~ ' else ' ~ bound[0]
        ~ ' end']) -}}
{% endmacro %}
