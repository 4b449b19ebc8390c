{#
    The windows of all keys that start from `from_time` to `to_time`, both inclusive, by key, then start: fetchAll and
    backwardFetchAll of a window store (KIP-617, where backward means time). A side that is none is open.
#}
{% macro fetch_all(relation=none, from_time=none, to_time=none, reverse=false) %}
    {{ return(adapter.dispatch('fetch_all', 'event_windows')(
        relation=relation, from_time=from_time, to_time=to_time, reverse=reverse, unknown=[kwargs, varargs]
    )) }}
{% endmacro %}


{% macro default__fetch_all(relation, from_time, to_time, reverse, unknown) %}
    {{ event_windows._needs_spark('fetch_all(...)') }}
{% endmacro %}


{% macro spark__fetch_all(relation, from_time, to_time, reverse, unknown) %}
    {%- set problems = event_windows._unknown_options('relation, from_time, to_time, reverse', unknown) -%}
    {%- set table = event_windows._windows_table(relation, problems) -%}
    {%- set conditions = event_windows._start_conditions(table, from_time, to_time, reverse, problems) -%}
    {%- do event_windows._check_is_shown(table, ['window_start'], problems) -%}
    {%- if problems %}{{ event_windows._raise('fetch_all(...)', problems) }}{% endif -%}
    {{- return(event_windows._select_windows(table, conditions, event_windows._key_columns(table), reverse)) -}}
{% endmacro %}


{# The key of a windows table; of any other relation what stands before window_start, as in the output of windowed(). #}
{% macro _key_columns(table) %}
    {%- if table.spec %}{{- return(table.spec.key) -}}{% endif -%}
    {%- set found = namespace(start=false, key=[]) -%}
    {%- for column in table.columns -%}
        {%- set found.start = found.start or column | lower == 'window_start' -%}
        {%- if not found.start %}{% do found.key.append(column) %}{% endif -%}
    {%- endfor -%}
    {{- return(found.key) -}}
{% endmacro %}
