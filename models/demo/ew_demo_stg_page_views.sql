{{ config(materialized='view') }}

with

views as (
    select * from {{ ref('ew_demo_page_views') }}
    {%- if var('event_windows__demo_batch', 1) | int >= 2 %}
    union all
    select * from {{ ref('ew_demo_late_page_views') }}
    {%- endif %}
),

final as (
    select
        -- dbt-spark's session method writes an empty text of a seed like this
        nullif(user_id, 'None') as user_id,
        url,
        amount,
        viewed_at,
        arrival_seq
    from views
)

select * from final
