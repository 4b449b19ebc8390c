{#
    An Iceberg table as a source without an arrival order. A version is a snapshot; new rows are those that later
    snapshots appended, and compaction appends none. With row lineage (format version 3) a version is snapshot/sequence
    number: each row says by itself when it came, also where the earlier snapshot is gone (expire_snapshots).
#}
{% macro _iceberg_source_version(relation) %}
    {%- do run_query(event_windows._iceberg_latest(relation)) -%}
    {%- set properties = event_windows._properties(relation) -%}
    {%- set snapshot = properties.get('current-snapshot-id', 'none') -%}
    {%- if snapshot == 'none' %}{{- return({'version': '0', 'identity': none}) -}}{% endif -%}
    {%- if properties.get('format-version') in ('1', '2') -%}
        {{- return({'version': snapshot, 'identity': none}) -}}
    {%- endif -%}
    {%- set number = run_query(
        'select max(latest_sequence_number) as n from ' ~ relation ~ '.metadata_log_entries '
            ~ 'where latest_snapshot_id = ' ~ snapshot
    ).rows[0]['n'] -%}
    {{- return({'version': snapshot ~ '/' ~ (number | int), 'identity': none}) -}}
{% endmacro %}


{% macro _iceberg_added_rows(relation, from_version, to_version) %}
    {%- set to = to_version.split('/') -%}
    {%- set from = from_version.split('/') if from_version is not none else ['0'] -%}
    {%- if to[0] == '0' %}
        from {{ relation }} as arrived
        where false
    {%- elif from[0] == '0' %}
        from {{ relation }} version as of {{ to[0] }} as arrived
    {%- elif from | length > 1 and to | length > 1 %}
        from {{ relation }} version as of {{ to[0] }} as arrived
        where arrived._last_updated_sequence_number > {{ from[1] }}
    {%- else %}
        from {{ relation }} with ('start-snapshot-id' = '{{ from[0] }}', 'end-snapshot-id' = '{{ to[0] }}') as arrived
    {%- endif %}
{% endmacro %}


{#
    Rows that were updated would count twice. Those that a later snapshot deleted stay counted,
    as rows do whose source forgets them.
#}
{% macro _iceberg_source_problem(relation, from_version, identity, now) %}
    {%- set from = from_version.split('/') -%}
    {%- if from[0] in ('0', now.version.split('/')[0]) %}{{- return(none) -}}{% endif -%}
    {%- set sql -%}
        select
            cast(history.snapshot_id as string) as snapshot, cast(history.parent_id as string) as parent,
            history.is_current_ancestor, snapshots.operation, snapshots.committed_at
        from {{ relation }}.history as history
        left join {{ relation }}.snapshots as snapshots on history.snapshot_id = snapshots.snapshot_id
        order by history.made_current_at desc
    {%- endset -%}
    {%- set oldest = {} -%}
    {%- for row in run_query(sql) if row['is_current_ancestor'] -%}
        {%- do oldest.update({'parent': row['parent'] | string}) -%}
        {%- if row['snapshot'] | string == from[0] -%}
            {{- return(none) -}}
        {%- elif row['operation'] == 'overwrite' -%}
            {{- return('its rows were not only added to (overwrite at ' ~ row['committed_at'] ~ ')') -}}
        {%- endif -%}
    {%- endfor -%}
    {#- with row lineage the snapshot itself is not needed, but all since, which tell of updates -#}
    {%- if from | length > 1 and oldest.parent == from[0] %}{{- return(none) -}}{% endif -%}
    {{- return('the snapshot that was read last' ~ (', or one since then,' if from | length > 1)
        ~ ' is not part of it any more: it was expired or rolled back, or the table was dropped and created again') -}}
{% endmacro %}
