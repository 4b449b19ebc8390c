{#
    Stream time per scope: the latest event time of its rows so far (the stream-time table of the per-key KIP). What it
    was before the refresh that moved it last stands beside it.
#}
{% macro _stream_time(spec, slices, refresh) %}
    {%- set scope = event_windows._clock_scope(spec) -%}
    {%- set type = event_windows._type_of(spec.event_time, spec) -%}
select
    {{ event_windows._names(scope) }}{{ ', ' if scope }}max(window_end) as stream_time, cast(null as {{ type }}) as _ew_previous, cast({{ refresh }} as bigint) as _ew_refresh
from {{ slices }}
where _ew_first is not null
{%- if scope %}
group by {{ event_windows._names(scope) }}
{%- else %}
having max(window_end) is not null
{%- endif %}
{% endmacro %}


{# Moves the stored clocks forward to the new rows. A maximum, so that doing it again changes nothing. #}
{% macro _move_clocks(spec, tables, pending) %}
    {%- set scope = event_windows._clock_scope(spec) -%}
    {%- set columns = scope + ['stream_time', '_ew_previous', '_ew_refresh'] -%}
    {%- set sql %}
merge into {{ tables.stream_time }} as kept
using (
    {{ event_windows._stream_time(spec, tables.slices, pending.refresh) | trim }}
) as moved
on {{ event_windows._equal(scope, 'kept', 'moved', null_safe=spec.clock == 'partition') or 'true' }}
when matched and moved.stream_time > kept.stream_time
    then update set stream_time = moved.stream_time, _ew_previous = kept.stream_time, _ew_refresh = moved._ew_refresh
when not matched then insert ({{ event_windows._names(columns) }}) values ({{ event_windows._names(columns, 'moved') }})
    {%- endset -%}
    {%- do run_query(sql) -%}
{% endmacro %}
