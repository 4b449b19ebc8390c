{#
    A first build or a full refresh: every window from scratch, replaced in one commit together with its record, so that
    readers see the old table or the new one; then what stands beside it.
#}
{% macro _build(spec, tables) %}
    {%- set pending = event_windows._new_pending(full=true, refresh=1) -%}
    {%- set read = event_windows._read_rows(spec, tables, pending) -%}
    {%- do pending.update({'to': read.to}) -%}
    {%- set sql = event_windows._of_format(
        'create', tables.windows,
        sql=event_windows._from_scratch(
            spec, bounds={'to': read.to}, slices=tables.slices, doubtful=read.doubtful > 0,
            replayed=tables.replayed if read.doubtful else none, refresh=pending.refresh
        ),
        partition_by='_ew_segment',
        properties={'event_windows.spec': event_windows._fingerprint(spec), 'event_windows.pending.' ~ pending.run_id: pending}
    ) -%}
    {%- do run_query(sql) -%}
    {{- return(event_windows._complete_build(spec, tables, pending, read, sql)) -}}
{% endmacro %}


{# What a build does after its commit; also what finishes a build that was interrupted there. #}
{% macro _complete_build(spec, tables, pending, read, sql) %}
    {%- do run_query(event_windows._of_format('create', tables.dropped, columns=event_windows._dropped_columns(spec))) -%}
    {%- do event_windows._write_dropped(spec, tables, pending, read) -%}
    {%- do run_query(event_windows._of_format('create', tables.stream_time, sql=event_windows._stream_time(spec, tables.slices, pending.refresh))) -%}
    {%- do event_windows._write_ledger(spec, tables, pending, read, merged=none) -%}
    {%- do event_windows._finish(tables.windows, pending) -%}
    {%- do event_windows._forget(tables) -%}
    {{- return({'message': 'built from ' ~ read.rows ~ ' rows', 'windows': -1, 'sql': sql}) -}}
{% endmacro %}


{# A refresh that is about to begin. #}
{% macro _new_pending(full, refresh, from=[]) %}
    {{- return({
        'refresh': refresh, 'run_id': invocation_id, 'started_at': run_started_at.isoformat(), 'full': full, 'from': from, 'to': []
    }) -}}
{% endmacro %}
