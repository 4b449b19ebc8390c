{#
    The stream time of a windowed model as one SELECT, with the columns of the view m__stream_time: one row per key,
    per partition or in all. It asks what the model's table records, so that it needs no view.
#}
{% macro stream_time(relation=none) %}
    {{ return(adapter.dispatch('stream_time', 'event_windows')(relation=relation, unknown=[kwargs, varargs])) }}
{% endmacro %}


{% macro default__stream_time(relation, unknown) %}
    {{ event_windows._needs_spark('stream_time(...)') }}
{% endmacro %}


{% macro spark__stream_time(relation, unknown) %}
    {%- set asked = event_windows._refreshed_model(
        'stream_time(...)', relation, event_windows._unknown_options('relation', unknown)
    ) -%}
    {%- set spec = asked.spec -%}
    {%- if not spec -%}
        {{- return('(select timestamp_micros(0) as stream_time where false /* ' ~ relation
            ~ ' is not there yet: it has no clocks */)') -}}
    {%- endif -%}
    {{- return(event_windows._stream_time_of(asked)) -}}
{% endmacro %}
