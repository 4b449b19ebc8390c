{# What is recorded of keys made anew; none where there are none. #}
{% macro _rebuilt_progress(run) %}
    {%- if run.progress %}{{- return(run.progress.rebuilt) -}}{% endif -%}
    {%- if not run.rebuilt %}{{- return(none) -}}{% endif -%}
    {%- set read = run.rebuilt.run.read -%}
    {{- return(dict(
        run.rebuilt.what, rows=read.rows, late=read.late, late_partial=read.late_partial, uncountable=read.uncountable
    )) -}}
{% endmacro %}


{# How many clocks there are after a refresh. #}
{% macro _scopes_after(run) %}
    {%- if run.progress %}{{- return(run.progress.scopes) -}}{% endif -%}
    {%- if not run.rebuilt or run.rebuilt.spec.clock != 'key' %}{{- return(run.read.scopes) -}}{% endif -%}
    {{- return(run.read.scopes + run.rebuilt.run.read.scopes - run.rebuilt.before.scopes) -}}
{% endmacro %}


{# The latest clock after a refresh; where keys are made anew it may be an earlier one than before. #}
{% macro _clock_after(run) %}
    {%- if run.progress %}{{- return(run.progress.clock) -}}{% endif -%}
    {%- if not run.rebuilt %}{{- return(run.read.clock) -}}{% endif -%}
    {%- set clocks = [
        run.rebuilt.before.clock, run.rebuilt.run.read.latest, run.read.latest, run.advance_to
    ] | reject('none') | list -%}
    {{- return(clocks | max if clocks else none) -}}
{% endmacro %}
