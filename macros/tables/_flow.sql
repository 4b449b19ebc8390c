{# What a run has for the pipeline already, see macros/steps/_pipeline.sql. #}
{% macro _flow(spec, tables, run) %}
    {{- return({
        'slices': tables.slices,
        'late': {'table': tables.late, 'classes': run.read.classes} if run.read.kept and run.read.late_keys else none,
        'stored': none if run.full else event_windows._stored(spec, tables, run),
        'at_once': run.read.late_keys and not spec.arrival
    }) -}}
{% endmacro %}


{# Stored windows as a refresh reads them. #}
{% macro _stored(spec, tables, run) %}
    {{- return({
        'table': tables.windows, 'segment_from': event_windows._segment_from(spec, run.read.first),
        'log': tables.clocks, 'generation': run.generation, 'number': run.number
    }) -}}
{% endmacro %}
