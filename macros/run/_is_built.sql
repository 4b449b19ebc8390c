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
