{# New rows as slices, as CTEs; nothing is cached. #}
{% macro _would_be_slices(spec, run) %}
new_rows as (
    {{ event_windows._new_rows(spec, dict(event_windows._new_bounds(run), unordered=true)) | trim }}
),

slices as (
    {{ event_windows._slices(spec, tracked=true) | trim }}
)
{% endmacro %}


{# What a refresh would know of its rows. #}
{% macro _would_read(spec, tables, run) %}
    {%- set sql %}
with
{{ event_windows._would_be_slices(spec, run) | trim }}

select * from (
{{ event_windows._summary(spec, 'slices', event_windows._clocks_until(tables, run), run.advance_to) | trim }}
) as summary
    {%- endset -%}
    {{- return(event_windows._read_of(spec, run, event_windows._row(run, 'clocks', sql))) -}}
{% endmacro %}


{# Stored windows that can take part, and keys that are looked at for late rows. #}
{% macro _explain_windows(spec, tables, run, told) %}
    {%- set read = run.read -%}
    {%- do told.update({'uncountable': read.uncountable, 'late_keys': 0, 'windows': 0, 'segments': 0}) -%}
    {%- if read.first is none %}{{- return('') -}}{% endif -%}
    {%- set stored = event_windows._stored(spec, tables, run) -%}
    {%- set sql %}
{%- if read.late_keys %}
with
{{ event_windows._would_be_slices(spec, run) | trim }},

clocks_before as (
    {{ event_windows._clocks_before(spec, stored.clocks, near='slices') | trim }}
),

{{ event_windows._late_keys(spec, before=true, stored=stored) | trim }}
{% endif %}
select
    cast({{ event_windows._time_from_micros(read.first, spec) }} as string) as oldest_event,
    count(*) as windows, count(distinct _ew_segment) as segments,
    {{ '(select count(*) from late_keys)' if read.late_keys else '0' }} as late_keys
from {{ tables.windows }}
where _ew_segment >= {{ stored.segment_from }}
    {%- endset -%}
    {%- set row = event_windows._row(run, 'windows', sql) -%}
    {%- do told.update({'oldest_event': row['oldest_event'] | string}) -%}
    {%- for name in ['windows', 'segments', 'late_keys'] %}{% do told.update({name: row[name] | int}) %}{% endfor -%}
    {%- if read.asks and not told.late_keys -%}
        {%- do read.update({'late_keys': false}) -%}
        {%- do read.update({'kept': event_windows._keeps_rows(spec, read)}) -%}
    {%- endif -%}
{% endmacro %}
