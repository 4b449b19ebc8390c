{#
    How far a windowed model is behind its source, as one row: rows that have arrived and were not read, the time from
    the latest event to now, when the last refresh ended, and the share of rows that came late. A lag of rows that
    cannot be told is null: the source is gone, or its new rows cannot be told from others. Of a rollup it is told how
    far it is behind the model above.
#}
{% macro freshness(relation=none) %}
    {{ return(adapter.dispatch('freshness', 'event_windows')(relation=relation, unknown=[kwargs, varargs])) }}
{% endmacro %}


{% macro default__freshness(relation, unknown) %}
    {{ event_windows._needs_spark('freshness(...)') }}
{% endmacro %}


{% macro spark__freshness(relation, unknown) %}
    {%- set rollup = event_windows._found_rollup(relation) -%}
    {%- if rollup and not unknown[0] and not unknown[1] -%}
        {{- return(event_windows._freshness_of_rollup(rollup)) -}}
    {%- endif -%}
    {%- set asked = event_windows._refreshed_model(
        'freshness(...)', relation, event_windows._unknown_options('relation', unknown)
    ) -%}
    {%- set spec, tables = asked.spec, asked.tables -%}
    {%- if not spec -%}
        {%- set nothing = 'timestamp_micros(0)' -%}
        {{- return('select 0L as lag_rows, ' ~ event_windows._interval('0L') ~ ' as lag_time, ' ~ nothing
            ~ ' as stream_time, ' ~ nothing ~ ' as finished_at, 0D as late_share, 0D as late_share_since_build '
            ~ 'where false /* ' ~ relation ~ ' is not there yet */') -}}
    {%- endif -%}
    {%- set time = event_windows._time_micros('stream_time', spec) %}
with
clock as (
    select max(stream_time) as stream_time from {{ event_windows._stream_time_of(asked) | indent }} as clocks
),

refreshes as (
    select finished_at, rows_read, rows_late + rows_late_partial as rows_behind, _ew_refresh
    {{ event_windows._from_ledger(tables, '_ew_refresh >= ' ~ asked.generation) }}
)

select
    {{ event_windows._unread_rows(asked) | trim }} as lag_rows,
    {{ event_windows._interval('unix_micros(current_timestamp()) - ' ~ time) }} as lag_time,
    stream_time,
    (select max_by(finished_at, _ew_refresh) from refreshes) as finished_at,
    (select max_by(rows_behind / rows_read, _ew_refresh) from refreshes where rows_read > 0) as late_share,
    (select sum(rows_behind) / nullif(sum(rows_read), 0) from refreshes) as late_share_since_build
from clock
{%- endmacro %}


{# How many rows the next refresh would read, as SQL. #}
{% macro _unread_rows(asked) %}
    {%- set spec = asked.spec -%}
    {%- set through = asked.progress.through if asked.progress else [] -%}
    {%- set to = none -%}
    {%- if asked.readable and not spec.arrival -%}
        {%- set now = event_windows._of_format(spec.source.format, 'source_version', spec.relation) -%}
        {%- set since = event_windows._source_since(
            spec.source.format, spec.relation, through[0][1], asked.progress.source, now,
            retracts=asked.progress.get('followed') is not none
        ) if through else {} -%}
        {%- set to = none if since.problem else ([] if since.same else [[none, now.version]]) -%}
    {%- endif -%}
    {%- if not asked.readable or (not spec.arrival and to is none) %}{{- return('cast(null as bigint)') -}}{% endif -%}
    {{- return('(\n        select count(*)\n        '
        ~ event_windows._arrived_rows(spec, {'from': through, 'to': to}) | trim ~ '\n    )') -}}
{% endmacro %}
