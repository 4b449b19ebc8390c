{#
    A refresh: what has arrived since the last one, in as many commits as the var event_windows__max_rows_per_refresh
    makes of it. `done` is what was done, {'progress', 'runs', 'statements', 'more', 'rivalled', 'bare'}, and what is to
    be done with it: {'leave', 'late_again'}, see _reshape, and 'rebuild', the condition of the keys to make anew.
#}
{% macro _refresh(spec, tables, advance_to, done) %}
    {%- for _ in range(10000) if done.more -%}
        {%- set run = event_windows._new_run(
            done.progress.number + 1, done.progress.generation, from=done.progress.through, advance_to=advance_to,
            previous=done.progress, statements=done.statements
        ) -%}
        {%- do run.update({'bare': done.bare}) -%}
        {%- set seen = event_windows._set_bounds(spec, run) -%}
        {%- do event_windows._stop_if(seen.problem) -%}
        {%- do done.update({'more': seen.more}) -%}
        {#- with the rows that a build has not read, which this run has ended, or which had none -#}
        {%- if done.runs | selectattr('full') | list
            or done.progress.rows <= done.runs | map(attribute='read.rows') | sum -%}
            {%- do event_windows._stop_if(event_windows._why_not_cut(spec, seen.more)) -%}
        {%- endif -%}
        {%- set pinned = event_windows._at_followed(spec, run) -%}
        {%- set rest = event_windows._rebuild(pinned, tables, run, done) -%}
        {%- if event_windows._is_anything_new(rest, tables, run, seen) -%}
            {%- do event_windows._keep_late_rows(rest, tables, run) -%}
            {%- do event_windows._write_dropped(rest, tables, run) -%}
            {%- do event_windows._commit(pinned, tables, run) -%}
            {#- the record names the last five runs: of many commits each is to see those of a slow one go -#}
            {%- if done.rivalled or (done.more and done.runs | length % 4 == 3) -%}
                {%- do event_windows._drop_uncounted(tables, event_windows._progress(pinned, run), run) -%}
            {%- endif -%}
            {%- do event_windows._complete(pinned, tables, run) -%}
            {%- do event_windows._tell(pinned, run, done) -%}
        {%- endif -%}
        {%- do event_windows._late_rows_count(spec, tables, done) -%}
    {%- endfor -%}
{% endmacro %}


{# Reads what is new; where nothing is, nothing is written. #}
{% macro _is_anything_new(spec, tables, run, seen) %}
    {%- if not event_windows._may_be_new(spec, run) -%}
        {%- do event_windows._stop_if(event_windows._about_unordered(
            spec, event_windows._unordered(spec, run, seen)
        )) -%}
        {%- do event_windows._tell_skipped(spec, run, seen, 0) -%}
        {{- return(false) -}}
    {%- endif -%}
    {%- do event_windows._read_rows(spec, tables, run, seen) -%}
    {%- do event_windows._tell_skipped(spec, run, seen, event_windows._arrived(spec, run)) -%}
    {%- set anything = event_windows._was_new(spec, run) -%}
    {%- if not anything %}{% do event_windows._forget(run) %}{% endif -%}
    {{- return(anything) -}}
{% endmacro %}


{# Whether there is anything to read or to record, by the bounds. #}
{% macro _may_be_new(spec, run) %}
    {%- set moves = run.advance_to is not none and run.previous.clock is not none -%}
    {{- return((run.to | length > 0 and run.to != run.from) or moves or run.rebuilt is not none
        or event_windows._moves_on(spec, run)) -}}
{% endmacro %}


{# The same by what was read. #}
{% macro _was_new(spec, run) %}
    {{- return(run.read.rows > 0 or run.read.moved > 0 or run.rebuilt is not none
        or event_windows._moves_on(spec, run)) -}}
{% endmacro %}


{#
    How many rows arrived between the bounds: read here, or with all others of a key that is made anew. Where the
    source's log is followed the rows that were read are then those that are there now.
#}
{% macro _arrived(spec, run) %}
    {%- if run.rebuilt -%}
        {%- set new = 'select count(*) as n '
            ~ event_windows._arrived_rows(spec, event_windows._new_bounds(run)) | trim -%}
        {%- set there = 'select count(*) as n ' ~ event_windows._arrived_rows(spec, {'from': [], 'to': run.to}) | trim
            if spec.arrival and event_windows._follows(spec) else 'null' -%}
        {%- set row = event_windows._row(
            run, 'bounds', 'select (' ~ new ~ ') as new, (' ~ there ~ ') as there'
        ) -%}
        {%- do run.read.update({'arrived': row['new'] | int, 'there': event_windows._number(row['there'])}) -%}
    {%- endif -%}
    {{- return(run.read.get('arrived', run.read.rows)) -}}
{% endmacro %}


{# What was done so far, for dbt's line about the model; said at once where more is to come. #}
{% macro _tell(spec, run, done) %}
    {%- do done.runs.append(run) -%}
    {%- do done.update({'progress': event_windows._progress(spec, run), 'bare': run.bare}) -%}
    {%- if done.more %}{% do event_windows._say(event_windows._message(run) ~ ', more to come') %}{% endif -%}
{% endmacro %}


{# What dbt prints for the model. #}
{% macro _message(run) %}
    {%- set read, merged = run.read, run.merged -%}
    {%- set late = read.late + read.late_partial -%}
    {%- set windows = merged.inserted ~ ' windows built' if run.full
        else merged.inserted ~ ' windows inserted, ' ~ merged.updated ~ ' updated, ' ~ merged.deleted ~ ' deleted' -%}
    {{- return(read.rows ~ ' rows'
        ~ (', ' ~ run.rebuilt.what['keys'] ~ ' keys made anew' if run.rebuilt) ~ (', ' ~ late ~ ' late' if late)
        ~ (', ' ~ read.skipped ~ ' skipped' if read.skipped) ~ ': ' ~ windows) -}}
{% endmacro %}


{# Of all runs of this command: {'message', 'windows'}. #}
{% macro _outcome(done) %}
    {%- set messages, windows = [], [] -%}
    {%- for run in done.runs -%}
        {%- do messages.append(event_windows._message(run)) -%}
        {%- do windows.append(run.merged.inserted + run.merged.updated + run.merged.deleted) -%}
    {%- endfor -%}
    {{- return({'message': messages | join('; ') or 'nothing new', 'windows': windows | sum}) -}}
{% endmacro %}
