{#
    What snapshots changed, from the table's changelog. Copy-on-write gives back each row that stayed in a rewritten
    file as deleted and inserted: such pairs are no change. A row taken away and put back with other values is an
    update. A version is the time of a commit in milliseconds, since snapshots bear no number that grows. (Spark reads
    the changelog right only with all of its columns. The join is null-safe, since a filter that the snapshot is not null
    would be pushed to the files of the table, which have no such column: the changelog of a table with partitions then
    cannot be read.)
#}
{% macro _iceberg_changes(relation, columns, identity, from_version, to_version) %}
{%- set versions = 'select snapshot_id, unix_millis(made_current_at) as change_version, '
    ~ 'made_current_at as change_time from ' ~ relation ~ '.history where is_current_ancestor' -%}
{%- set own = event_windows._names(columns) -%}
{%- if from_version is none %}
select
    {{ own }},
    'insert' as change_type,
    coalesce((select max(change_version) from ({{ versions }}) as versions), 0L) as change_version,
    cast(null as timestamp) as change_time
from {{ relation }}
{%- else %}
select {{ own }}, change_type, change_version, change_time
from (
    select
        {{ own }}, change_version, change_time,
        case
            when count(*) over same_window = 1 then lower(_ew_type)
            when _ew_type = 'INSERT' then 'update_postimage'
            else 'update_preimage'
        end as change_type
    from (
        select
            {{ event_windows._names(columns, 'images') }}, _change_type as _ew_type, versions.change_version,
            versions.change_time
        from (
            select
                *,
                count(*) over same_row as _ew_times,
                count_if(_change_type = 'INSERT') over same_row as _ew_inserts,
                min(_change_ordinal) over same_row as _ew_ordinal,
                row_number() over (partition by _commit_snapshot_id, _change_type, {{ own }} order by 1) as _ew_copy
            from {{ relation }}.changes{{ event_windows._iceberg_changed_between(relation, from_version, to_version) }}
            window same_row as (partition by _commit_snapshot_id, {{ own }})
        ) as images
        inner join ({{ versions }}) as versions on images._commit_snapshot_id <=> versions.snapshot_id
        where images._ew_copy > least(images._ew_inserts, images._ew_times - images._ew_inserts)
            and versions.change_version >= {{ from_version }}
            {{- ' and versions.change_version <= ' ~ to_version if to_version is not none }}
            and images._ew_ordinal is not null
    ) as changed
    window same_window as (partition by change_version, {{ event_windows._names(identity) }})
) as compared
{%- endif -%}
{%- endmacro %}


{# The snapshot before a version, so that older ones are not read; nothing where the range begins with the first. #}
{% macro _iceberg_changed_between(relation, from_version, to_version) %}
    {%- set sql -%}
        select cast(snapshot_id as string) as snapshot_id, unix_millis(made_current_at) as version
        from {{ relation }}.history where is_current_ancestor order by made_current_at
    {%- endset -%}
    {%- set ends = namespace(start=none, end=none) -%}
    {%- for row in run_query(sql) -%}
        {%- if row['version'] | int < from_version %}{% set ends.start = row['snapshot_id'] %}{% endif -%}
        {%- if to_version is not none and row['version'] | int <= to_version -%}
            {%- set ends.end = row['snapshot_id'] -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set options = [] -%}
    {%- if ends.start %}{% do options.append("'start-snapshot-id' = '" ~ ends.start ~ "'") %}{% endif -%}
    {%- if ends.end %}{% do options.append("'end-snapshot-id' = '" ~ ends.end ~ "'") %}{% endif -%}
    {{- return(' with (' ~ options | join(', ') ~ ')' if options else '') -}}
{% endmacro %}
