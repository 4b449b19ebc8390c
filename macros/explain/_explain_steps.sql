{# The steps of the refresh, in order. Bounds that are versions are asked of the catalogue, without a step. #}
{% macro _explain_steps(spec, run, told) %}
    {%- set read = run.read -%}
    {%- set steps = event_windows._first_steps(spec) + ['slices', 'clocks'] -%}
    {%- if not read.rows and not read.moved -%}
        {%- do told.update({'steps': steps + ['end'], 'refreshes': 0}) -%}
        {{- return('') -}}
    {%- endif -%}
    {%- set logs = event_windows._logs_clocks(spec, run) -%}
    {%- set writes = ['dropped_rows'] if read.uncountable or (read.late_keys and not spec.arrival)
        else (['dropped_rows, if one is late'] if read.late_keys else []) -%}
    {%- do writes.append('windows') -%}
    {%- if logs %}{% do writes.append('clocks') %}{% endif -%}
    {%- if spec.emit == 'final' %}{% do writes.append('publish') %}{% endif -%}
    {%- do writes.append('ledger') -%}
    {%- if spec.leaves_after is not none %}{% do writes.extend(['progress', 'expire', 'progress']) %}{% endif -%}
    {%- if logs and (run.number % 20 == 0 or event_windows._windows_tell_clocks(spec)) -%}
        {%- do writes.append('clocks') -%}
    {%- endif -%}
    {%- do told.update({
        'steps': steps + (['late_rows'] if read.kept else []) + writes + ['end'],
        'commits': told.refreshes * (writes | length)
    }) -%}
{% endmacro %}


{% macro _first_steps(spec) %}
    {{- return(['last', 'bounds'] if spec.arrival else ['last']) -}}
{% endmacro %}
