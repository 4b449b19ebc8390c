{{ config(materialized='windowed') }}

{{ event_windows.windowed(
    relation      = '(select * from ' ~ var('event_windows__demo_table', '') ~ ')',
    key           = ['key'],
    event_time    = 'event_time',
    window        = event_windows.session(gap='30 minutes', grace='unbounded'),
    aggregates    = {'events': 'count(*)'},
    arrival_order = 'arrival_seq'
) }}
