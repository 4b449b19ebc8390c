{{ config(materialized='incremental', incremental_strategy='merge', unique_key='user_id') }}

{%- set from_version = none -%}
{%- if is_incremental() -%}
    {%- set from_version = run_query('select max(through_version) + 1 as version from ' ~ this).rows[0]['version'] -%}
{%- endif %}

with

changed as (
    select
        user_id,
        page_views,
        change_version,
        if(change_type in ('insert', 'update_postimage'), 1, -1) as sign
    from ({{ event_windows.changes(ref('ew_demo_page_view_sessions'), from_version) }}) as happened
),

totals as (
    select
        user_id,
        sign as sessions,
        sign * page_views as page_views,
        change_version as through_version
    from changed
    {%- if is_incremental() %}
    union all
    select
        user_id,
        sessions,
        page_views,
        through_version
    from {{ this }}
    where user_id in (select changed.user_id from changed)
    {%- endif %}
),

final as (
    select
        user_id,
        sum(sessions) as sessions,
        sum(page_views) as page_views,
        max(through_version) as through_version
    from totals
    group by user_id
)

select * from final
