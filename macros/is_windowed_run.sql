{#
    Whether this run refreshes a windowed model from new rows, and does not build it, end a build that was killed, or
    read the first rows after a build that had none: is_incremental() of materialized='windowed'. A unit test overrides
    it with `overrides: macros: {event_windows.is_windowed_run: true}`.
#}
{% macro is_windowed_run() %}
    {%- if execute %}{% do graph.setdefault('event_windows_asked', {}).update({model.unique_id: true}) %}{% endif -%}
    {{ return(adapter.dispatch('is_windowed_run', 'event_windows')()) }}
{% endmacro %}


{% macro default__is_windowed_run() %}
    {%- if not execute or model.resource_type != 'model' or config.get('materialized') != 'windowed' -%}
        {{- return(false) -}}
    {%- endif -%}
    {%- set as_built = model.unique_id in graph.get('event_windows_as_built', []) -%}
    {%- if as_built or event_windows._existing(this) is none or should_full_refresh() -%}
        {{- return(false) -}}
    {%- endif -%}
    {{ return(event_windows._is_built(this)) }}
{% endmacro %}


{#
    Whether all that follows from the build is there, so that nothing has to be done again from the rows that it read,
    and it has read some: one that read none (--empty) has left all of them to the runs after it.
#}
{% macro _is_built(relation) %}
    {%- set tables = event_windows._tables(relation) -%}
    {%- set records = [] -%}
    {%- for table in [relation, tables.state] if load_cached_relation(table) is not none -%}
        {%- do records.append(event_windows._record_in(event_windows._own_properties(table))) -%}
        {%- do records[-1].update({'table': table}) -%}
    {%- endfor -%}
    {#- a state may be that of the model before the build -#}
    {%- set record = records | sort(attribute='generation') | last -%}
    {#- a table that is not ours: the run says so -#}
    {%- if not record.build %}{{- return(true) -}}{% endif -%}
    {%- if load_cached_relation(tables.runs) is none %}{{- return(false) -}}{% endif -%}
    {%- set told = event_windows._number(run_query(event_windows._last_told(tables)).rows[0]['number']) -%}
    {%- if told is none or told < record.generation %}{{- return(false) -}}{% endif -%}
    {{- return(record.build.rows != 0 or event_windows._has_read(record.table, told)) -}}
{% endmacro %}


{# Whether refreshes up to the last one that has ended have read rows: what was killed is ended with the text it had. #}
{% macro _has_read(table, told) %}
    {%- set progress = event_windows._recorded(table).progress -%}
    {{- return(progress.rows > (progress.last if told < progress.number else 0)) -}}
{% endmacro %}
