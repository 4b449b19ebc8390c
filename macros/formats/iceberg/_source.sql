{#
    An Iceberg table as a source without an arrival order. A version is a snapshot; new rows are those that later
    snapshots appended, and compaction appends none. With row lineage (format version 3) a version is snapshot/sequence
    number: each row says by itself when it came, also where the earlier snapshot is gone (expire_snapshots).
#}
{% macro _iceberg_source_version(relation) %}
    {%- do event_windows._iceberg_latest(relation) -%}
    {%- set properties = event_windows._properties(relation) -%}
    {%- set snapshot = properties.get('current-snapshot-id', 'none') -%}
    {%- if snapshot == 'none' %}{{- return({'version': '0', 'identity': none}) -}}{% endif -%}
    {%- if properties.get('format-version') in ('1', '2') or event_windows._iceberg_orc_in_batches(properties) -%}
        {{- return({'version': snapshot, 'identity': none}) -}}
    {%- endif -%}
    {%- set told = run_query(
        'select max(latest_sequence_number) as n, (select first_row_id is null from ' ~ relation
            ~ '.data_files limit 1) as numberless from ' ~ relation ~ '.metadata_log_entries '
            ~ 'where latest_snapshot_id = ' ~ snapshot
    ).rows[0] -%}
    {#-
        from an upgrade to version 3 until the next commit no file tells of its rows when they came, and after that each
        does: if it is a compaction, all of them came with it
    -#}
    {%- set number = none if told['numberless'] | string | lower == 'true' else told['n'] -%}
    {#- a log of metadata need not be kept #}
    {{- return({'version': snapshot ~ ('/' ~ (number | int) if number is not none), 'identity': none}) -}}
{% endmacro %}


{#
    Whether files in ORC may be read in batches, as a session says or else the table. Then each row of a file has the
    number of the file (Iceberg 1.12, VectorizedSparkOrcReaders), and after a compaction all are new.
#}
{% macro _iceberg_orc_in_batches(properties) %}
    {%- set batches = properties.get('read.orc.vectorization.enabled') -%}
    {%- if batches is none and properties.get('write.format.default') | lower != 'orc' -%}
        {{- return(false) -}}
    {%- endif -%}
    {%- set said = event_windows._session_setting('spark.sql.iceberg.vectorization.enabled') -%}
    {{- return((said or batches) | lower == 'true') -}}
{% endmacro %}


{#
    A table of which only the format version is another one now has no rows since: it has the snapshot that was read.
    Metadata columns stand without their table, whose name would be read as that of a column if there is one.
#}
{% macro _iceberg_added_rows(relation, from_version, to_version) %}
    {%- set to = to_version.split('/') -%}
    {%- set from = from_version.split('/') if from_version is not none else ['0'] -%}
    {%- if to[0] in ('0', from[0]) %}
        from {{ relation }} as arrived
        where false
    {%- elif from[0] == '0' %}
        from {{ event_windows._iceberg_as_now(relation, to[0]) }} as arrived
    {%- elif event_windows._iceberg_tells_by_number(from_version, to_version) %}
        from {{ event_windows._iceberg_as_now(relation, to[0], '_last_updated_sequence_number') }} as arrived
        where _last_updated_sequence_number > {{ from[1] }}
    {%- else %}
        from {{ relation }}.branch_main with (
            'start-snapshot-id' = '{{ from[0] }}', 'end-snapshot-id' = '{{ to[0] }}'
        ) as arrived
    {%- endif %}
{% endmacro %}


{#
    A table as of a version that _iceberg_source_version gave, by a name of its own, as the branch is named where what
    came between two snapshots is read. What a killed run has cached of a table by its plain name Spark plans anew with
    each `refresh table` of it and each write to it, of anybody on this server, and fails once the snapshot is gone.
#}
{% macro _iceberg_at_version(relation, version) %}
    {{- return(relation ~ '.snapshot_id_' ~ (version | string).split('/')[0]) -}}
{% endmacro %}


{#
    A version with the columns that the table has now, of the types of now: it has those of its own time, which are
    others where columns were changed since, and no row was written.
#}
{% macro _iceberg_as_now(relation, snapshot, more=none) %}
    {%- set version = event_windows._iceberg_at_version(relation, snapshot) -%}
    {%- set now = dict(event_windows._described('select * from ' ~ relation)) -%}
    {%- set then = dict(event_windows._described('select * from ' ~ version)) -%}
    {%- if not event_windows._iceberg_are_still(then, now) -%}
        {{ event_windows._stop('columns of ' ~ relation ~ ' were dropped, renamed, moved, or given other types or '
            ~ 'fields since its last row came, and Iceberg reads its last version as it was: run again when it has '
            ~ 'another row, or an empty commit (insert into ' ~ relation ~ ' select * from ' ~ relation ~ ' where '
            ~ 'false), and with --full-refresh then for what was read before') }}
    {%- endif -%}
    {{- return(version if then.items() | list == now.items() | list
        else '(select ' ~ event_windows._names_then(now, then, 'version') ~ (', ' ~ more if more) ~ ' from '
            ~ version ~ ' as version)') -}}
{% endmacro %}


{#
    Whether columns {name: type} of a version are those of now: some may have been added behind them, and numbers made
    larger. Else nothing tells whether a name, or a field of a struct, is that of another one now.
#}
{% macro _iceberg_are_still(then, now) %}
    {%- if (now | list)[:then | length] != then | list %}{{- return(false) -}}{% endif -%}
    {%- for name, type in then.items() if now[name] != type and not event_windows._is_widened(type, now[name]) -%}
        {{- return(false) -}}
    {%- endfor -%}
    {{- return(true) -}}
{% endmacro %}


{# Whether both versions are of row lineage, by which rows that were inserted or updated since are new ones. #}
{% macro _iceberg_tells_by_number(from_version, to_version) %}
    {{- return('/' in from_version | string and '/' in to_version | string) -}}
{% endmacro %}


{#
    The snapshots since a version, from the last one back to it: what is no ancestor of the table's snapshot now
    (staged, on a branch, rolled back) is not part of it. With row lineage the snapshot itself need not be there any
    more, but all since, which tell of changes. A deletion or a MERGE that found nothing to do leaves a snapshot too.
#}
{% macro _iceberg_source_commits(relation, from_version, identity, now) %}
    {%- set found = {'problem': none, 'commits': [], 'rewritten': none} -%}
    {#- tables of Iceberg have none: a version of another format may be called 0 as well -#}
    {%- if identity != now.identity -%}
        {%- do found.update({'problem': 'the table was replaced by one of another format'}) -%}
        {{- return(found) -}}
    {%- endif -%}
    {%- set from, to = from_version.split('/'), now.version.split('/') -%}
    {%- if from[0] in ('0', to[0]) %}{{- return(found) -}}{% endif -%}
    {%- set sql -%}
        select
            cast(snapshot_id as string) as snapshot, cast(parent_id as string) as parent, operation, committed_at,
            {{ event_windows._iceberg_did_nothing() }} as is_empty
        from {{ relation }}.snapshots
    {%- endset -%}
    {%- set snapshots = {} -%}
    {%- for row in run_query(sql) %}{% do snapshots.update({row['snapshot'] | string: row}) %}{% endfor -%}
    {%- set place = namespace(at=to[0]) -%}
    {%- for _ in range(snapshots | length) if place.at != from[0] and place.at in snapshots -%}
        {%- set row = snapshots[place.at] -%}
        {%- if row['is_empty'] | string | lower != 'true' -%}
            {%- do found.commits.append({
                'id': place.at,
                'kind': {'append': 'append', 'replace': 'rewrite'}.get(row['operation'], 'change'),
                'what': row['operation'] ~ ' in snapshot ' ~ place.at ~ ' of ' ~ row['committed_at']
            }) -%}
        {%- endif -%}
        {%- set place.at = row['parent'] | string -%}
    {%- endfor -%}
    {%- if place.at != from[0] or (from | length == 1 and from[0] not in snapshots) -%}
        {%- do found.update({
            'commits': [],
            'problem': 'the snapshot that was read last' ~ (', or one since then,' if from | length > 1)
                ~ ' is not part of it any more: it was expired or rolled back, or the table was replaced, or dropped '
                ~ 'and created again'
        }) -%}
    {%- endif -%}
    {{- return(found) -}}
{% endmacro %}


{# Whether a snapshot says of itself that it has changed nothing. A summary need say no more than its operation. #}
{% macro _iceberg_did_nothing() %}
    {{- return("operation in ('delete', 'overwrite') and summary['changed-partition-count'] is not null and coalesce("
        ~ "summary['added-data-files'], summary['deleted-data-files'], summary['added-delete-files'], "
        ~ "summary['removed-delete-files']) is null") -}}
{% endmacro %}
