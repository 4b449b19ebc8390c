{{ config(materialized='rollup') }}

select
    date(window_start) as day,
    sum(sessions) as sessions,
    sum(page_views) as page_views,
    sum(revenue) as revenue,
    max_by(landing_page, struct(sessions, landing_page)) as busiest_landing_page
from {{ ref('ew_demo_sessions_per_hour') }}
group by day
