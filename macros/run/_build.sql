{#
    A first build or a full refresh: every window from scratch, replaced in one commit together with its record, so that
    readers see the old table or the new one; then what stands beside it.
#}
{% macro _build(spec, tables, record, advance_to, done) %}
    {%- do event_windows._check_registered(spec) -%}
    {%- do event_windows._widen_ledger(tables, done) -%}
    {%- set last = record.progress.number if record and record.progress else 0 -%}
    {%- set number = [event_windows._now_in_micros(), last + 1] | max -%}
    {%- set run = event_windows._new_run(
        number, number, full=true, advance_to=advance_to, statements=done.statements
    ) -%}
    {%- set seen = event_windows._set_bounds(spec, run) -%}
    {%- do event_windows._stop_if(seen.problem) -%}
    {%- do event_windows._stop_if(event_windows._why_not_cut(spec, seen.more)) -%}
    {%- if spec.arrival and not run.to -%}
        {%- do event_windows._stop_if(event_windows._about_unordered(
            spec, event_windows._unordered(spec, run, seen)
        )) -%}
    {%- endif -%}
    {%- set pinned = event_windows._at_followed(spec, run) -%}
    {%- do event_windows._read_rows(pinned, tables, run, seen) -%}
    {%- do run.update({'bare': not event_windows._refreshes_windows(run)}) -%}
    {%- do event_windows._tell_skipped(spec, run, seen, run.read.rows) -%}
    {%- do event_windows._keep_late_rows(pinned, tables, run) -%}
    {%- do event_windows._make_way(spec, tables, record, run) -%}
    {%- do event_windows._statement(run, 'windows', event_windows._of_format(
        spec.file_format, 'create', tables.windows,
        sql=event_windows._build_windows(pinned, tables, run),
        partition_by='_ew_segment',
        followed=spec.emit == 'updates',
        properties=dict(event_windows._view_property(spec), **{
            'event_windows.spec': event_windows._fingerprint(spec),
            'event_windows.build': dict(
                event_windows._progress(spec, run), relation=event_windows._whole_relation(spec.relation),
                settings=spec.home.view_keeps.settings
            )
        })
    )) -%}
    {%- do event_windows._made(tables.windows) -%}
    {%- do event_windows._check_stays(spec, tables, run) -%}
    {%- set later = event_windows._count_built(tables, run) -%}
    {%- if later is not none -%}
        {#- it was slow, and has replaced what a later build has ended with: numbers must grow with commits -#}
        {%- do event_windows._forget(run) -%}
        {{- return(event_windows._build(spec, tables, {'progress': {'number': later}}, advance_to, done)) -}}
    {%- endif -%}
    {%- do event_windows._write_build(pinned, tables, run) -%}
    {%- do done.update({'more': seen.more}) -%}
    {%- do event_windows._tell(spec, run, done) -%}
{% endmacro %}


{# What a build writes after its windows. Where its clocks are in the log, so are its dropped rows in their table. #}
{% macro _write_build(spec, tables, run) %}
    {%- do event_windows._drop_former_state(tables) -%}
    {%- do event_windows._create_beside(spec, tables, run) -%}
    {%- if run.clocked -%}
        {%- do event_windows._count_dropped(tables, run) -%}
    {%- else -%}
        {%- do event_windows._write_dropped(spec, tables, run) -%}
    {%- endif -%}
    {%- do event_windows._complete(spec, tables, run) -%}
{% endmacro %}


{# The state of a model that had one, and has its windows in its own table now. #}
{% macro _drop_former_state(tables) %}
    {%- set state = load_cached_relation(tables.state) -%}
    {%- if state is not none and tables.windows != tables.state %}{% do adapter.drop_relation(state) %}{% endif -%}
{% endmacro %}


{#
    The tables beside the windows: made where they are not there, or have other columns or another format, else emptied
    of what is older.
    One that was not there when the command began may be another run's by now, who has finished this build and gone on.
#}
{% macro _create_beside(spec, tables, run) %}
    {%- for relation, columns, step in [
        [tables.dropped, event_windows._dropped_columns(spec), 'dropped_rows'],
        [tables.clocks, event_windows._clocks_columns(spec), 'clocks']
    ] -%}
        {%- if load_cached_relation(relation) is none -%}
            {%- do event_windows._statement(
                run, step, event_windows._of_format(spec.file_format, 'create_if_absent', relation, columns)
            ) -%}
            {%- do event_windows._made(relation) -%}
        {%- elif event_windows._has_columns(spec, relation, columns) -%}
            {%- do event_windows._statement(
                run, step, 'delete from ' ~ relation ~ ' where _ew_refresh < ' ~ run.generation
            ) -%}
        {%- else -%}
            {%- do event_windows._statement(run, step, event_windows._of_format(
                spec.file_format, 'create', relation, sql=event_windows._no_rows(columns)
            )) -%}
            {%- do event_windows._made(relation) -%}
        {%- endif -%}
    {%- endfor -%}
{% endmacro %}


{#
    Whether a table is there with these columns, in whatever order, of the types that its format makes of them, where
    that is known to be no other one than the model's: of a catalogue of several formats.
#}
{% macro _has_columns(spec, relation, columns) %}
    {%- set format = (event_windows._source(relation) or {'format': none}).format -%}
    {#- dbt's cache may be of before another run made the table anew -#}
    {%- if format not in (none, spec.file_format)
        and event_windows._described_in_full(relation.render()).said.get('Provider') == format -%}
        {{- return(false) -}}
    {%- endif -%}
    {%- set stored = {} -%}
    {%- for name, type in columns.items() -%}
        {%- do stored.update({name: event_windows._of_format(spec.file_format, 'stored_type', type)}) -%}
    {%- endfor -%}
    {{- return(dict(event_windows._described('select * from ' ~ relation)) == stored) -}}
{% endmacro %}


{#
    Before a build replaces anything: a later build than this one stays. What bears the name of its windows and is a
    view goes, and so do the table that m__stream_time was once, and a view that the catalogue does not list. What m was
    stays to be read until what it is now is about to be made (_show, _publish_all).
#}
{% macro _make_way(spec, tables, record, run) %}
    {%- if record and record.build
        and event_windows._read_generation(spec, tables.windows) > run.number -%}
        {%- do event_windows._stop_if(event_windows._ends_by(
            run, 'another run that began later has built ' ~ tables.windows ~ ' while this one was about to, and that '
                ~ 'table stays'
        )) -%}
    {%- endif -%}
    {%- for relation, is_view in [[tables.windows, false], [tables.stream_time, true]] -%}
        {%- set there = load_cached_relation(relation) -%}
        {%- if there is not none and there.is_view != is_view %}{% do adapter.drop_relation(there) %}{% endif -%}
    {%- endfor -%}
    {%- for relation in [tables.windows] + ([] if event_windows._is_shown_by_view(spec) else [tables.model])
        if load_cached_relation(relation) is none -%}
        {%- do event_windows._drop_unlisted_view(spec, relation, record) -%}
    {%- endfor -%}
{% endmacro %}


{# The time now, in microseconds: numbers of builds grow with it, also where no record tells the last one. #}
{% macro _now_in_micros() %}
    {{- return(event_windows._micros_since_1970(modules.datetime.datetime.now(modules.pytz.utc))) -}}
{% endmacro %}
