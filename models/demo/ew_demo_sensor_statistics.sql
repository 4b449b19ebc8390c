{{ config(materialized='windowed') }}

{{ event_windows.windowed(
    relation      = ref('ew_demo_stg_sensor_readings'),
    key           = ['sensor'],
    event_time    = 'measured_at',
    window        = event_windows.sliding(difference='10 minutes', grace='1 hour', resolution='1 second'),
    aggregates    = {
        'readings': 'count(*)',
        'average':  'avg(celsius)',
        'lowest':   'min(celsius)',
        'highest':  'max(celsius)'
    },
    arrival_order = 'arrival_seq'
) }}
