{#
    An intent says what a refresh or a build is going to do, before it writes anything: a view m__ew_intent with what
    _intent_of gives, of a build also the refresh that it took over, and a column named after the run whose it is. That
    refresh stays out of the table's own record: once the table is there, it is due no more. To create a view of a name
    that is there is an error in every catalogue, so that of two runs that begin at once one goes on. A run that finds
    an intent cannot tell whether its writer is dead or slow: it takes it over by replacing the view. From then on
    statements of the other fail, because each names its own column; one that is under way fails when it commits, see
    insert_once.
#}
{% macro _begin(spec, tables, run) %}
    {%- do event_windows._statement(run, 'begin', 'create view ' ~ (event_windows._intent_as(tables, run) | trim)) -%}
    {%- do adapter.cache_added(tables.intent.incorporate(type='view')) -%}
    {#- another run may have ended this very refresh between our look at the record and now -#}
    {%- if not run.full -%}
        {%- set now = event_windows._read_record(tables.windows, spec.file_format) -%}
        {%- if now.generation != run.generation or now.progress.number != run.number - 1 -%}
            {%- do event_windows._drop_intent(tables, run) -%}
            {{ event_windows._stop('another run has refreshed ' ~ tables.windows ~ ' while this one was about to, so '
                ~ 'this one stops; run again for rows that came since') }}
        {%- endif -%}
        {%- do run.update({'ended': now.ended}) -%}
    {%- endif -%}
{% endmacro %}


{# Takes over what another run began, also where only the table that it made tells of it. #}
{% macro _take_over(spec, tables, run) %}
    {%- do event_windows._statement(
        run, 'begin', 'create or replace view ' ~ (event_windows._intent_as(tables, run) | trim)
    ) -%}
    {%- do adapter.cache_added(tables.intent.incorporate(type='view')) -%}
    {%- for inserted in [tables.dropped] + ([tables.model] if spec.emit == 'final' else []) -%}
        {%- set there = load_cached_relation(inserted) -%}
        {%- set stop = event_windows._of_format(spec.file_format, 'stop_others', inserted, invocation_id) -%}
        {%- if there is not none and not there.is_view and stop is not none -%}
            {%- do event_windows._statement(run, 'begin', stop) -%}
        {%- endif -%}
    {%- endfor -%}
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


{% macro _drop_intent(tables, run) %}
    {%- do event_windows._statement(run, 'end', 'drop view if exists ' ~ tables.intent) -%}
    {%- do adapter.cache_dropped(tables.intent) -%}
{% endmacro %}


{# What a killed run kept for itself. #}
{% macro _drop_kept(spec, tables, run, intent) %}
    {%- if intent.late -%}
        {%- do event_windows._statement(
            run, 'begin', event_windows._of_format(
                spec.file_format, 'drop_kept', tables.late.incorporate(path={'identifier': intent.late})
            )
        ) -%}
    {%- endif -%}
{% endmacro %}
