{#
    Keys that the run makes anew, and how many rows they have; returns what stands in the way of it. Then run.rebuilt is
    what the run would know of them.
#}
{% macro _explain_rebuilt(spec, tables, record, run, condition, told) %}
    {%- set what = event_windows._keys_to_rebuild(spec, run, {
        'rebuild': condition.sql if condition else none,
        'late_again': event_windows._late_again(record, event_windows._fingerprint(spec)) if not spec.recorded
    }) -%}
    {%- if what and what.problem is defined %}{{- return([what.problem]) -}}{% endif -%}
    {%- do run.update({'may_rebuild': what is not none}) -%}
    {%- set found = event_windows._found_rebuilt(spec, tables, run, what) if what else none -%}
    {%- do told.update({'keys_rebuilt': found.what['keys'] if found else 0, 'rows_rebuilt': 0}) -%}
    {%- if not found %}{{- return([]) -}}{% endif -%}
    {%- set problem = event_windows._rebuild_problem(spec) -%}
    {%- if problem %}{{- return(['keys cannot be made anew: ' ~ problem]) -}}{% endif -%}
    {%- set read = event_windows._would_read(found.spec, tables, found.run) -%}
    {%- do found.run.update({'read': read}) -%}
    {%- do told.update({'rows_rebuilt': read.rows}) -%}
    {%- do run.update({'rebuilt': found}) -%}
    {{- return([]) -}}
{% endmacro %}


{# The new rows of keys that are made anew: they are read with all others of theirs. #}
{% macro _new_rows_rebuilt(run) %}
    {%- if not run.rebuilt or not run.to or run.to == run.from %}{{- return(0) -}}{% endif -%}
    {%- set rows = event_windows._new_rows(run.rebuilt.spec, {'from': run.from, 'to': run.to}) | trim -%}
    {{- return(event_windows._row(run, 'bounds', 'select count(*) as n from (' ~ rows ~ ') as anew')['n'] | int) -}}
{% endmacro %}
