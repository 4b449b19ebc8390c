{#
    Windows that left the state leave the table of windows, where the model asks for it (expire='delete') or they have been
    published (emit='final'). Whole segments first, which costs no rewriting: those that no clock can reach any more. Then the
    others one by one, so that what the table holds depends on the clocks alone and not on how rows were cut into refreshes.
#}
{% macro _expire(spec, tables, pending) %}
    {%- if spec.leaves_after is none %}{{- return('') -}}{% endif -%}
    {%- set oldest = run_query('select min(' ~ event_windows._micros('stream_time', spec) ~ ') as clock from ' ~ tables.stream_time).rows[0]['clock'] -%}
    {%- if oldest is none %}{{- return('') -}}{% endif -%}
    {%- do run_query('delete from ' ~ tables.windows ~ ' where _ew_segment < ' ~ ((oldest | int - spec.leaves_after) // spec.segment)) -%}
    {%- set sql %}
merge into {{ tables.windows }} as stored
using (
    select *, {{ event_windows._micros('stream_time', spec) }} - {{ spec.leaves_after }} as _ew_oldest
    from {{ tables.stream_time }}
    where _ew_refresh = {{ pending.refresh }}
) as clock
on {{ event_windows._equal(event_windows._clock_scope(spec), 'stored', 'clock') or 'true' }}
    and {{ event_windows._micros('stored.window_end', spec) }} < clock._ew_oldest
when matched then delete
    {%- endset -%}
    {%- do run_query(sql) -%}
{% endmacro %}
