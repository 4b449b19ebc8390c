{#
    From the change data feed; without a version to begin with the table as it stands, as Delta's own stream of changes
    begins. A range after the last version is an error to Delta; here nothing has changed yet. Where one commit takes a
    row away and puts the same back there is no change: a MERGE that leaves every public value as it was, a build that
    gives the same window again.
#}
{% macro _delta_changes(relation, columns, identity, from_version, to_version) %}
{%- set latest = run_query('describe history ' ~ relation ~ ' limit 1').rows[0]['version'] | int -%}
{%- if from_version is none -%}
select
    {% for column in columns %}{{ event_windows._name(column) }},
    {% endfor -%}
    'insert' as change_type,
    cast({{ latest }} as bigint) as change_version,
    cast(null as timestamp) as change_time
from {{ relation }} version as of {{ latest }}
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
            {{ event_windows._values_text(columns) }} as _ew_values
        {%- if from_version > latest %}
        from {{ event_windows._delta_feed(relation, latest) }}
        where false
        {%- else %}
        from {{ event_windows._delta_feed(relation, from_version, to_version) }}
        {%- endif %}
    ) as images
    window same_window as (partition by change_version, {{ event_windows._names(identity) }})
) as compared
where not _ew_unchanged
{%- endif -%}
{%- endmacro %}
