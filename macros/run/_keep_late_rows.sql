{#
    Keeps the late rows of a refresh, if a row could be late or cannot be counted, and tells how many are late: as text
    where they are few, else cached in the session, as the slices are. Should Spark lose them it computes them again
    from the same rows and windows, since the MERGE has not come yet.
#}
{% macro _keep_late_rows(spec, tables, run, few=20000) %}
    {%- if not run.read.kept %}{{- return('') -}}{% endif -%}
    {%- if run.read.classes and run.read.rows <= few -%}
        {%- set row = event_windows._row(run, 'late_rows', event_windows._late_lines(
            event_windows._late_rows_of(spec, tables, run, as_lines=true) | trim
        )) -%}
        {%- do run.read.update({'lines': row['kept']}) -%}
    {%- endif -%}
    {%- if run.read.lines is none -%}
        {%- do event_windows._cache(
            run, 'late_rows', tables.late, event_windows._late_rows_of(spec, tables, run)
        ) -%}
        {%- set row = event_windows._row(
            run, 'late_rows', 'select ' ~ event_windows._late_counts() ~ ' from ' ~ tables.late
        ) -%}
    {%- endif -%}
    {%- do run.read.update({
        'late': row['late'] | int, 'late_partial': row['late_partial'] | int,
        'moved_windows': row['moved_windows'] | int,
        'late_keys': run.read.late_keys and row['lines'] | int > 0
    }) -%}
{% endmacro %}


{# The query behind it. Where no row is ever late only rows that no window can count are wanted, with their clocks. #}
{% macro _late_rows_of(spec, tables, run, as_lines=false) %}
{%- set before = not run.full -%}
{%- set replays = event_windows._late_margin(spec) is not none -%}
{%- set late = {'classes': run.read.classes} -%}
{%- set stored = event_windows._stored(spec, tables, run)
    if before and replays and event_windows._trait('replays_stored', spec) else none %}
with
new_rows as (
    {{ event_windows._new_rows(spec, {'from': run.from, 'to': run.to}) | trim }}
),
{% if stored or not late.classes %}
slices as (
    select * from {{ tables.slices }} where _ew_first is not null
),
{% endif %}
{%- if before %}
clocks_before as (
    {{ event_windows._clocks_before(spec, event_windows._clocks_until(tables, run), near=tables.slices) | trim }}
),
{% endif %}
{%- if not late.classes %}
{{ event_windows._late_keys_of(spec, tables.slices, before, stored) | trim }},
{% endif %}
{%- if stored %}
{{ event_windows._stored_windows(spec, stored) | trim }},
{% endif %}
{{ event_windows._late_steps(
    dict(spec, rows_read=run.read.rows), late, before=before, stored=stored is not none, replays=replays,
    range_width=run.read.range_width
) | trim }}

{{ event_windows._late_rows_to_keep(spec, replayed=replays, as_lines=as_lines) | trim }}
{% endmacro %}
