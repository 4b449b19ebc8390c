{{ config(materialized='windowed', source_changes='retract') }}

{{ event_windows.windowed(
    relation      = ref('ew_demo_page_view_sessions'),
    key           = ['landing_page'],
    event_time    = 'window_start',
    window        = event_windows.tumbling(size='1 hour', grace='unbounded'),
    aggregates    = {
        'sessions':   'count(*)',
        'page_views': 'sum(page_views)',
        'revenue':    'sum(revenue)'
    }
) }}
