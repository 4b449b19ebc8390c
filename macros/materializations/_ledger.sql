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
    {%- set values = {
        'run_id': event_windows._literal(pending.run_id),
        'model': event_windows._literal(tables.windows.identifier),
        'started_at': "timestamp '" ~ pending.started_at ~ "'",
        'finished_at': 'current_timestamp()',
        'status': "'success'",
        'rows_read': read.rows,
        'rows_null': read.nulls,
        'rows_late': dropped[0],
        'rows_late_partial': dropped[1],
        'windows_inserted': merged[0],
        'windows_updated': merged[1],
        'windows_deleted': merged[2],
        'windows_closed': event_windows._count_closed(spec, tables, pending, read),
        'windows_expired': 0,
        'keys_tracked': read.scopes,
        'stream_time': event_windows._from_micros(read.clock_to, spec) if read.clock_to is not none else none,
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
    {%- set found = run_query('select 1 from ' ~ tables.runs ~ ' where model = ' ~ event_windows._literal(tables.windows.identifier)
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
    Windows that were open before this refresh, or are new, and are closed after it: those that the clocks it moved have
    passed. Unknown (null) where several partitions with a clock each feed one key, since no single clock closes such a window.
#}
{% macro _count_closed(spec, tables, pending, read) %}
    {%- set scope = event_windows._clock_scope(spec) -%}
    {%- if spec.window.grace is none -%}{{- return(0) -}}{%- endif -%}
    {%- if scope | reject('in', spec.key) | list -%}{{- return(none) -}}{%- endif -%}
    {%- set after = event_windows._micros('clock.stream_time', spec) -%}
    {%- set before = event_windows._micros('clock._ew_previous', spec) -%}
    {%- set counted -%}
        select count(*) as closed from {{ tables.windows }} as stored
        inner join {{ tables.stream_time }} as clock on {{ event_windows._equal(scope, 'stored', 'clock') or 'true' }}
        where clock._ew_refresh = {{ pending.refresh }}
            and stored._ew_segment >= {{ event_windows._open_segment_from(spec, pending, read) }}
            and {{ event_windows._of_type('closed', spec, 'stored', after) }}
            and not coalesce({{ event_windows._of_type('closed', spec, 'stored', before) }}, false)
    {%- endset -%}
    {{- return(run_query(counted).rows[0]['closed']) -}}
{% endmacro %}


{# The oldest segment in which a window was still open before this refresh; any, where another run may have moved the clocks already. #}
{% macro _open_segment_from(spec, pending, read) %}
    {%- set ours = pending.run_id == invocation_id -%}
    {%- set oldest = [read.first, read.clock_from] | reject('none') | list if ours else [] -%}
    {%- set margin = event_windows._of_type('open_for', spec) -%}
    {%- if not oldest or margin is none -%}
        {{- return(-9223372036854775807) -}}
    {%- endif -%}
    {{- return((oldest | min - margin) // spec.segment) -}}
{% endmacro %}
