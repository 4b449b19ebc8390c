{{ config(materialized='windowed') }}

{{ event_windows.windowed(
    relation      = ref('ew_demo_stg_page_views'),
    key           = ['url'],
    event_time    = 'viewed_at',
    window        = event_windows.hopping(size='1 hour', advance_by='15 minutes', grace='7 days'),
    aggregates    = {
        'page_views': 'count(*)',
        'visitors':   'approx_count_distinct(user_id)'
    },
    arrival_order = 'arrival_seq',
    stream_time   = 'global'
) }}
