{#
    The spec of a windows table as the steps of a refresh read it, from what the table records of itself; `source` is a
    relation to read rows from, where that is wanted.
#}
{% macro _recorded_spec(table, source=none) %}
    {%- set recorded = table.spec -%}
    {{- return({
        'relation': source, 'key': recorded.key, 'event_time': recorded.event_time, 'window': recorded.window,
        'arrival': recorded.arrival_order, 'partition': recorded.partition, 'clock': recorded.stream_time,
        'columns': recorded.types, 'segment': recorded.segment, 'retention': recorded.retention,
        'leaves_after': recorded.leaves_after, 'max_ahead': recorded.max_ahead, 'arrived_at': recorded.arrived_at,
        'emit': recorded.emit, 'aggregates': recorded.aggregates, 'expire': recorded.expire,
        'null_keys': recorded.plain is not none, 'plain': recorded.plain, 'file_format': recorded.file_format,
        'source': event_windows._source(source) if source is not none else none
    }) -}}
{% endmacro %}
