{{ config(materialized='view') }}

select
    sensor,
    celsius,
    measured_at,
    arrival_seq
from {{ ref('ew_demo_sensor_readings') }}
