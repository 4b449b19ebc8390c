{{ config(materialized='view') }}

with

readings as (
    select * from {{ ref('ew_demo_sensor_readings') }}
    {%- if var('event_windows__demo_batch', 1) | int >= 2 %}
    union all
    select * from {{ ref('ew_demo_late_sensor_readings') }}
    {%- endif %}
),

final as (
    select
        sensor,
        celsius,
        measured_at,
        arrival_seq
    from readings
)

select * from final
