{#
    Event-time windows over rows: one SELECT with the key, window_start, window_end and the aggregates. As a table,
    view, ephemeral model or ad hoc it computes every window from scratch; a model that is materialized='windowed'
    keeps the same windows up to date from new rows alone.
#}
{% macro windowed(
    relation, key=none, event_time=none, window=none, aggregates=none, arrival_order=none, partition=none,
    stream_time='key'
) %}
    {{ return(adapter.dispatch('windowed', 'event_windows')(
        relation=relation, key=key, event_time=event_time, window=window, aggregates=aggregates,
        arrival_order=arrival_order, partition=partition, stream_time=stream_time, unknown=[kwargs, varargs]
    )) }}
{% endmacro %}


{% macro default__windowed(
    relation, key, event_time, window, aggregates, arrival_order, partition, stream_time, unknown
) %}
    {{ event_windows._needs_spark('windowed(...)') }}
{% endmacro %}


{% macro spark__windowed(
    relation, key, event_time, window, aggregates, arrival_order, partition, stream_time, unknown
) %}
    {%- set spec = event_windows._spec_of_call(
        relation=relation, key=key, event_time=event_time, window=window, aggregates=aggregates,
        arrival_order=arrival_order, partition=partition, stream_time=stream_time, unknown=unknown
    ) -%}
    {%- set sql = event_windows._from_scratch(spec) -%}
    {%- if event_windows._is_running() and not event_windows._is_for_a_windowed_run() -%}
        {%- do event_windows._asked_session() -%}
        {%- do event_windows._check_registered(spec) -%}
    {%- endif -%}
    {%- if config.get('materialized') == 'windowed' -%}
        {{- return('/* event_windows */\n' ~ sql ~ '\n' ~ event_windows._spec_comment(spec)) -}}
    {%- endif -%}
    {{- return(sql) -}}
{% endmacro %}
