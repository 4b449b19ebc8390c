{#
    What a refresh would find, asked by the statements that it would send to find it. Returns sentences about what
    stands in its way.
#}
{% macro _explain_refresh(spec, tables, record, told) %}
    {%- set progress = record.progress -%}
    {%- set run = event_windows._new_run(
        progress.number + 1, progress.generation, from=progress.through, advance_to=event_windows._advance_to(),
        previous=progress
    ) -%}
    {%- set beside = event_windows._beside_of(spec, tables, record, run) -%}
    {%- set problem = event_windows._set_back(record, beside) -%}
    {%- if not problem and not spec.arrival and not spec.source.empty -%}
        {%- set problem = event_windows._untold_rows(
            spec, run, event_windows._of_format(spec.source.format, 'source_version', spec.relation)
        ) -%}
    {%- endif -%}
    {%- if problem %}{{- return([problem]) -}}{% endif -%}
    {%- if event_windows._is_unfinished(spec, record, beside) -%}
        {%- do told.update({'unfinished': progress.run_id}) -%}
        {%- do told.notes.append('run ' ~ progress.run_id ~ ' has committed, and was killed or is still at work: what '
            ~ 'follows from its commit comes first, over the ' ~ progress.last ~ ' row(s) that it read') -%}
    {%- endif -%}
    {%- set seen = event_windows._set_bounds(spec, run) -%}
    {%- do event_windows._explain_rows(spec, run, told, all=seen.more) -%}
    {%- set most = event_windows._count_var('max_rows_per_refresh') -%}
    {%- do told.update({'refreshes': (told.rows / most) | round(0, 'ceil') | int if seen.more else 1}) -%}
    {%- if (not run.to or run.to == run.from) and (run.advance_to is none or progress.clock is none) -%}
        {%- do told.update({'steps': ['last', 'bounds'], 'refreshes': 0}) -%}
        {%- set unordered = seen.unordered or event_windows._unordered(spec, run, seen) -%}
        {{- return(event_windows._explain_skipped(spec, run, seen, 0, unordered, told)) -}}
    {%- elif load_cached_relation(tables.clocks) is none -%}
        {%- do told.notes.append('how the new rows stand to the windows is not known before that') -%}
        {{- return([]) -}}
    {%- endif -%}
    {%- set read = event_windows._would_read(spec, tables, run) -%}
    {%- do run.update({'read': read}) -%}
    {%- do event_windows._explain_windows(spec, tables, run, told) -%}
    {%- do event_windows._explain_steps(spec, run, told) -%}
    {%- set stops = event_windows._explain_skipped(spec, run, seen, read.rows, read.unordered, told) -%}
    {%- if read.late_keys or event_windows._trait('made_by_function', spec) -%}
        {%- do stops.append(event_windows._unregistered(spec, event_windows._needed_functions(spec))) -%}
    {%- endif -%}
    {{- return(stops | select | list) -}}
{% endmacro %}


{# Rows below the last number, and rows without one: what stops the run, and what it only tells. #}
{% macro _explain_skipped(spec, run, seen, rows, unordered, told) %}
    {%- set skipped = event_windows._count_skipped(run, seen, rows).skipped -%}
    {%- set sentence = event_windows._about_skipped(spec, seen, skipped) -%}
    {%- do told.update({'skipped': skipped}) -%}
    {%- set stops = [event_windows._about_unordered(spec, unordered)] if unordered else [] -%}
    {%- if sentence %}{% do (stops if spec.skipped_rows == 'fail' else told.notes).append(sentence) %}{% endif -%}
    {{- return(stops) -}}
{% endmacro %}


{# New rows, in all and per partition; `all` where the first refresh takes only some of them. #}
{% macro _explain_rows(spec, run, told, all=false) %}
    {%- set to = none if run.full or all else (run.to if run.to != run.from else []) -%}
    {%- if run.full and not spec.arrival -%}
        {%- set now = event_windows._of_format(spec.source.format, 'source_version', spec.relation) -%}
        {%- set to = [[none, now.version]] if not spec.source.empty else [] -%}
    {%- endif -%}
    {%- set arrival = 'arrived.' ~ event_windows._name(spec.arrival) if spec.arrival else 'cast(null as bigint)' -%}
    {%- set sql %}
select
    {{ event_windows._arrival_partition(spec) }} as arrival_partition, count(*) as n,
    min({{ arrival }}) as arrival_from, max({{ arrival }}) as arrival_to,
    cast({{ 'min(arrived.' ~ event_windows._name(spec.arrived_at) ~ ')' if spec.arrived_at else 'null' }} as string)
        as arrived_at
{{ event_windows._arrived_rows(spec, {'from': run.from, 'to': to}) | trim }}
{{ 'group by ' ~ event_windows._arrival_partition(spec) if spec.partition else 'having count(*) > 0' }}
order by arrival_partition
    {%- endset -%}
    {%- set rows, arrived = [], [] -%}
    {%- for row in event_windows._statement(run, 'bounds', sql) -%}
        {%- do rows.append(row['n'] | int) -%}
        {%- if row['arrived_at'] is not none %}{% do arrived.append(row['arrived_at'] | string) %}{% endif -%}
        {%- if spec.arrival -%}
            {%- do told.arrivals.append({
                'partition': row['arrival_partition'], 'rows': row['n'] | int,
                'from': event_windows._number(row['arrival_from']), 'to': event_windows._number(row['arrival_to'])
            }) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do told.update({'rows': rows | sum, 'arrived': arrived | min if arrived else none}) -%}
{% endmacro %}


{# New rows as slices, as CTEs; nothing is cached. #}
{% macro _would_be_slices(spec, run) %}
{%- set nothing = not run.to or run.to == run.from %}
new_rows as (
    {{ event_windows._new_rows(
        spec, {'from': run.from, 'to': [] if nothing else run.to, 'unordered': true}
    ) | trim }}
),

slices as (
    {{ event_windows._slices(spec, tracked=true) | trim }}
)
{% endmacro %}


{# What a refresh would know of its rows. #}
{% macro _would_read(spec, tables, run) %}
    {%- set sql %}
with
{{ event_windows._would_be_slices(spec, run) | trim }}

select * from (
{{ event_windows._summary(spec, dict(tables, slices='slices'), run) | trim }}
) as summary
    {%- endset -%}
    {{- return(event_windows._read_of(spec, run, event_windows._row(run, 'clocks', sql))) -}}
{% endmacro %}


{# Stored windows that can take part, and keys that are looked at for late rows. #}
{% macro _explain_windows(spec, tables, run, told) %}
    {%- set read = run.read -%}
    {%- do told.update({'uncountable': read.uncountable, 'late_keys': 0, 'windows': 0, 'segments': 0}) -%}
    {%- if read.first is none %}{{- return('') -}}{% endif -%}
    {%- set stored = event_windows._stored(spec, tables, run) -%}
    {%- set sql %}
{%- if read.late_keys %}
with
{{ event_windows._would_be_slices(spec, run) | trim }},

clocks_before as (
    {{ event_windows._clocks_before(spec, stored.clocks, near='slices') | trim }}
),

{{ event_windows._late_keys(spec, before=true, stored=stored) | trim }}
{% endif %}
select
    cast(timestamp_micros({{ read.first }}) as string) as oldest_event,
    count(*) as windows, count(distinct _ew_segment) as segments,
    {{ '(select count(*) from late_keys)' if read.late_keys else '0' }} as late_keys
from {{ tables.windows }}
where _ew_segment >= {{ stored.segment_from }}
    {%- endset -%}
    {%- set row = event_windows._row(run, 'windows', sql) -%}
    {%- do told.update({'oldest_event': row['oldest_event'] | string}) -%}
    {%- for name in ['windows', 'segments', 'late_keys'] %}{% do told.update({name: row[name] | int}) %}{% endfor -%}
{% endmacro %}


{# The steps of the refresh, in order. #}
{% macro _explain_steps(spec, run, told) %}
    {%- set read = run.read -%}
    {%- set steps = ['last', 'bounds', 'slices', 'clocks'] -%}
    {%- if not read.rows and not read.moved -%}
        {%- do told.update({'steps': steps + ['end'], 'refreshes': 0}) -%}
        {{- return('') -}}
    {%- endif -%}
    {%- set logs = event_windows._logs_clocks(spec, run) -%}
    {%- set writes = ['dropped_rows'] if read.uncountable
        else (['dropped_rows, if one is late'] if read.late_keys else []) -%}
    {%- do writes.append('windows') -%}
    {%- if logs %}{% do writes.append('clocks') %}{% endif -%}
    {%- if spec.emit == 'final' %}{% do writes.append('publish') %}{% endif -%}
    {%- do writes.append('ledger') -%}
    {%- if spec.leaves_after is not none %}{% do writes.extend(['progress', 'expire', 'progress']) %}{% endif -%}
    {%- if logs and (run.number % 20 == 0 or event_windows._windows_tell_clocks(spec)) -%}
        {%- do writes.append('clocks') -%}
    {%- endif -%}
    {%- do told.update({
        'steps': steps + (['late_rows'] if read.kept else []) + writes + ['end'],
        'commits': told.refreshes * (writes | length)
    }) -%}
{% endmacro %}
