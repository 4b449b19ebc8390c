{#
    The spec of a windows table as the steps of a refresh read it, from what the table records of itself; `source` is a
    relation to read rows from, where that is wanted.
#}
{% macro _recorded_spec(table, source=none) %}
    {%- set recorded = table.spec -%}
    {{- return({
        'relation': source, 'key': recorded.key, 'event_time': recorded.event_time, 'window': recorded.window,
        'arrival': recorded.arrival_order, 'partition': recorded.partition, 'clock': recorded.stream_time,
        'columns': {recorded.event_time: event_windows._window_time_type(table)},
        'source_format': (event_windows._source_format(source) if source is not none and source is not string else none) or event_windows._formats()[0]
    }) -}}
{% endmacro %}
