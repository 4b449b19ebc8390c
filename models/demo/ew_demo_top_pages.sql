{{ config(materialized='view') }}

with

ranked as (
    select
        window_start,
        window_end,
        row_number() over (
            partition by window_start order by page_views desc, visitors desc, url asc
        ) as place,
        url,
        page_views,
        visitors
    from {{ ref('ew_demo_page_views_per_hour') }}
),

final as (
    select * from ranked
    where place <= 3
)

select * from final
