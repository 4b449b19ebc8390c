{# The ledger of refreshes, one per schema: one row per model and refresh (CONTRACT: event_windows_runs). #}
{% macro _ledger_columns() %}
    {{- return({
        'run_id': 'string', 'model': 'string', 'started_at': 'timestamp', 'finished_at': 'timestamp', 'status': 'string',
        'rows_read': 'bigint', 'rows_late': 'bigint', 'rows_late_partial': 'bigint', 'rows_null': 'bigint',
        'windows_inserted': 'bigint', 'windows_updated': 'bigint', 'windows_deleted': 'bigint',
        'windows_closed': 'bigint', 'windows_expired': 'bigint',
        'keys_tracked': 'bigint', 'stream_time': 'timestamp', 'arrival_from': 'bigint', 'arrival_to': 'bigint'
    }) -}}
{% endmacro %}


{% macro _create_ledger(relation) %}
    {%- if load_cached_relation(relation) is none -%}
        {%- set columns = [] -%}
        {%- for name, type in event_windows._ledger_columns().items() %}{% do columns.append(name ~ ' ' ~ type) %}{% endfor -%}
        {%- do run_query('create table if not exists ' ~ relation ~ ' (' ~ columns | join(', ') ~ ') using ' ~ event_windows._setting('file_format', event_windows._formats()[0])) -%}
        {%- do adapter.cache_added(relation.incorporate(type='table')) -%}
    {%- endif -%}
{% endmacro %}


{# Writes the row of a refresh, from what it read, merged, dropped and closed; not a second time. #}
{% macro _write_ledger(spec, tables, pending, read, merged) %}
    {%- set dropped = event_windows._count_dropped(tables, pending, read) -%}
    {%- set passed = event_windows._count_passed(spec, tables, pending, read) -%}
    {%- set clocks = event_windows._clocks_behind(spec, tables, pending.advance_to) -%}
    {#- an append-only table is inserted into when windows close -#}
    {%- set changed = [passed.closed, 0, 0] if spec.emit == 'final' else merged -%}
    {%- set latest = read.clock_to if pending.advance_to is none else clocks.clock -%}
    {%- set values = {
        'run_id': event_windows._literal(pending.run_id),
        'model': event_windows._literal(tables.model.identifier),
        'started_at': "timestamp '" ~ pending.started_at ~ "'",
        'finished_at': 'current_timestamp()',
        'status': "'success'",
        'rows_read': read.rows,
        'rows_null': read.nulls,
        'rows_late': dropped[0],
        'rows_late_partial': dropped[1],
        'windows_inserted': changed[0],
        'windows_updated': changed[1],
        'windows_deleted': changed[2],
        'windows_closed': passed.closed,
        'windows_expired': passed.expired,
        'keys_tracked': read.scopes if pending.advance_to is none else clocks.scopes,
        'stream_time': event_windows._from_micros(latest, spec) if latest is not none else none,
        'arrival_from': read.arrival_from,
        'arrival_to': read.arrival_to
    } -%}
    {%- set selected = [] -%}
    {%- for name, type in event_windows._ledger_columns().items() -%}
        {%- do selected.append('cast(' ~ (values[name] if values[name] is not none else 'null') ~ ' as ' ~ type ~ ')') -%}
    {%- endfor -%}
    {%- set ours = pending.run_id == invocation_id and not pending.full -%}
    {%- set written = not event_windows._is_pending(tables.windows, pending) if ours else event_windows._in_ledger(tables, pending) -%}
    {%- if not written -%}
        {%- do run_query('insert into ' ~ tables.runs ~ ' (' ~ event_windows._ledger_columns().keys() | join(', ') ~ ')\nvalues (\n    '
            ~ selected | join(',\n    ') ~ '\n)') -%}
    {%- endif -%}
{% endmacro %}


{# Whether a refresh that is being finished has its row already. #}
{% macro _in_ledger(tables, pending) %}
    {%- set found = run_query('select 1 from ' ~ tables.runs ~ ' where model = ' ~ event_windows._literal(tables.model.identifier)
        ~ ' and run_id = ' ~ event_windows._literal(pending.run_id) ~ ' limit 1') -%}
    {{- return(found.rows | length > 0) -}}
{% endmacro %}


{# [late, late_partial] rows of a refresh. #}
{% macro _count_dropped(tables, pending, read) %}
    {%- if read.doubtful == 0 -%}{{- return([0, 0]) -}}{%- endif -%}
    {%- set row = run_query("select count_if(reason = 'late') as late, count_if(reason = 'late_partial') as late_partial from "
        ~ tables.dropped ~ ' where _ew_refresh = ' ~ pending.refresh).rows[0] -%}
    {{- return([row['late'], row['late_partial']]) -}}
{% endmacro %}


{#
    Windows that were open before this refresh, or are new, and are closed after it, and those that left the state in it: the
    clocks that it moved have passed them. Unknown (null) where several partitions with a clock each feed one key, since
    no single clock closes such a window.
#}
{% macro _count_passed(spec, tables, pending, read) %}
    {%- if spec.window.grace is none and spec.retention is none -%}{{- return({'closed': 0, 'expired': 0}) -}}{%- endif -%}
    {%- if event_windows._clock_scope(spec) | reject('in', spec.key) | list -%}{{- return({'closed': none, 'expired': none}) -}}{%- endif -%}
    {%- set counted %}
select
    {{ 'count_if(' ~ event_windows._passed(spec, 'closed') ~ ')' if spec.window.grace is not none else '0' }} as closed,
    {{ 'count_if(' ~ event_windows._passed(spec, 'left') ~ ')' if spec.retention is not none else '0' }} as expired
from {{ tables.windows }} as stored
{{ event_windows._join_moved_clock(spec, tables) }}
where clock._ew_refresh = {{ pending.refresh }}
    and stored._ew_segment >= {{ event_windows._open_segment_from(spec, pending, read) }}
    {%- endset -%}
    {%- set row = run_query(counted).rows[0] -%}
    {{- return({'closed': row['closed'], 'expired': row['expired']}) -}}
{% endmacro %}


{# The oldest segment in which a window was still open, or in the state, before this refresh; any, where another run may have moved the clocks already. #}
{% macro _open_segment_from(spec, pending, read) %}
    {%- set ours = pending.run_id == invocation_id and pending.advance_to is none -%}
    {%- set oldest = [read.first, read.clock_from] | reject('none') | list if ours else [] -%}
    {%- set margins = [event_windows._of_type('open_for', spec), spec.retention, spec.leaves_after] -%}
    {%- if not oldest or margins[0] is none -%}
        {{- return(-9223372036854775807) -}}
    {%- endif -%}
    {{- return((oldest | min - margins | reject('none') | max) // spec.segment) -}}
{% endmacro %}
