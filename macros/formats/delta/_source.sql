{#
    A Delta table as a source without an arrival order: which rows are new. With row tracking each row says in which
    version it came, and keeps that through OPTIMIZE. Without it new rows are those in files that the earlier version
    did not have, which only tells while files are not rewritten and the earlier version can still be read.
#}
{% macro _delta_source_version(relation) %}
    {%- set version = run_query('describe history ' ~ relation ~ ' limit 1').rows[0]['version'] | int -%}
    {{- return({'version': version, 'identity': run_query('describe detail ' ~ relation).rows[0]['id']}) -}}
{% endmacro %}


{% macro _delta_added_rows(relation, from_version, to_version) %}
    {%- if from_version is none %}
        from {{ relation }} version as of {{ to_version }} as arrived
    {%- elif event_windows._delta_tracks_rows(relation) %}
        from {{ relation }} version as of {{ to_version }} as arrived
        where arrived._metadata.row_commit_version > {{ from_version }}
    {%- else %}
        from {{ relation }} version as of {{ to_version }} as arrived
        left anti join (
            select distinct _metadata.file_path as file_path from {{ relation }} version as of {{ from_version }}
        ) as seen on arrived._metadata.file_path = seen.file_path
    {%- endif %}
{% endmacro %}


{% macro _delta_tracks_rows(relation) %}
    {{- return(event_windows._properties(relation).get('delta.enableRowTracking') == 'true') -}}
{% endmacro %}


{#
    Rows that were updated would count twice, and rows of rewritten files too where nothing tells when they came.
    Deleted rows stay counted, as rows do whose source forgets them.
#}
{% macro _delta_source_problem(relation, from_version, identity, now) %}
    {%- if identity != now.identity %}{{- return('the table was dropped and created again') -}}{% endif -%}
    {%- if from_version > now.version %}{{- return('the table was set back to an earlier version') -}}{% endif -%}
    {%- set tracked = event_windows._delta_tracks_rows(relation) -%}
    {%- set harmless = [
        'SET TBLPROPERTIES', 'UNSET TBLPROPERTIES', 'ADD COLUMNS', 'CHANGE COLUMN', 'CHANGE COLUMNS', 'RENAME COLUMN',
        'ADD CONSTRAINT', 'DROP CONSTRAINT', 'UPGRADE PROTOCOL', 'SET TABLE COMMENT', 'COMPUTE STATS', 'CLUSTER BY',
        'VACUUM START', 'VACUUM END', 'ROW TRACKING BACKFILL', 'ADD FEATURE'
    ] -%}
    {%- set since = run_query('describe history ' ~ relation ~ ' limit ' ~ (now.version - from_version)) -%}
    {%- if since | length < now.version - from_version -%}
        {{- return('what was done to it since version ' ~ from_version ~ ' is not recorded any more '
            ~ '(delta.logRetentionDuration)') -}}
    {%- endif -%}
    {%- for row in since -%}
        {%- set operation = row['operation'] -%}
        {%- set appended = operation in ('WRITE', 'STREAMING UPDATE', 'COPY INTO')
            and ('Append' in (row['operationParameters'] | string)) -%}
        {%- set rewritten = operation in ('OPTIMIZE', 'REORG', 'DELETE') -%}
        {%- if row['version'] | int > from_version
            and not (appended or row['isBlindAppend'] or operation in harmless or (tracked and rewritten)) -%}
            {{- return('its rows were not only added to (' ~ operation ~ ' in version ' ~ row['version'] ~ ')'
                ~ (', and it does not track rows (delta.enableRowTracking)' if rewritten else '')) -}}
        {%- endif -%}
    {%- endfor -%}
    {{- return(none if tracked else event_windows._delta_too_old(relation, from_version, now.version)) -}}
{% endmacro %}


{#
    Delta does not read a version any more from which files may have been deleted:
    delta.deletedFileRetentionDuration after it.
#}
{% macro _delta_too_old(relation, from_version, to_version) %}
    {%- set kept = event_windows._properties(relation).get('delta.deletedFileRetentionDuration', 'interval 1 week') -%}
    {%- set made = run_query(
        'describe history ' ~ relation ~ ' limit ' ~ (to_version - from_version + 1)
    ).rows[-1]['timestamp'] -%}
    {%- if run_query(
        "select count(*) as n from (select 1) where timestamp '" ~ made ~ "' + cast(" ~ event_windows._literal(kept)
            ~ ' as interval) < current_timestamp()'
    ).rows[0]['n'] > 0 -%}
        {{- return('it was last read longer ago than Delta reads a version (' ~ kept ~ '), and it does not track rows '
            ~ '(delta.enableRowTracking)') -}}
    {%- endif -%}
    {{- return(none) -}}
{% endmacro %}
