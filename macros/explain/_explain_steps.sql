{#
    The steps of the refresh, in order; `anew` are those after it by which a view is made anew. Bounds that are versions
    are asked of the catalogue, without a step.
#}
{% macro _explain_steps(spec, run, told, anew=[]) %}
    {%- set read, rebuilt = run.read, run.rebuilt -%}
    {%- set reads = [read] + ([rebuilt.run.read] if rebuilt else []) -%}
    {%- set steps = event_windows._first_steps(spec, run)
        + ['slices', 'clocks'] + (['late_keys'] if read.asks else []) + (['bounds'] if rebuilt else []) -%}
    {%- if not event_windows._was_new(spec, run) -%}
        {%- do told.update({'steps': steps + ['end'] + anew, 'refreshes': 0}) -%}
        {{- return('') -}}
    {%- endif -%}
    {%- set logs = event_windows._logs_clocks(spec, run) -%}
    {%- set writes = [] -%}
    {%- for one in reads if one.uncountable or (one.late_keys and not spec.arrival) -%}
        {%- do writes.append('dropped_rows') -%}
    {%- endfor -%}
    {%- for one in reads if one.late_keys and not writes %}{% do writes.append('dropped_rows, if one is late') %}
    {%- endfor -%}
    {#- a row that is counted leaves a window, which bears the record -#}
    {%- set surely = [] -%}
    {%- for one in reads if one.rows > one.uncountable and not one.late_keys %}{% do surely.append(one) %}{% endfor -%}
    {%- set perhaps = [] if surely else ['progress, if no window is left'] -%}
    {#- of keys that are made anew the last window, which bears the record before, may go -#}
    {%- set before = ['progress'] if event_windows._carries(run) else perhaps if rebuilt else [] -%}
    {%- set writes = writes[:1] + before + ['windows'] + (perhaps if not rebuilt else []) -%}
    {%- if logs %}{% do writes.append('clocks') %}{% endif -%}
    {%- if rebuilt %}{% do writes.extend(['clocks', 'dropped_rows']) %}{% endif -%}
    {%- if spec.emit == 'final' %}{% do writes.append('publish') %}{% endif -%}
    {%- do writes.append('ledger') -%}
    {%- if spec.leaves_after is not none %}{% do writes.extend(['progress', 'expire', 'progress']) %}{% endif -%}
    {%- if logs and (run.number % 20 == 0 or event_windows._windows_tell_clocks(spec)) -%}
        {%- do writes.append('clocks') -%}
    {%- endif -%}
    {#- in the end, for all commits of the run -#}
    {%- set shows = event_windows._shows_state(spec) and not event_windows._is_shown_by_view(spec) -%}
    {%- do told.update({
        'steps': steps + (['late_rows'] if read.kept else []) + writes + ['end'] + (['show'] if shows else anew),
        'commits': told.refreshes * (writes | reject('in', perhaps) | list | length) + (2 if shows else 0)
    }) -%}
{% endmacro %}


{# What it sends before it reads new rows: of keys that are made anew it may find that there are none. #}
{% macro _first_steps(spec, run) %}
    {%- set steps = ['last', 'bounds'] if spec.arrival else ['last'] -%}
    {%- if run.rebuilt -%}
        {%- set late = ['late_rows'] if run.rebuilt.run.read.kept else [] -%}
        {{- return(steps + ['rebuilt', 'slices', 'clocks'] + late + ['rebuilt']) -}}
    {%- endif -%}
    {{- return(steps + (['rebuilt'] if run.may_rebuild else [])) -}}
{% endmacro %}
