{#
    `--vars '{event_windows__advance_to: "<timestamp>"}'`: moves every clock that is behind this time forward to it,
    after the new rows, so that windows of idle keys close. Text is read as the origin of a window is. Returns
    microseconds or none.
#}
{% macro _advance_to() %}
    {%- set problems = [] -%}
    {%- set moment = event_windows._instant(event_windows._var('advance_to'), 'event_windows__advance_to', problems) -%}
    {%- do event_windows._refuse(problems) -%}
    {{- return(moment) -}}
{% endmacro %}
