{{ config(materialized='windowed', emit='final') }}

{{ event_windows.windowed(
    relation      = ref('ew_demo_stg_page_views'),
    key           = ['user_id'],
    event_time    = 'viewed_at',
    window        = event_windows.tumbling(size='1 minute', grace='1 hour'),
    aggregates    = {'requests': 'count(*)'},
    arrival_order = 'arrival_seq',
    stream_time   = 'global'
) }}
