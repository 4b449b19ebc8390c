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
        {%- do run_query('create table if not exists ' ~ relation ~ ' (' ~ columns | join(', ') ~ ') using ' ~ event_windows._setting('file_format', 'delta')) -%}
        {%- do adapter.cache_added(relation.incorporate(type='table')) -%}
    {%- endif -%}
{% endmacro %}


{# Writes the row of a refresh, from what it read and merged and from the rows that it dropped; not a second time. #}
{% macro _write_ledger(spec, tables, pending, read, merged) %}
    {%- set dropped = read.nulls > 0 or read.doubtful > 0 -%}
    {%- set values = {
        'run_id': event_windows._literal(pending.run_id),
        'model': event_windows._literal(tables.windows.identifier),
        'started_at': "timestamp'" ~ pending.started_at ~ "'",
        'finished_at': 'current_timestamp()',
        'status': "'success'",
        'rows_read': read.rows,
        'rows_null': read.nulls,
        'rows_late': 'dropped.late' if dropped else 0,
        'rows_late_partial': 'dropped.late_partial' if dropped else 0,
        'windows_inserted': merged[0] if merged else '(select count(*) from ' ~ tables.windows ~ ')',
        'windows_updated': merged[1] if merged else 0,
        'windows_deleted': merged[2] if merged else 0,
        'windows_closed': event_windows._count_closed(spec, tables, pending, read),
        'windows_expired': 0,
        'keys_tracked': 'clock.scopes',
        'stream_time': 'clock.latest',
        'arrival_from': read.arrival_from if read.arrival_from is not none else 'null',
        'arrival_to': read.arrival_to if read.arrival_to is not none else 'null'
    } -%}
    {%- set selected = [] -%}
    {%- for name, type in event_windows._ledger_columns().items() -%}
        {%- do selected.append('cast(' ~ values[name] ~ ' as ' ~ type ~ ') as ' ~ name) -%}
    {%- endfor -%}
    {%- set sql %}
insert into {{ tables.runs }} ({{ event_windows._ledger_columns().keys() | join(', ') }})
select
    {{ selected | join(',\n    ') }}
from (select count(*) as scopes, max(stream_time) as latest from {{ tables.stream_time }}) as clock
{%- if dropped %}
cross join (
    select count_if(reason = 'late') as late, count_if(reason = 'late_partial') as late_partial
    from {{ tables.dropped }}
    where _ew_refresh = {{ pending.refresh }}
) as dropped
{%- endif %}
{%- if pending.run_id != invocation_id or pending.full %}
where not exists (select 1 from {{ tables.runs }} where model = {{ values.model }} and run_id = {{ values.run_id }})
{%- endif %}
    {%- endset -%}
    {%- do run_query(sql) -%}
{% endmacro %}


{#
    Windows that were open before this refresh, or are new, and are closed after it: those that the clocks it moved have
    passed. Unknown (null) where several partitions with a clock each feed one key, since no single clock closes such a window.
#}
{% macro _count_closed(spec, tables, pending, read) %}
    {%- set scope = event_windows._clock_scope(spec) -%}
    {%- if spec.window.grace is none or not spec.arrival -%}{{- return('0') -}}{%- endif -%}
    {%- if scope | reject('in', spec.key) | list -%}{{- return('null') -}}{%- endif -%}
    {%- set after = event_windows._micros('clock.stream_time', spec) -%}
    {%- set before = event_windows._micros('clock._ew_previous', spec) -%}
    {%- set counted -%}
        select count(*) from {{ tables.windows }} as stored
        inner join {{ tables.stream_time }} as clock on {{ event_windows._equal(scope, 'stored', 'clock') or 'true' }}
        where clock._ew_refresh = {{ pending.refresh }}
            and stored._ew_segment >= {{ event_windows._open_segment_from(spec, read) }}
            and {{ event_windows._of_type('closed', spec, 'stored', after) }}
            and not coalesce({{ event_windows._of_type('closed', spec, 'stored', before) }}, false)
    {%- endset -%}
    {{- return('(' ~ counted ~ ')') -}}
{% endmacro %}


{# The oldest segment in which a window was still open before this refresh. #}
{% macro _open_segment_from(spec, read) %}
    {%- set oldest = [read.first, read.clock_from] | reject('none') | list -%}
    {%- set margin = event_windows._of_type('open_for', spec) -%}
    {%- if not oldest or margin is none -%}
        {{- return(-9223372036854775807) -}}
    {%- endif -%}
    {{- return((oldest | min - margin) // spec.segment) -}}
{% endmacro %}
