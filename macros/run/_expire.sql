{#
    Windows that left the state leave the table of windows, where the model asks for it (expire='delete') or they have
    been published (emit='final'). Whole segments first, which costs no rewriting: those that no clock can reach any
    more. Then the others one by one, so that what the table holds depends on the clocks alone and not on how rows were
    cut into refreshes.
#}
{% macro _expire(spec, tables, run) %}
    {%- if spec.leaves_after is none %}{{- return('') -}}{% endif -%}
    {%- set oldest = event_windows._number(event_windows._row(
        run, 'expire',
        'select min(' ~ event_windows._time_micros('stream_time', spec) ~ ') as clock from ' ~ tables.stream_time
    )['clock']) -%}
    {%- if oldest is none %}{{- return('') -}}{% endif -%}
    {%- do event_windows._statement(
        run, 'expire',
        'delete from ' ~ tables.windows ~ ' where _ew_segment < '
            ~ event_windows._segment_before(oldest, spec.leaves_after, spec.segment)
    ) -%}
    {%- set sql %}
merge into {{ tables.windows }} as stored
using (
    select {{ event_windows._names_before(event_windows._shown_scope(spec)) }}stream_time from {{ tables.stream_time }}
) as clock
on {{ event_windows._equal(event_windows._shown_scope(spec), 'stored', 'clock', null_safe=spec.null_keys) }}
    and {{ event_windows._has_left(
        spec, 'stored', event_windows._time_micros('clock.stream_time', spec), spec.leaves_after
    ) }}
when matched then delete
    {%- endset -%}
    {%- do event_windows._statement(run, 'expire', sql) -%}
{% endmacro %}
