{#
    What a refresh would find, asked by the statements that it would send to find it. Returns sentences about what
    stands in its way.
#}
{% macro _explain_refresh(spec, tables, record, condition, told) %}
    {%- set progress = record.progress -%}
    {%- set run = event_windows._new_run(
        progress.number + 1, progress.generation, from=progress.through, advance_to=event_windows._advance_to(),
        previous=progress
    ) -%}
    {%- set began = modules.datetime.datetime.fromisoformat(progress.started_at) -%}
    {%- do told.update({
        'last_run': progress.started_at,
        'since_last_run': (modules.datetime.datetime.now(modules.pytz.utc) - began).total_seconds() | int
    }) -%}
    {%- set beside = event_windows._beside_of(spec, tables, record, run) -%}
    {%- set unfinished = event_windows._is_unfinished(spec, record, beside) -%}
    {%- set problem = event_windows._set_back(spec, tables, record, beside)
        or (event_windows._about_lost(spec, progress) if unfinished else none) -%}
    {%- if not problem and not spec.arrival and not spec.source.empty -%}
        {%- set problem = event_windows._since_read(
            spec, run, event_windows._of_format(spec.source.format, 'source_version', spec.relation)
        ).problem -%}
    {%- endif -%}
    {%- if problem %}{{- return([problem]) -}}{% endif -%}
    {%- set other_session = event_windows._about_other_session(spec, record) -%}
    {%- if other_session %}{% do told.notes.append(other_session) %}{% endif -%}
    {%- if unfinished -%}
        {%- do told.update({'unfinished': progress.run_id}) -%}
        {%- do told.notes.append('run ' ~ progress.run_id ~ ' has committed, and was killed or is still at work: what '
            ~ 'follows from its commit comes first, over the ' ~ progress.last ~ ' row(s) that it read') -%}
    {%- endif -%}
    {%- set seen = event_windows._set_bounds(spec, run) -%}
    {%- if seen.problem %}{{- return([seen.problem]) -}}{% endif -%}
    {%- set stops = event_windows._explain_rebuilt(spec, tables, record, run, condition, told) -%}
    {%- if stops %}{{- return(stops) -}}{% endif -%}
    {%- do event_windows._explain_rows(spec, run, told, all=seen.more) -%}
    {%- do told.update({'rows_read': told.rows - event_windows._new_rows_rebuilt(run)}) -%}
    {%- set most = event_windows._count_var('max_rows_per_refresh') -%}
    {%- do told.update({'refreshes': (told.rows / most) | round(0, 'ceil') | int if seen.more else 1}) -%}
    {%- set anew = ['show'] if event_windows._other_view(spec, tables, record) else [] -%}
    {%- if not event_windows._may_be_new(spec, run) -%}
        {%- do told.update({'steps': event_windows._first_steps(spec, run) + anew, 'refreshes': 0}) -%}
        {%- set unordered = event_windows._unordered(spec, run, seen) -%}
        {{- return(event_windows._explain_skipped(spec, run, seen, 0, unordered, told)) -}}
    {%- elif load_cached_relation(tables.clocks) is none -%}
        {%- do told.notes.append('how the new rows stand to the windows is not known before that') -%}
        {{- return([]) -}}
    {%- endif -%}
    {%- set rest = event_windows._without_rebuilt(spec, run) -%}
    {%- set read = event_windows._would_read(rest, tables, run) -%}
    {%- do run.update({'read': read}) -%}
    {%- do event_windows._explain_windows(rest, tables, run, told) -%}
    {%- do event_windows._explain_steps(spec, run, told, anew) -%}
    {%- set stops = event_windows._explain_skipped(spec, run, seen, told.rows, read.unordered, told) -%}
    {%- do stops.append(event_windows._why_not_cut(spec, seen.more and progress.rows == 0)) -%}
    {%- set late = read.late_keys or (run.rebuilt and run.rebuilt.run.read.late_keys) -%}
    {%- if late or event_windows._trait('made_by_function', spec) -%}
        {%- do stops.append(event_windows._unregistered(spec, event_windows._needed_functions(spec))) -%}
    {%- endif -%}
    {{- return(stops | select | list) -}}
{% endmacro %}


{# Rows below the last number, and rows without one: what stops the run, and what it only tells. #}
{% macro _explain_skipped(spec, run, seen, rows, unordered, told) %}
    {%- set counted = event_windows._count_skipped(spec, run, seen, rows) -%}
    {%- if counted.gone and not run.rebuilt %}{% do told.notes.append(event_windows._about_gone(counted.gone)) %}
    {%- endif -%}
    {%- set sentence = event_windows._about_skipped(spec, run, seen, counted.skipped) -%}
    {%- do told.update({'skipped': counted.skipped}) -%}
    {%- set stops = [event_windows._about_unordered(spec, unordered)] | select | list -%}
    {%- if sentence -%}
        {%- do (stops if event_windows._stops_at_skipped(spec, run) else told.notes).append(sentence) -%}
    {%- endif -%}
    {{- return(stops) -}}
{% endmacro %}
