{#
    Everything that differs between table formats, one file a format, the same macros in each. Here: Delta.
#}
{% macro _formats() %}
    {{- return(['delta']) -}}
{% endmacro %}


{# Calls the macro of the model's format. #}
{% macro _of_format(what) %}
    {%- set format = event_windows._setting('file_format') or event_windows._formats()[0] -%}
    {{- return(context['event_windows']['_' ~ format ~ '_' ~ what](*varargs, **kwargs)) -}}
{% endmacro %}


{# Calls the macro of the source's format. #}
{% macro _of_source(what, spec) %}
    {{- return(context['event_windows']['_' ~ spec.source_format ~ '_' ~ what](spec, *varargs, **kwargs)) -}}
{% endmacro %}


{# Creates or replaces a table in one commit, from a SELECT or (empty) from a list of columns. `followed`: its changes can be read. #}
{% macro _delta_create(relation, sql=none, columns=none, partition_by=none, properties={}, followed=false) %}
    {%- set all_properties = {'delta.enableChangeDataFeed': followed | string | lower, 'delta.enableDeletionVectors': 'false'} -%}
    {%- do all_properties.update(properties) -%}
create or replace table {{ relation }}
{%- if columns %} (
    {% for name, type in columns.items() %}{{ event_windows._name(name) }} {{ type }}{{ ', ' if not loop.last }}{% endfor %}
){% endif %}
using delta
{%- if partition_by %}
partitioned by ({{ partition_by }})
{%- endif %}
tblproperties ({{ event_windows._property_list(all_properties) }})
{%- if sql %}
as
{{ sql }}
{%- endif %}
{% endmacro %}


{# {name: value} of every property of a table. #}
{% macro _delta_properties(relation) %}
    {%- set properties = {} -%}
    {%- for row in run_query('show tblproperties ' ~ relation) -%}
        {%- do properties.update({row['key']: row['value']}) -%}
    {%- endfor -%}
    {{- return(properties) -}}
{% endmacro %}


{% macro _delta_set_properties(relation, properties) %}
    {%- do run_query('alter table ' ~ relation ~ ' set tblproperties (' ~ event_windows._property_list(properties) ~ ')') -%}
{% endmacro %}


{% macro _delta_unset_properties(relation, names) %}
    {%- do run_query('alter table ' ~ relation ~ " unset tblproperties if exists ('" ~ names | join("', '") ~ "')") -%}
{% endmacro %}


{# Which of these properties was set first: the table's history is in the order of its commits, latest first. #}
{% macro _delta_first_property(relation, names) %}
    {%- set found = namespace(name=none) -%}
    {%- for row in run_query('describe history ' ~ relation ~ ' limit 100') if row['operation'] == 'SET TBLPROPERTIES' -%}
        {%- for name in names if name in (row['operationParameters'] | string) -%}
            {%- set found.name = name -%}
        {%- endfor -%}
    {%- endfor -%}
    {{- return(found.name) -}}
{% endmacro %}


{# Inserted, updated and deleted rows of a MERGE: from what it returned, or, without that, of the table's last one. #}
{% macro _delta_merge_counts(relation, merged=none) %}
    {%- if merged is none -%}
        {%- for row in run_query('describe history ' ~ relation ~ ' limit 20') if row['operation'] == 'MERGE' -%}
            {%- set metrics = fromjson(row['operationMetrics']) if row['operationMetrics'] is string else row['operationMetrics'] -%}
            {{- return([metrics['numTargetRowsInserted'] | int, metrics['numTargetRowsUpdated'] | int, metrics['numTargetRowsDeleted'] | int]) -}}
        {%- endfor -%}
        {{- return([0, 0, 0]) -}}
    {%- endif -%}
    {%- set row = merged.rows[0] -%}
    {{- return([row['num_inserted_rows'] | int, row['num_updated_rows'] | int, row['num_deleted_rows'] | int]) -}}
{% endmacro %}


{# A source table as it was at a version, and its version now. #}
{% macro _delta_at_version(spec, version) %}
    {{- return(spec.relation ~ ' version as of ' ~ version) -}}
{% endmacro %}


{% macro _delta_latest_version(spec) %}
    {{- return(run_query('describe history ' ~ spec.relation ~ ' limit 1').rows[0]['version'] | int) -}}
{% endmacro %}


{# What was done to a source table after a version other than adding rows; none if nothing. #}
{% macro _delta_rewritten_since(spec, version, latest) %}
    {%- for row in run_query('describe history ' ~ spec.relation ~ ' limit ' ~ (latest - version)) -%}
        {%- set appended = row['operation'] == 'WRITE' and '"Append"' in (row['operationParameters'] | string) -%}
        {%- if row['version'] | int > version and not (row['isBlindAppend'] or appended or row['operation'].startswith('VACUUM')) -%}
            {{- return(row['operation'] ~ ' in version ' ~ row['version']) -}}
        {%- endif -%}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}


{# One MERGE that inserts, updates and deletes. In the source, _ew_place is 0 for a window as it is now. #}
{% macro _delta_merge(relation, source, condition, columns) %}
merge into {{ relation }} as stored
using (
{{ source }}
) as change
on {{ condition }}
when matched and change._ew_place > 0 then delete
when matched then update set
    {% for column in columns %}{{ column }} = change.{{ column }}{{ ',\n    ' if not loop.last }}{% endfor %}
when not matched then insert ({{ columns | join(', ') }})
    values ({% for column in columns %}change.{{ column }}{{ ', ' if not loop.last }}{% endfor %})
{% endmacro %}


{#
    What commits from one version to another changed, from the change data feed, as (columns, change_type, change_version,
    change_time); without a version to begin with the table as it stands, as Delta's own stream of changes begins. A range
    after the last version is an error to table_changes; here nothing has changed yet.
    Where one commit takes a row away and puts the same back there is no change: a MERGE that leaves every public value as it
    was, a build that gives the same window again.
#}
{% macro _delta_changes(relation, columns, identity, from_version, to_version) %}
{%- set latest = event_windows._delta_latest_version({'relation': relation}) -%}
{%- if from_version is none -%}
select
    {% for column in columns %}{{ event_windows._name(column) }},
    {% endfor -%}
    'insert' as change_type,
    cast({{ latest }} as bigint) as change_version,
    cast(null as timestamp) as change_time
from {{ event_windows._delta_at_version({'relation': relation}, latest) }}
{%- else -%}
select
    {% for column in columns %}{{ event_windows._name(column) }},
    {% endfor -%}
    change_type,
    change_version,
    change_time
from (
    select
        *,
        count(*) over same_window = 2
            and count_if(change_type in ('insert', 'update_postimage')) over same_window = 1
            and min(_ew_values) over same_window = max(_ew_values) over same_window as _ew_unchanged
    from (
        select
            {% for column in columns %}{{ event_windows._name(column) }},
            {% endfor -%}
            _change_type as change_type,
            _commit_version as change_version,
            _commit_timestamp as change_time,
            to_json(struct({{ event_windows._names(columns) }})) as _ew_values
        {%- if from_version > latest %}
        from table_changes({{ event_windows._literal(relation | string) }}, {{ latest }})
        where false
        {%- else %}
        from table_changes({{ event_windows._literal(relation | string) }}, {{ [from_version, to_version] | reject('none') | join(', ') }})
        {%- endif %}
    ) as images
    window same_window as (partition by change_version, {{ event_windows._names(identity) }})
) as compared
where not _ew_unchanged
{%- endif -%}
{%- endmacro %}
