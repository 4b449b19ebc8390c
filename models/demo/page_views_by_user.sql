{{ config(materialized='incremental', incremental_strategy='merge', unique_key='user_id', file_format='delta') }}

{%- set from_version = none -%}
{%- if is_incremental() -%}
    {%- set from_version = run_query('select max(through_version) + 1 as version from ' ~ this).rows[0]['version'] -%}
{%- endif %}

with

changed as (
    select
        *,
        if(change_type in ('insert', 'update_postimage'), 1, -1) as sign
    from ({{ event_windows.changes(ref('page_view_sessions'), from_version) }})
),

differences as (
    select
        user_id,
        sum(sign) as sessions,
        sum(sign * page_views) as page_views,
        max(change_version) as through_version
    from changed
    group by user_id
),

final as (
    select
        differences.user_id,
        differences.sessions {% if is_incremental() %}+ coalesce(before.sessions, 0){% endif %} as sessions,
        differences.page_views {% if is_incremental() %}+ coalesce(before.page_views, 0){% endif %} as page_views,
        differences.through_version
    from differences
    {%- if is_incremental() %}
    left join {{ this }} as before on differences.user_id = before.user_id
    {%- endif %}
)

select * from final
