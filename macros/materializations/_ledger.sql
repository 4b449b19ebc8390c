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
    {%- set passed = event_windows._count_passed(spec, tables, pending, merged) -%}
    {%- set dropped = event_windows._count_dropped(tables, pending, read) -%}
    {#- an append-only table is inserted into when windows close -#}
    {%- set changed = [passed.closed, 0, 0] if spec.emit == 'final' else merged -%}
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
        'keys_tracked': read.scopes,
        'stream_time': event_windows._from_micros(read.clock, spec) if read.clock is not none else none,
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
    By how many windows more are closed, and have left the state, than before this refresh: those that were not, and those that
    it added, less those that still are not. Null where that is not known: see _window_counts.
#}
{% macro _count_passed(spec, tables, pending, merged) %}
    {%- if spec.window.grace is none and spec.retention is none -%}{{- return({'closed': 0, 'expired': 0}) -}}{%- endif -%}
    {%- if not event_windows._window_counts(spec).any -%}{{- return({'closed': none, 'expired': none}) -}}{%- endif -%}
    {%- set added = merged[0] - merged[2] -%}
    {%- set sql %}
select
    sum(_ew_open) - coalesce(sum(_ew_previous._ew_open), 0) as open,
    sum(_ew_in_state) - coalesce(sum(_ew_previous._ew_in_state), 0) as in_state
from {{ tables.stream_time }}
where _ew_refresh = {{ pending.refresh }}
    {%- endset -%}
    {%- set row = run_query(sql).rows[0] -%}
    {{- return({
        'closed': added - (row['open'] or 0) if spec.window.grace is not none else 0,
        'expired': added - (row['in_state'] or 0) if spec.retention is not none else 0
    }) -}}
{% endmacro %}
