{#
    `--vars '{event_windows__advance_to: "<timestamp>"}'`: moves every clock that is behind this time forward to it, after
    the new rows, so that windows of idle keys close. Text is read as the origin of a window is. Returns microseconds or none.
#}
{% macro _advance_to() %}
    {%- set text = var('event_windows__advance_to', none) -%}
    {%- set problems = [] -%}
    {%- set moment = event_windows._instant(text, 'event_windows__advance_to', problems) -%}
    {%- if problems -%}{{ event_windows._raise("model '" ~ model.name ~ "'", problems) }}{%- endif -%}
    {{- return(moment) -}}
{% endmacro %}


{# {'behind': clocks to move, 'scopes': clocks there are, 'clock': the latest}; nothing is asked where nothing advances. #}
{% macro _clocks_behind(spec, tables, advance_to) %}
    {%- if advance_to is none %}{{- return({'behind': 0}) -}}{% endif -%}
    {%- set time = event_windows._micros('stream_time', spec) -%}
    {%- set row = run_query('select count_if(' ~ time ~ ' < ' ~ advance_to ~ ') as behind, count(*) as scopes, max(' ~ time ~ ') as clock from ' ~ tables.stream_time).rows[0] -%}
    {{- return({'behind': row['behind'], 'scopes': row['scopes'], 'clock': row['clock']}) -}}
{% endmacro %}


{# What a clock was before the refresh stays beside it. Doing it again changes nothing. #}
{% macro _advance_clocks(spec, tables, pending) %}
    {%- if pending.advance_to is none %}{{- return('') -}}{% endif -%}
    {%- set target = event_windows._from_micros(pending.advance_to, spec) -%}
    {%- do run_query('update ' ~ tables.stream_time ~ ' set _ew_previous = if(_ew_refresh = ' ~ pending.refresh ~ ', _ew_previous, stream_time), stream_time = '
        ~ target ~ ', _ew_refresh = ' ~ pending.refresh ~ ' where stream_time < ' ~ target) -%}
{% endmacro %}
