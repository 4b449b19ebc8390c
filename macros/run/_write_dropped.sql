{#
    Rows that are not counted, before the commit, which changes what they are told from. Those of a run that does not
    commit go with the next refresh.
#}
{% macro _write_dropped(spec, tables, run) %}
    {%- set parts = [] -%}
    {%- for one in [{'spec': spec, 'tables': tables, 'run': run}] + ([run.rebuilt] if run.rebuilt else [])
        if event_windows._drops(one.spec, one.run) -%}
        {%- do parts.append(event_windows._dropped_rows(
            one.spec, event_windows._dropped_own(spec), event_windows._dropped(one.spec, one.tables, one.run)
        )) -%}
    {%- endfor -%}
    {%- do run.read.update({'dropped': parts | length > 0}) -%}
    {%- if parts -%}
        {%- set sql = event_windows._insert_dropped(spec, tables, run, parts) -%}
        {%- do event_windows._statement(run, 'dropped_rows', sql) -%}
    {%- endif -%}
    {%- if run.read.late_keys and not spec.arrival -%}
        {%- do event_windows._count_dropped(tables, run) -%}
        {%- do event_windows._count_moved(spec, tables, run) -%}
    {%- endif -%}
{% endmacro %}


{# Whether a row is not counted in full. #}
{% macro _drops(spec, run) %}
    {{- return(run.read.uncountable or run.read.late or run.read.late_partial
        or (run.read.late_keys and not spec.arrival)) -}}
{% endmacro %}


{# How many rows were late, where no kept relation tells. #}
{% macro _count_dropped(tables, run) %}
    {%- set row = event_windows._row(
        run, 'dropped_rows',
        "select count_if(reason = 'late') as late, count_if(reason = 'late_partial') as late_partial from "
            ~ tables.dropped ~ ' where ' ~ event_windows._is_of_run(run)
    ) -%}
    {%- set rebuilt = event_windows._rebuilt_progress(run) or {'late': 0, 'late_partial': 0} -%}
    {%- do run.read.update({
        'late': row['late'] | int - rebuilt.late, 'late_partial': row['late_partial'] | int - rebuilt.late_partial
    }) -%}
{% endmacro %}


{#
    How many windows late rows make of stored ones, where no kept relation tells, and no row that counts makes the
    commit a MERGE anyway.
#}
{% macro _count_moved(spec, tables, run) %}
    {%- if run.read.late and not event_windows._refreshes_windows(run)
        and event_windows._replay_moves_stored(spec) -%}
        {%- set sql %}
with
{{ event_windows._pipeline(spec, event_windows._flow(spec, tables, run)) | trim }}

select count(*) as moved_windows from changes
        {%- endset -%}
        {%- set row = event_windows._row(run, 'dropped_rows', sql | trim) -%}
        {%- do run.read.update({'moved_windows': row['moved_windows'] | int}) -%}
    {%- endif -%}
{% endmacro %}


{# Whether the commit is a MERGE: windows change, or keys are made anew. #}
{% macro _changes_windows(run) %}
    {{- return(event_windows._refreshes_windows(run) or run.rebuilt is not none) -}}
{% endmacro %}


{#
    Whether new rows change a window: one that is counted at least the window that it is in. Of a late row the window
    behind it may be made, which it is not in (KIP-450), from a stored one.
#}
{% macro _refreshes_windows(run) %}
    {{- return(run.read.rows > run.read.uncountable + run.read.late or run.read.moved_windows > 0) -}}
{% endmacro %}


{# Whether neither new rows nor keys made anew leave a window that bears the record. #}
{% macro _carries(run) %}
    {{- return(run.rebuilt is not none and not event_windows._refreshes_windows(run.rebuilt.run)
        and not event_windows._refreshes_windows(run)) -}}
{% endmacro %}


{#
    Deletes rows under one of the last numbers that are not of the run which committed it, and rows of an older table.
    Who may still commit has a higher number. `found`: how many there are, where that has been asked.
#}
{% macro _drop_uncounted(tables, progress, done, found=none) %}
    {%- set uncounted = event_windows._from_uncounted(tables, progress) -%}
    {%- set found = found if found is not none
        else event_windows._row(done, 'last', 'select count(*) as n ' ~ uncounted)['n'] | int -%}
    {%- if found > 0 %}{% do event_windows._statement(done, 'dropped_rows', 'delete ' ~ uncounted) %}{% endif -%}
{% endmacro %}


{# What follows a SELECT of them. #}
{% macro _from_uncounted(tables, progress) %}
    {{- return('from ' ~ tables.dropped ~ ' where ' ~ event_windows._uncounted_dropped(progress) | join(' or ')) -}}
{% endmacro %}
