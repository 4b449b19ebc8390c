{# A relation that is the table of a rollup; none for any other, and while dbt parses. #}
{% macro _found_rollup(relation) %}
    {%- if not execute or relation is none or relation is string or relation.render is not defined
        or relation.is_cte -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- set found = event_windows._found(relation) -%}
    {%- if not found or found.is_view or 'event_windows.rollup' not in event_windows._own_properties(found) -%}
        {{- return(none) -}}
    {%- endif -%}
    {{- return(found) -}}
{% endmacro %}


{#
    freshness() of a rollup: its rows are windows above, or groups, as they came and went. It has no clock, and no row
    is late for it; what it has not followed is behind since the run that has followed last.
#}
{% macro _freshness_of_rollup(relation) %}
    {%- set record = event_windows._recorded_rollup(relation) -%}
    {%- set behind = event_windows._changes_behind(record) -%}
    {%- set at = event_windows._bigint(record.at) -%}
    {%- set finished = 'timestamp_micros(' ~ at ~ ')' %}
select
    {{ behind.rows }} as lag_rows,
    {{ event_windows._interval(
        '0L' if behind.none else 'unix_micros(current_timestamp()) - ' ~ at
    ) }} as lag_time,
    cast(null as timestamp) as stream_time,
    {{ finished }} as finished_at,
    cast(null as double) as late_share,
    cast(null as double) as late_share_since_build
{%- endmacro %}


{#
    What has changed above since a rollup followed it: {'none': nothing has, 'sql': a SELECT of it, 'rows': how many, as
    SQL; no SELECT, and null, where that cannot be told, `why`, so that the next run builds it anew}.
#}
{% macro _changes_behind(record) %}
    {%- set unknown = {'none': false, 'sql': none, 'rows': event_windows._bigint(none)} -%}
    {%- set above = event_windows._recorded_relation(record.above) -%}
    {%- if above is none or above is string -%}
        {{- return(dict(unknown, why=record.above ~ ' is not there')) -}}
    {%- endif -%}
    {%- set properties = event_windows._properties(above) -%}
    {%- set format = event_windows._recorded_format(properties) -%}
    {%- if not format -%}
        {{- return(dict(unknown, why=record.above ~ ' was built anew')) -}}
    {%- endif -%}
    {%- set now = event_windows._of_format(format, 'source_version', above) -%}
    {%- set there = event_windows._record_in(properties) -%}
    {%- set view = event_windows._select_around(above)
        if there.spec and there.spec.plain is not none and there.spec.emit != 'final' else none -%}
    {%- set why = event_windows._why_not_followed(record, {
        'name': record.above, 'stored': above, 'format': format, 'version': now.version,
        'table_id': now.identity, 'generation': there.generation, 'view': view, 'record': there,
        'columns': event_windows._columns_above(above, view)
    }) -%}
    {%- if why %}{{- return(dict(unknown, why=why)) -}}{% endif -%}
    {%- if now.version | string == record.version | string -%}
        {{- return({'none': true, 'sql': none, 'rows': event_windows._bigint(0)}) -}}
    {%- endif -%}
    {%- set columns = dict(event_windows._columns_of('select * from ' ~ above)) -%}
    {%- set sql = event_windows._images(format, above, columns, record.version, now.version) -%}
    {{- return({'none': false, 'sql': sql, 'rows': '(select count(*) from (' ~ sql ~ ') as images)'}) -}}
{% endmacro %}
