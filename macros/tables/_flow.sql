{# What a run has for the pipeline already, see macros/steps/_pipeline.sql. #}
{% macro _flow(spec, tables, run) %}
    {{- return({
        'slices': tables.slices, 'rows': run.read.rows,
        'late': event_windows._late(tables, run) if run.read.kept and run.read.late_keys else none,
        'stored': none if run.full else event_windows._stored(spec, tables, run),
        'at_once': run.read.late_keys and not spec.arrival
    }) -}}
{% endmacro %}


{# Late rows as a run keeps them: as text with the bounds between which their rows are, or in a relation. #}
{% macro _late(tables, run) %}
    {{- return({
        'table': tables.late, 'classes': run.read.classes, 'lines': run.read.lines,
        'bounds': {'from': run.from, 'to': run.to}
    }) -}}
{% endmacro %}


{# Stored windows as a refresh reads them. #}
{% macro _stored(spec, tables, run) %}
    {{- return({
        'table': tables.windows, 'segment_from': event_windows._segment_from(spec, run.read.first),
        'clocks': event_windows._clocks_until(tables, run)
    }) -}}
{% endmacro %}


{#
    Where clocks before a refresh are: in the log, and in windows that were written after the last line of the log,
    which `logged` numbers. None of a build, which has no clocks before it.
#}
{% macro _clocks_until(tables, run) %}
    {{- return(none if run.full else {
        'log': tables.clocks, 'windows': tables.windows, 'generation': run.generation, 'number': run.number,
        'logged': event_windows._logged_before(run)
    }) -}}
{% endmacro %}


{# The number up to which the log has all clocks, before a refresh. #}
{% macro _logged_before(run) %}
    {%- if run.progress %}{{- return(run.progress.logged) -}}{% endif -%}
    {{- return(run.previous.number if run.previous.logs else run.previous.logged) -}}
{% endmacro %}


{#
    What the step of dropped rows has: the rows by their bounds, those that are `kept`, whether some are without a key,
    and where rows have no order the pipeline that tells which are late.
#}
{% macro _dropped(spec, tables, run) %}
    {{- return({
        'bounds': {'from': run.from, 'to': run.to}, 'number': run.number, 'run_id': run.run_id,
        'kept': event_windows._late(tables, run) if run.read.kept else none,
        'without_key': run.read.without_key, 'range_width': run.read.range_width,
        'clocks': event_windows._clocks_until(tables, run),
        'pipeline': event_windows._flow(spec, tables, run) if run.read.late_keys else none
    }) -}}
{% endmacro %}
