{# The ledger of refreshes, one per schema: one row per model and refresh. #}
{% macro _ledger_columns() %}
    {{- return({
        'run_id': 'string', 'model': 'string',
        'started_at': 'timestamp', 'finished_at': 'timestamp', 'status': 'string',
        'rows_read': 'bigint', 'rows_late': 'bigint', 'rows_late_partial': 'bigint', 'rows_null': 'bigint',
        'windows_inserted': 'bigint', 'windows_updated': 'bigint', 'windows_deleted': 'bigint',
        'windows_closed': 'bigint', 'windows_expired': 'bigint',
        'keys_tracked': 'bigint', 'stream_time': 'timestamp', 'arrival_from': 'bigint', 'arrival_to': 'bigint',
        'rows_skipped': 'bigint', 'keys_rebuilt': 'bigint', 'rows_rebuilt': 'bigint', '_ew_refresh': 'bigint'
    }) -}}
{% endmacro %}


{#
    The row of a refresh, as an INSERT: from what it read, merged and dropped. With emit='final' windows closed are
    those that were published; windows expired are those that leave the table next. With emit='updates' nobody counts
    them here, window_counts() tells when asked.
#}
{% macro _insert_into_ledger(spec, tables, run) %}
    {%- set read, merged = run.read, run.merged -%}
    {%- set rebuilt = event_windows._rebuilt_progress(run) or {'keys': 0, 'rows': 0} -%}
    {%- set final = spec.emit == 'final' -%}
    {%- set clock = event_windows._clock_after(run) -%}
    {%- set closed = '(select count(*) from ' ~ tables.model ~ ' where _ew_refresh = ' ~ run.number ~ ')' -%}
    {%- set values = {
        'run_id': event_windows._literal(run.run_id),
        'model': event_windows._literal(tables.model.identifier),
        'started_at': "timestamp '" ~ run.started_at ~ "'",
        'finished_at': 'current_timestamp()',
        'status': "'success'",
        'rows_read': read.rows,
        'rows_null': read.uncountable,
        'rows_late': read.late,
        'rows_late_partial': read.late_partial,
        'keys_rebuilt': rebuilt['keys'],
        'rows_rebuilt': rebuilt.rows,
        'windows_inserted': closed if final else merged.inserted,
        'windows_updated': 0 if final else merged.updated,
        'windows_deleted': 0 if final else merged.deleted,
        'windows_closed': closed if final else (0 if spec.window.grace is none else none),
        'windows_expired': event_windows._count_expiring(spec, tables, run) if spec.leaves_after is not none
            else (0 if spec.retention is none else none),
        'keys_tracked': event_windows._scopes_after(run),
        'stream_time': 'timestamp_micros(' ~ clock ~ ')' if clock is not none else none,
        'arrival_from': read.arrival_from,
        'arrival_to': read.arrival_to,
        'rows_skipped': read.skipped,
        '_ew_refresh': run.number
    } -%}
    {%- set selected = [] -%}
    {%- for name, type in event_windows._ledger_columns().items() -%}
        {%- do selected.append('cast(' ~ (values[name] if values[name] is not none else 'null') ~ ' as ' ~ type
            ~ ') as ' ~ name) -%}
    {%- endfor %}
insert into {{ tables.runs }} ({{ event_windows._ledger_columns().keys() | join(', ') }})
select
    {{ selected | join(',\n    ') }}
from (select 1) as once
where not exists (
    {{ event_windows._told_lines(tables, run) }}
)
{% endmacro %}


{# FROM and WHERE: the lines of a model, one a refresh; with a condition those of them. #}
{% macro _from_ledger(tables, condition=none) %}
    {{- return('from ' ~ tables.runs ~ ' where ' ~ event_windows._is_of_model(tables)
        ~ (' and ' ~ condition if condition else '')) -}}
{% endmacro %}


{# The condition of a line of the model. #}
{% macro _is_of_model(tables) %}
    {%- set name = event_windows._literal(tables.model.identifier) -%}
    {{- return('lower(model) = lower(' ~ name ~ ')' if tables.asks else 'model = ' ~ name) -}}
{% endmacro %}


{# A SELECT of the line of a refresh, whichever run wrote it for the one that committed. #}
{% macro _told_lines(tables, run) %}
    {{- return('select 1 ' ~ event_windows._from_ledger(tables, event_windows._is_of_run(run))) -}}
{% endmacro %}


{# The condition of what stands under the number of a refresh, and is of the run that committed it. #}
{% macro _is_of_run(run) %}
    {{- return('_ew_refresh = ' ~ run.number ~ ' and run_id = ' ~ event_windows._literal(run.run_id)) -}}
{% endmacro %}


{# Which run has committed a number, as the ledger says; none if it has no line of it. #}
{% macro _told_committer(tables, number) %}
    {{- return(run_query(
        'select max(run_id) as run_id ' ~ event_windows._from_ledger(tables, '_ew_refresh = ' ~ number)
    ).rows[0]['run_id']) -}}
{% endmacro %}


{# How many windows leave the table at the clocks of this refresh: they are deleted after the ledger has its row. #}
{% macro _count_expiring(spec, tables, run) %}
    {%- set clock = event_windows._time_micros('clock.stream_time', spec) -%}
    {{- return('(select count(*) from ' ~ tables.windows ~ ' as stored '
        ~ (event_windows._join_shown_clocks(spec, tables, run.generation) | trim)
        ~ ' where ' ~ event_windows._has_left(spec, 'stored', clock, spec.leaves_after) ~ ')') -}}
{% endmacro %}


{# Stored windows with the clock of each, as m__stream_time shows it. #}
{% macro _join_shown_clocks(spec, tables, generation, kind='inner', windows='stored', null_safe=none) %}
    {{ kind }} join (
        {{ event_windows._shown_clocks(spec, tables, generation) | trim | indent(8) }}
    ) as clock
        on {{ event_windows._equal(
            event_windows._shown_scope(spec), windows, 'clock',
            null_safe=spec.null_keys if null_safe is none else null_safe
        ) }}
{% endmacro %}


{# A SELECT of the last number that the ledger has of a model, of refreshes with a condition if one is given. #}
{% macro _last_told(tables, condition=none) %}
    {{- return('select max(_ew_refresh) as number ' ~ event_windows._from_ledger(tables, condition)) -}}
{% endmacro %}


{#
    Whether the build, if that is the last that was done, had ended before this command began: what it made was there
    when dbt looked which tables there are.
#}
{% macro _had_ended(tables, progress) %}
    {%- if not progress.full %}{{- return(true) -}}{% endif -%}
    {%- if load_cached_relation(tables.runs) is none %}{{- return(false) -}}{% endif -%}
    {%- set before = "finished_at < timestamp '" ~ run_started_at.isoformat() ~ "'" -%}
    {%- set told = run_query(event_windows._last_told(tables, before)).rows[0]['number'] -%}
    {{- return(told is not none and told | int >= progress.number) -}}
{% endmacro %}
