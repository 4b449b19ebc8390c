{{ config(materialized='view') }}

select
    -- dbt-spark's session method writes an empty text of a seed like this
    nullif(user_id, 'None') as user_id,
    url,
    amount,
    viewed_at,
    arrival_seq
from {{ ref('ew_demo_page_views') }}
