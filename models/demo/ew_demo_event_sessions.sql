{{ config(materialized='windowed', grace='unbounded', arrival_order='arrival_seq') }}

select
    key,
    session_window.start as session_start,
    session_window.end as session_end,
    count(*) as events
from {{ var('event_windows__demo_table', '') }}
group by key, session_window(event_time, '30 minutes')
