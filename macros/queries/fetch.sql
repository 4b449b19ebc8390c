{#
    The windows of one key that start from `from_time` to `to_time`, both inclusive, by start: fetch and backwardFetch
    of a window store (KIP-450, KIP-617). A side that is none is open.
#}
{% macro fetch(relation=none, key=none, from_time=none, to_time=none, reverse=false) %}
    {{ return(adapter.dispatch('fetch', 'event_windows')(
        relation=relation, key=key, from_time=from_time, to_time=to_time, reverse=reverse, unknown=[kwargs, varargs]
    )) }}
{% endmacro %}


{% macro default__fetch(relation, key, from_time, to_time, reverse, unknown) %}
    {{ event_windows._needs_spark('fetch(...)') }}
{% endmacro %}


{% macro spark__fetch(relation, key, from_time, to_time, reverse, unknown) %}
    {%- set problems = event_windows._unknown_options('relation, key, from_time, to_time, reverse', unknown) -%}
    {%- set table = event_windows._windows_table(relation, problems) -%}
    {%- set conditions = event_windows._key_conditions(table, key, problems)
        + event_windows._start_conditions(table, from_time, to_time, reverse, problems) -%}
    {%- do event_windows._check_is_shown(table, table.spec.key + ['window_start'] if table.spec else [], problems) -%}
    {%- if problems %}{{ event_windows._raise('fetch(...)', problems) }}{% endif -%}
    {{- return(event_windows._select_windows(table, conditions, [], reverse)) -}}
{% endmacro %}


{# What the arguments that fetch and fetch_all share come to. #}
{% macro _start_conditions(table, from_time, to_time, reverse, problems) %}
    {%- set lengths = event_windows._lengths(table) -%}
    {%- do event_windows._check_reverse(reverse, problems) -%}
    {{- return(
        event_windows._given_bound(table, 'window_start', '>=', 'from_time', from_time, lengths[0], problems)
        + event_windows._given_bound(table, 'window_start', '<=', 'to_time', to_time, lengths[1], problems)
    ) -}}
{% endmacro %}


{% macro _check_reverse(reverse, problems) %}
    {%- if reverse is not boolean -%}
        {%- do problems.append("reverse is '" ~ reverse ~ "': allowed are true and false") -%}
    {%- endif -%}
{% endmacro %}
