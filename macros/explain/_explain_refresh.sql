{#
    What a refresh would find, asked by the statements that it would send to find it. Returns sentences about what
    stands in its way.
#}
{% macro _explain_refresh(spec, tables, record, told) %}
    {%- set progress = record.progress -%}
    {%- set run = event_windows._new_run(
        progress.number + 1, progress.generation, from=progress.through, advance_to=event_windows._advance_to(),
        previous=progress
    ) -%}
    {%- set beside = event_windows._beside_of(spec, tables, record, run) -%}
    {%- set problem = event_windows._set_back(spec, tables, record, beside) -%}
    {%- if not problem and not spec.arrival and not spec.source.empty -%}
        {%- set problem = event_windows._untold_rows(
            spec, run, event_windows._of_format(spec.source.format, 'source_version', spec.relation)
        ) -%}
    {%- endif -%}
    {%- if problem %}{{- return([problem]) -}}{% endif -%}
    {%- if event_windows._is_unfinished(spec, record, beside) -%}
        {%- do told.update({'unfinished': progress.run_id}) -%}
        {%- do told.notes.append('run ' ~ progress.run_id ~ ' has committed, and was killed or is still at work: what '
            ~ 'follows from its commit comes first, over the ' ~ progress.last ~ ' row(s) that it read') -%}
    {%- endif -%}
    {%- set seen = event_windows._set_bounds(spec, run) -%}
    {%- set stops = event_windows._explain_rebuilt(spec, tables, run, told) -%}
    {%- if stops %}{{- return(stops) -}}{% endif -%}
    {%- do event_windows._explain_rows(spec, run, told, all=seen.more) -%}
    {%- set most = event_windows._count_var('max_rows_per_refresh') -%}
    {%- do told.update({'refreshes': (told.rows / most) | round(0, 'ceil') | int if seen.more else 1}) -%}
    {%- if (not run.to or run.to == run.from) and (run.advance_to is none or progress.clock is none) -%}
        {%- set rebuilds = ['rebuilt', 'slices', 'clocks', 'windows', 'dropped_rows', 'clocks', 'ledger', 'end']
            if told.keys_rebuilt else [] -%}
        {%- do told.update({
            'steps': event_windows._first_steps(spec) + rebuilds, 'refreshes': 1 if rebuilds else 0,
            'commits': 4 if rebuilds else 0
        }) -%}
        {%- set unordered = seen.unordered or event_windows._unordered(spec, run, seen) -%}
        {{- return(event_windows._explain_skipped(spec, run, seen, 0, unordered, told)) -}}
    {%- elif load_cached_relation(tables.clocks) is none -%}
        {%- do told.notes.append('how the new rows stand to the windows is not known before that') -%}
        {{- return([]) -}}
    {%- endif -%}
    {%- set read = event_windows._would_read(spec, tables, run) -%}
    {%- do run.update({'read': read}) -%}
    {%- do event_windows._explain_windows(spec, tables, run, told) -%}
    {%- do event_windows._explain_steps(spec, run, told) -%}
    {%- set stops = event_windows._explain_skipped(spec, run, seen, read.rows, read.unordered, told) -%}
    {%- if read.late_keys or event_windows._trait('made_by_function', spec) -%}
        {%- do stops.append(event_windows._unregistered(spec, event_windows._needed_functions(spec))) -%}
    {%- endif -%}
    {{- return(stops | select | list) -}}
{% endmacro %}


{# Keys that are made anew; returns what stands in the way of it. #}
{% macro _explain_rebuilt(spec, tables, run, told) %}
    {%- set changed = event_windows._changed_since(spec, run) -%}
    {%- if changed and changed.problem is defined %}{{- return([changed.problem]) -}}{% endif -%}
    {%- set what = event_windows._keys_to_rebuild(spec, run, {'rebuild': event_windows._var('rebuild')}) -%}
    {%- if not what %}{{- return([]) -}}{% endif -%}
    {%- set problem = event_windows._rebuild_problem(spec) -%}
    {%- if problem %}{{- return(['keys cannot be made anew: ' ~ problem]) -}}{% endif -%}
    {%- set n = run_query(
        'select count(*) as n from (' ~ event_windows._rebuilt_keys(spec, tables, run, what) ~ ') as rebuilt'
    ).rows[0]['n'] | int -%}
    {%- do told.update({'keys_rebuilt': n}) -%}
    {%- if n %}{% do told.notes.append(n ~ ' key(s) are made anew, from all of their rows') %}{% endif -%}
    {{- return([]) -}}
{% endmacro %}


{# Rows below the last number, and rows without one: what stops the run, and what it only tells. #}
{% macro _explain_skipped(spec, run, seen, rows, unordered, told) %}
    {%- set skipped = event_windows._count_skipped(run, seen, rows).skipped -%}
    {%- set sentence = event_windows._about_skipped(spec, seen, skipped) -%}
    {%- do told.update({'skipped': skipped}) -%}
    {%- set stops = [event_windows._about_unordered(spec, unordered)] if unordered else [] -%}
    {%- if sentence %}{% do (stops if spec.skipped_rows == 'fail' else told.notes).append(sentence) %}{% endif -%}
    {{- return(stops) -}}
{% endmacro %}
