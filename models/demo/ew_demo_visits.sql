{{ config(materialized='windowed', grace='1 day', arrival_order='arrival_seq') }}

select
    user_id,
    session_window.start as session_start,
    session_window.end as session_end,
    count(*) as page_views,
    sum(amount) as revenue,
    min_by(url, viewed_at) as landing_page
from {{ ref('ew_demo_stg_page_views') }}
where user_id is not null
group by user_id, session_window(viewed_at, '30 minutes')
