{{ config(materialized='windowed') }}

{{ event_windows.windowed(
    relation      = ref('ew_demo_stg_page_views'),
    key           = ['user_id'],
    event_time    = 'viewed_at',
    window        = event_windows.session(gap='30 minutes', grace='1 day'),
    aggregates    = {
        'page_views':   'count(*)',
        'revenue':      'sum(amount)',
        'landing_page': 'min_by(url, viewed_at)'
    },
    arrival_order = 'arrival_seq'
) }}
