{#
    The sessions of one key that end at `earliest_end` or after it and start at `latest_start` or before it, by start:
    findSessions and backwardFindSessions of a session store (KIP-94, KIP-617). A side that is none is open.
#}
{% macro find_sessions(relation=none, key=none, earliest_end=none, latest_start=none, reverse=false) %}
    {{ return(adapter.dispatch('find_sessions', 'event_windows')(
        relation=relation, key=key, earliest_end=earliest_end, latest_start=latest_start, reverse=reverse,
        unknown=[kwargs, varargs]
    )) }}
{% endmacro %}


{% macro default__find_sessions(relation, key, earliest_end, latest_start, reverse, unknown) %}
    {{ event_windows._needs_spark('find_sessions(...)') }}
{% endmacro %}


{% macro spark__find_sessions(relation, key, earliest_end, latest_start, reverse, unknown) %}
    {%- set problems = event_windows._unknown_options('relation, key, earliest_end, latest_start, reverse', unknown) -%}
    {%- set table = event_windows._windows_table(relation, problems) -%}
    {%- do event_windows._check_reverse(reverse, problems) -%}
    {%- set conditions = event_windows._key_conditions(table, key, problems)
        + event_windows._given_bound(table, 'window_end', '>=', 'earliest_end', earliest_end, none, problems)
        + event_windows._given_bound(
            table, 'window_start', '<=', 'latest_start', latest_start, event_windows._lengths(table)[1], problems
        ) -%}
    {%- do event_windows._check_is_shown(
        table, table.spec.key + ['window_start', 'window_end'] if table.spec else [], problems
    ) -%}
    {%- if problems %}{{ event_windows._raise('find_sessions(...)', problems) }}{% endif -%}
    {{- return(event_windows._select_windows(table, conditions, [], reverse)) -}}
{% endmacro %}
