{#
    Delta as a table format: see macros/formats/_format.sql. A kill while a table is made may leave its files and no
    entry in the catalogue. Of all statements that make a table only CREATE OR REPLACE with a SELECT takes such a place.
#}
{% macro _delta_create(relation, sql, partition_by=none, properties={}, followed=false) %}
    {%- set all_properties = {'delta.enableChangeDataFeed': followed | string | lower} -%}
    {%- do all_properties.update(event_windows._delta_table_properties()) -%}
    {%- set columns = event_windows._described(sql) if execute else [] -%}
    {%- do all_properties.update(event_windows._delta_features(relation, columns)) -%}
    {%- do all_properties.update(properties) -%}
    {%- if columns -%}
        {#- a bare column brings its DEFAULT along, which Delta refuses; of a UNION the first SELECT says what it is -#}
        {%- set sql = event_windows._no_rows(dict(columns)) ~ '\nunion all\n(\n' ~ sql ~ '\n)' -%}
    {%- endif -%}
    {{- event_windows._create_table(
        'create or replace table', relation, 'delta', all_properties, sql, partition_by=partition_by
    ) -}}
{% endmacro %}


{#
    A session may give new tables others. With column mapping Delta refuses to replace a table that has a change data
    feed by one that lacks a column of it, so that no build and no change of columns could be committed.
#}
{% macro _delta_table_properties() %}
    {{- return({
        'delta.enableDeletionVectors': 'false', 'delta.appendOnly': 'false', 'delta.columnMapping.mode': 'none',
        'delta.enableIcebergCompatV1': 'false', 'delta.enableIcebergCompatV2': 'false'
    }) -}}
{% endmacro %}


{#
    Features that types ask for, as properties: a new table has them by itself, one that is replaced keeps what it had.
#}
{% macro _delta_features(relation, columns) %}
    {%- set features = {} -%}
    {%- if columns and load_cached_relation(relation) is not none -%}
        {%- for _, type in columns -%}
            {%- for named, feature in {'timestamp_ntz': 'timestampNtz', 'variant': 'variantType'}.items()
                if event_windows._type_within(type, [named]) -%}
                {%- do features.update({'delta.feature.' ~ feature: 'supported'}) -%}
            {%- endfor -%}
        {%- endfor -%}
    {%- endif -%}
    {{- return(features) -}}
{% endmacro %}


{#
    What is sent at last takes rows away that another run has written since. So it is not sent before the first form has
    failed as long as it is tried: nobody is about to make the table then.
#}
{% macro _delta_create_if_absent(relation, columns) %}
    {{- event_windows._create_table(
        'create table if not exists', relation, 'delta', event_windows._delta_table_properties(), columns=columns
    ) }}
/* event_windows at last {{ event_windows._create_table(
    'create or replace table', relation, 'delta', event_windows._delta_table_properties(),
    event_windows._no_rows(columns)
) | trim }} */
{% endmacro %}


{# A column of nulls it takes, a field of nulls it does not. #}
{% macro _delta_type_problem(type) %}
    {%- if type == 'void' %}{{- return(none) -}}{% endif -%}
    {%- for field in event_windows._field_names(type) if event_windows._delta_refused_letter(field) -%}
        {{- return("a field '" ~ field ~ "', with " ~ event_windows._delta_refused_letter(field) ~ ' in its name') -}}
    {%- endfor -%}
    {{- return(event_windows._type_within(type, ['interval', 'time', 'void', 'string collate'])) -}}
{% endmacro %}


{# Change data, by which tables are followed, is written by names in backticks that hold no other, and has its own. #}
{% macro _delta_name_problem(name, followed=false) %}
    {%- if followed and name | lower in ['_change_type', '_commit_version', '_commit_timestamp'] -%}
        {{- return("the name of a column of Delta's change data") -}}
    {%- endif -%}
    {{- return('a backtick' if '`' in name else event_windows._delta_refused_letter(name)) -}}
{% endmacro %}


{# What Delta refuses in the name of a column or a field without column mapping, which not all readers know. #}
{% macro _delta_refused_letter(name) %}
    {%- set found = modules.re.search('[ ,;{}()=\\n\\t]', name) -%}
    {%- if not found %}{{- return(none) -}}{% endif -%}
    {{- return({' ': 'a space', '\n': 'a line break', '\t': 'a tab'}.get(found.group(), "'" ~ found.group() ~ "'")) -}}
{% endmacro %}


{% macro _delta_stored_type(type) %}
    {{- return(type) -}}
{% endmacro %}


{# Delta looks for new commits at each read. #}
{% macro _delta_latest(relation) %}{% endmacro %}


{# RESTORE brings back the properties, too. #}
{% macro _delta_set_back(relations, since) %}
    {{- return(none) -}}
{% endmacro %}


{% macro _delta_commit_problem(relation, properties) %}
    {{- return('the table ' ~ relation ~ ' has delta.appendOnly true, by which no MERGE can change its rows: alter '
        ~ 'table ' ~ relation ~ " set tblproperties ('delta.appendOnly' = 'false')"
        if event_windows._delta_is_on(properties, 'appendOnly') else none) -}}
{% endmacro %}


{# A bound of a window whose microseconds are cut off is not found again, nor is a time in a key. #}
{% macro _delta_session_problem(session, catalogue) %}
    {%- set setting = 'spark.sql.parquet.outputTimestampType' -%}
    {{- return(setting ~ ' is TIMESTAMP_MILLIS: with it Delta stores times without their microseconds, and windows and '
        ~ 'keys are not found again by times: leave it INT96, which is the default, or take TIMESTAMP_MICROS'
        if session.get(setting) | upper == 'TIMESTAMP_MILLIS' else none) -}}
{% endmacro %}


{# CREATE OR REPLACE keeps none of the properties. #}
{% macro _delta_tells_commit(properties) %}
    {{- return(none) -}}
{% endmacro %}


{# So what was recorded is of the table that is there. #}
{% macro _delta_was_replaced(relation) %}
    {{- return(false) -}}
{% endmacro %}


{#
    One commit that writes the table from itself: to drop or rename a column alone Delta wants column mapping, which not
    all readers know. Delta refuses it where another writer commits meanwhile. Properties in which Delta keeps the
    state of a feature are of the table as it was, and it makes them itself; column mapping goes.
#}
{% macro _delta_reshape(relation, columns, properties, partition_by, followed) %}
    {%- set selected, kept = [], {} -%}
    {%- for name, before, same in columns %}{% do selected.append(name if same else before ~ ' as ' ~ name) %}
    {%- endfor -%}
    {%- for name, value in event_windows._properties(relation).items()
        if not modules.re.match('delta[.](min|feature|rowTracking[.]material|columnMapping)', name) -%}
        {%- do kept.update({name: value}) -%}
    {%- endfor -%}
    {{- return([event_windows._delta_create(
        relation, 'select\n    ' ~ selected | join(',\n    ') ~ '\nfrom ' ~ relation, partition_by=partition_by,
        properties=dict(kept, **properties), followed=followed
    )]) -}}
{% endmacro %}


{# The guard is in Delta's own check, with the whole table. #}
{% macro _delta_looked_at(segment, number) %}
    {{- return('stored._ew_segment >= ' ~ segment) -}}
{% endmacro %}


{% macro _delta_insert_once(relation, columns, sql, number) %}
insert into {{ relation }} ({{ columns | join(', ') }})
{{ event_windows._unless_there(relation, sql, number) | trim }}
{% endmacro %}


{% macro _delta_merged(relation, result=none, also=none) %}
    {%- if result is not none and result.rows | length -%}
        {%- set row = result.rows[0] -%}
        {{- return({
            'inserted': row['num_inserted_rows'] | int, 'updated': row['num_updated_rows'] | int,
            'deleted': row['num_deleted_rows'] | int, 'surely': row['num_affected_rows'] | int > 0
        }) -}}
    {%- endif -%}
    {%- for row in run_query('describe history ' ~ relation ~ ' limit 50') if row['operation'] == 'MERGE' -%}
        {#- none of a commit in a session with spark.databricks.delta.history.metricsEnabled false -#}
        {%- set metrics = fromjson(row['operationMetrics']) if row['operationMetrics'] is string
            else row['operationMetrics'] -%}
        {%- set counts = {'surely': false} -%}
        {%- for what in ['inserted', 'updated', 'deleted'] -%}
            {%- do counts.update({what: (metrics or {}).get('numTargetRows' ~ what | capitalize) | int}) -%}
        {%- endfor -%}
        {%- if not metrics %}{{- return(counts) -}}{% endif -%}
        {%- if counts.inserted + counts.updated + counts.deleted > 0 %}{{- return(counts) -}}{% endif -%}
    {%- endfor -%}
    {{- return({'inserted': 0, 'updated': 0, 'deleted': 0, 'surely': false}) -}}
{% endmacro %}


{% macro _delta_functions_problem() %}
    {{- return(none) -}}
{% endmacro %}
