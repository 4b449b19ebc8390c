{#
    Windows that left the state leave the table of windows, where the model asks for it (expire='delete') or they have
    been published (emit='final'). Whole segments first, which costs no rewriting, then the others one by one, so that
    what the table holds depends on the clocks alone and not on how rows were cut into refreshes. By the clocks up to
    this refresh, and no window that a later one has written: a slow run may do it while another one is further on, and
    has not published yet what its own clocks close. Properties bear the record before, since the rows that bear it may
    leave, and the last number that m bears: if m is set back later together with the ledger, nothing else tells. After
    it one says that it was done.
#}
{% macro _expire(spec, tables, run) %}
    {%- if spec.leaves_after is none %}{{- return('') -}}{% endif -%}
    {%- set published = '(select max(_ew_refresh) from ' ~ tables.model ~ ')' if spec.emit == 'final' else 'null' -%}
    {%- set last = event_windows._row(
        run, 'progress',
        'select min(' ~ event_windows._time_micros('stream_time', spec) ~ ') as clock, ' ~ published
            ~ ' as published from ('
            ~ event_windows._shown_clocks(spec, tables, run.generation, run.number) ~ ') as clocks'
    ) -%}
    {%- do event_windows._record_progress(
        tables, run, event_windows._progress(spec, run),
        {'event_windows.last_published': last['published'] | string} if last['published'] is not none else {}
    ) -%}
    {%- if last['clock'] is not none -%}
        {%- do event_windows._delete_what_left(spec, tables, run, last['clock'] | int) -%}
    {%- endif -%}
    {%- do event_windows._statement(run, 'progress', event_windows._set_properties(
        tables.windows, {'event_windows.expired': run.number | string}
    )) -%}
{% endmacro %}


{# A window that ends at the very instant before which all leave is in no segment that goes as a whole. #}
{% macro _delete_what_left(spec, tables, run, oldest) %}
    {%- do event_windows._statement(
        run, 'expire',
        'delete from ' ~ tables.windows ~ ' where _ew_segment < '
            ~ event_windows._segment_before(oldest - 1, spec.leaves_after, spec.segment)
            ~ ' and _ew_refresh <= ' ~ run.number
    ) -%}
    {%- set sql %}
merge into {{ tables.windows }} as stored
using (
    {{ event_windows._shown_clocks(spec, tables, run.generation, run.number) | trim }}
) as clock
on {{ event_windows._equal(event_windows._shown_scope(spec), 'stored', 'clock', null_safe=spec.null_keys) }}
    and {{ event_windows._has_left(
        spec, 'stored', event_windows._time_micros('clock.stream_time', spec), spec.leaves_after
    ) }}
    and stored._ew_refresh <= {{ run.number }}
when matched then delete
    {%- endset -%}
    {%- do event_windows._statement(run, 'expire', sql) -%}
{% endmacro %}
