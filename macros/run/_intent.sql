{#
    An intent says what a refresh or a build is going to do, before it writes anything: a view with what _intent_of
    gives, of a build also the refresh that it took over, and a column named after the run whose it is. That refresh
    stays out of the table's own record: once the table is there, it is due no more.

    Its name has a number, that of the refresh which is due: m__ew_intent_<n>. Builds and refreshes of one table are
    after the same one, and when it has ended no run is ever after it again. So a run that was slow, and drops the view
    at its end, drops no later one. To create a view of a name that is there is an error in every catalogue: of two runs
    that begin at once one goes on. A run that finds an intent cannot tell whether its writer is dead or slow: it takes
    it over by changing the view, which leaves no instant without one. From then on statements of the other fail,
    because each names its own column; one that is under way fails when it commits, see insert_once. Whoever has the
    view looks at the record once more: what was due may have ended meanwhile.
#}
{% macro _begin(spec, tables, run, how='create view ') %}
    {%- do event_windows._statement(run, 'begin', how ~ (event_windows._intent_as(tables, run) | trim)) -%}
    {%- do adapter.cache_added(tables.intent.incorporate(type='view')) -%}
    {%- do event_windows._check_due(spec, tables, run) -%}
{% endmacro %}


{#
    Takes over what another run began: what its intent says, or where only the table that it made tells of it, `made`.
    Tables in which that run, or those which it took over, kept late rows go.
#}
{% macro _take_over(spec, tables, run, found, made=none) %}
    {%- set begun = found or made -%}
    {%- do run.update({'left': (begun.left or []) + [begun.late]}) -%}
    {%- do event_windows._begin(spec, tables, run, how='alter view ' if found else 'create view ') -%}
    {%- for inserted in [tables.dropped] + ([tables.model] if spec.emit == 'final' else []) -%}
        {%- set there = load_cached_relation(inserted) -%}
        {%- set stop = event_windows._of_format(spec.file_format, 'stop_others', inserted, invocation_id) -%}
        {%- if there is not none and not there.is_view and stop is not none -%}
            {%- do event_windows._statement(run, 'begin', stop) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do event_windows._drop_kept(spec, tables, run, run.left, surely=begun.late) -%}
{% endmacro %}


{# Another run may have ended what is due between our look at the record and now. #}
{% macro _check_due(spec, tables, run) %}
    {%- set there = load_cached_relation(tables.windows) -%}
    {%- if there is none or there.is_view %}{{- return('') -}}{% endif -%}
    {%- set now = event_windows._read_record(tables.windows, spec.file_format) -%}
    {%- if now.generation != tables.due.generation
        or (now.progress.number if now.progress else none) != tables.due.after -%}
        {%- do event_windows._drop_intent(tables, run) -%}
        {{ event_windows._stop('another run has refreshed ' ~ tables.windows ~ ' while this one was about to, so '
            ~ 'this one stops; run again for rows that came since') }}
    {%- endif -%}
    {%- if not run.full %}{% do run.update({'ended': now.ended}) %}{% endif -%}
{% endmacro %}


{% macro _intent_as(tables, run) %}
    {%- do run.update({'late': tables.late.identifier}) -%}
    {%- set intent = dict(event_windows._intent_of(run), over=run.over or none) %}
{{ tables.intent }} as
select
    {{ event_windows._literal(tojson(intent)) }} as intent, true as {{ event_windows._by_run() }}
{% endmacro %}


{#
    What is under way, or was when a run was killed; none if nothing. dbt's cache is as old as
    this command: who began since is met in _begin.
#}
{% macro _read_intent(tables) %}
    {%- if load_cached_relation(tables.intent) is none %}{{- return(none) -}}{% endif -%}
    {%- set rows = run_query(
        '/* event_windows ' ~ model.name ~ ' begin */\nselect intent from ' ~ tables.intent
    ).rows -%}
    {{- return(fromjson(rows[0]['intent'])) -}}
{% endmacro %}


{# Drops it if it is this run's: else another one is still at what it says. #}
{% macro _drop_intent(tables, run) %}
    {%- do event_windows._statement(
        run, 'end', 'select ' ~ event_windows._by_run() ~ ' from ' ~ tables.intent
    ) -%}
    {%- do event_windows._statement(run, 'end', 'drop view if exists ' ~ tables.intent) -%}
    {%- do adapter.cache_dropped(tables.intent) -%}
{% endmacro %}


{#
    Drops tables of kept late rows: those that are there, for after many kills there would be a statement for each; and
    `surely` one, which may have been made since dbt looked.
#}
{% macro _drop_kept(spec, tables, run, names, surely=none) %}
    {%- for name in names -%}
        {%- set kept = tables.late.incorporate(path={'identifier': name}) -%}
        {%- if name == surely or load_cached_relation(kept) is not none -%}
            {%- do event_windows._statement(
                run, 'begin', event_windows._of_format(spec.file_format, 'drop_kept', kept)
            ) -%}
        {%- endif -%}
    {%- endfor -%}
{% endmacro %}
