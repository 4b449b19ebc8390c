{#
    Finishes what another run began, dead or slow: a build whose table is there, or the refresh after the last that
    ended, also where a build had taken that over and did not come to replace the table. Any other intent is of a table
    that is no more, or of a refresh that ended without taking its away.
#}
{% macro _finish_interrupted(spec, tables, record, done) %}
    {%- set found = event_windows._read_intent(tables) -%}
    {%- set due = record.progress.number + 1 if record.progress else record.generation -%}
    {%- set begun = [] -%}
    {%- for intent in [found, found.over if found else none]
        if intent and intent.number == due and intent.generation == record.generation -%}
        {%- do begun.append(intent) -%}
    {%- endfor -%}
    {%- if found and not begun %}{% do event_windows._give_up(spec, tables, record, found, done) %}{% endif -%}
    {%- if record.progress and not begun %}{{- return('') -}}{% endif -%}
    {%- set theirs = begun | first if begun else record.build -%}
    {%- set run = event_windows._resumed_run(theirs, record.progress, done.statements) -%}
    {{ log("event_windows: model '" ~ model.name ~ "': finishing what run " ~ run.run_id ~ ' began', info=true) }}
    {%- do event_windows._take_over(spec, tables, run) -%}
    {%- for intent in [found, theirs] | select | unique(attribute='late') -%}
        {%- do event_windows._drop_kept(spec, tables, run, intent) -%}
    {%- endfor -%}
    {%- do run.update({'ended': record.ended, 'left': (found or theirs).late}) -%}
    {%- do event_windows._read_rows(spec, tables, run, {'rows': none}) -%}
    {%- do run.read.update({'unseen': run.previous.unseen if run.previous else 0}) -%}
    {%- if run.full -%}
        {%- do event_windows._keep_late_rows(spec, tables, run) -%}
        {%- do event_windows._write_build(spec, tables, run) -%}
    {%- else -%}
        {%- do event_windows._write_refresh(spec, tables, run) -%}
    {%- endif -%}
    {%- do event_windows._tell(spec, run, done) -%}
{% endmacro %}


{#
    Late rows that a run has kept for itself are dropped by whoever takes it over. Their table may still have been under
    way then: so its name is in the progress of the refresh, and later runs look whether it has come.
#}
{% macro _drop_left(spec, tables, record, done) %}
    {%- for ended in (record.ended if record else []) if ended.left -%}
        {%- if load_cached_relation(tables.late.incorporate(path={'identifier': ended.left})) is not none -%}
            {%- do event_windows._drop_kept(spec, tables, done, {'late': ended.left}) -%}
        {%- endif -%}
    {%- endfor -%}
{% endmacro %}


{# An intent that nobody has to finish. What its writer put among the dropped rows of another table goes with it. #}
{% macro _give_up(spec, tables, record, intent, done) %}
    {%- set run = {'statements': done.statements} -%}
    {%- if intent.number > record.generation and intent.full and record.progress -%}
        {#- a build that did not come to replace the table: its writer may be about to, and then it fails -#}
        {%- do event_windows._take_over(
            spec, tables, event_windows._resumed_run(intent, none, done.statements)
        ) -%}
    {%- elif intent.generation < record.generation and load_cached_relation(tables.dropped) is not none -%}
        {%- do event_windows._statement(
            run, 'dropped_rows', 'delete from ' ~ tables.dropped ~ ' where _ew_refresh = ' ~ intent.number
        ) -%}
    {%- endif -%}
    {%- do event_windows._drop_kept(spec, tables, run, intent) -%}
    {%- do event_windows._drop_intent(tables, run) -%}
{% endmacro %}
