{#
    What a model is, in one line: names of its columns, its window, and how far it has read, where that is a number.
#}
{% macro _report_facts(relation) %}
    {%- set asked = event_windows._reported_model(relation) -%}
    {%- if not asked.spec %}{{- return(event_windows._report_nothing()) -}}{% endif -%}
    {%- set spec = asked.spec -%}
    {%- set progress = asked.progress -%}
    {{- return("select 'model' as part, " ~ event_windows._literal(tojson({
        'name': asked.tables.model.identifier, 'schema': asked.tables.model.schema,
        'key': event_windows._known_key(spec.key),
        'event_time': spec.event_time, 'time_type': event_windows._time_type(spec),
        'arrival_order': spec.arrival, 'partition': spec.partition, 'stream_time': spec.clock,
        'emit': spec.emit, 'grace': spec.window.grace, 'window': spec.window.type,
        'gap': spec.window.gap | default(none),
        'exclusive_end': event_windows._trait('exclusive_end', spec), 'count': asked.count,
        'hidden': asked.hidden,
        'having': asked.kept is not none or (spec.plain is mapping and spec.plain.having is not none),
        'through': progress.through if progress and spec.arrival else []
    })) ~ ' as line') -}}
{% endmacro %}
