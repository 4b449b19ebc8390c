{{ config(materialized='windowed') }}

{#- all rows are of one shop: the key is a constant -#}
{{ event_windows.windowed(
    relation      = "(select 'demo' as shop, * from " ~ ref('ew_demo_stg_page_views') ~ ")",
    key           = ['shop'],
    event_time    = 'viewed_at',
    window        = event_windows.calendar(unit='day', time_zone='Europe/Berlin', grace='7 days'),
    aggregates    = {
        'page_views': 'count(*)',
        'orders':     'count(amount)',
        'revenue':    'sum(amount)'
    },
    arrival_order = 'arrival_seq'
) }}
