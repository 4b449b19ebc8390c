{{ config(materialized='view') }}

select user_id, url, amount, viewed_at, arrival_seq
from {{ ref('demo_page_views') }}
{%- if var('event_windows__demo_batch', 1) | int >= 2 %}
union all
select user_id, url, amount, viewed_at, arrival_seq
from {{ ref('demo_late_page_views') }}
{%- endif %}
