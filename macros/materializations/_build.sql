{#
    A first build or a full refresh: every window from scratch, replaced in one commit together with its record, so that
    readers see the old table or the new one; then what stands beside it.
#}
{% macro _build(spec, tables, advance_to) %}
    {%- set pending = event_windows._new_pending(full=true, refresh=1, advance_to=advance_to) -%}
    {%- set read = event_windows._read_rows(spec, tables, pending) -%}
    {%- do pending.update({'to': read.to}) -%}
    {%- do event_windows._keep_replay(spec, tables, pending, read) -%}
    {%- set sql = event_windows._of_format(
        'create', tables.windows,
        sql=event_windows._build_windows(spec, tables, pending, read),
        partition_by='_ew_segment',
        followed=spec.emit == 'updates',
        properties={'event_windows.spec': event_windows._fingerprint(spec), 'event_windows.pending.' ~ pending.run_id: pending}
    ) -%}
    {%- do run_query(sql) -%}
    {%- if spec.emit == 'updates' and load_cached_relation(tables.state) %}{% do adapter.drop_relation(load_cached_relation(tables.state)) %}{% endif -%}
    {{- return(event_windows._complete_build(spec, tables, pending, read, sql)) -}}
{% endmacro %}


{# The SELECT of a build, over what is cached already. #}
{% macro _build_windows(spec, tables, pending, read) %}
with
slices as (
    select * from {{ tables.slices }} where _ew_first is not null
),
{% if read.replay %}
suspects as (
    select * from {{ tables.suspects }} where _ew_doubtful
),

doubtful as (
    select distinct {{ event_windows._names(spec.key) }} from suspects
),

replayed as (
    select * from {{ tables.replayed }}
),
{% endif %}
{{ event_windows._scratch_window_steps(spec, read.replay > 0, refresh=pending.refresh) }}
{% endmacro %}


{# What a build does after its commit; also what finishes a build that was interrupted there. #}
{% macro _complete_build(spec, tables, pending, read, sql) %}
    {%- do run_query(event_windows._of_format('create', tables.dropped, columns=event_windows._dropped_columns(spec))) -%}
    {%- do event_windows._write_dropped(spec, tables, pending, read) -%}
    {%- set built = [run_query('select count(*) as n from ' ~ tables.windows).rows[0]['n'], 0, 0] -%}
    {%- do event_windows._create_clocks(spec, tables, pending, read) -%}
    {%- do event_windows._publish_all(spec, tables, pending) -%}
    {%- do event_windows._write_ledger(spec, tables, pending, read, built) -%}
    {%- do event_windows._expire(spec, tables, pending) -%}
    {%- if not event_windows._is_pending(tables.windows, pending) %}{{ event_windows._raise_rival(tables.windows) }}{% endif -%}
    {%- do event_windows._finish(tables.windows, pending, event_windows._progress(pending, read)) -%}
    {%- do event_windows._forget(tables, read) -%}
    {%- set windows = built[0] if tables.published == tables.windows else run_query('select count(*) as n from ' ~ tables.published).rows[0]['n'] -%}
    {{- return({'message': read.rows ~ ' rows: ' ~ windows ~ ' windows built', 'windows': windows, 'sql': sql}) -}}
{% endmacro %}


{# A refresh that is about to begin. #}
{% macro _new_pending(full, refresh, advance_to, from=[]) %}
    {{- return({
        'refresh': refresh, 'run_id': invocation_id, 'started_at': run_started_at.isoformat(), 'full': full, 'from': from, 'to': [], 'advance_to': advance_to
    }) -}}
{% endmacro %}
