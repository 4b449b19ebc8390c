{#
    Finishes what another run began, dead or slow: a build whose table is there, or the refresh after the last that
    ended, also where a build had taken that over and did not come to replace the table. What else is due is a build
    that is given up.
#}
{% macro _finish_interrupted(spec, tables, record, done) %}
    {%- set found = event_windows._read_intent(tables) -%}
    {%- set due = record.progress.number + 1 if record.progress else record.generation -%}
    {%- set begun = [] -%}
    {%- for intent in [found, found.over if found else none]
        if intent and intent.number == due and intent.generation == record.generation -%}
        {%- do begun.append(intent) -%}
    {%- endfor -%}
    {%- if record.progress and not begun -%}
        {%- if found %}{% do event_windows._give_up(spec, tables, found, done) %}{% endif -%}
        {{- return('') -}}
    {%- endif -%}
    {%- set theirs = begun | first if begun else record.build -%}
    {%- set run = event_windows._resumed_run(theirs, record.progress, done.statements) -%}
    {{ log("event_windows: model '" ~ model.name ~ "': finishing what run " ~ run.run_id ~ ' began', info=true) }}
    {%- do run.update({'ended': record.ended}) -%}
    {%- do event_windows._take_over(spec, tables, run, found, made=theirs) -%}
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
    What refreshes that have ended may have left: the intent of one that was killed right then, and late rows. Those of
    a run that was taken over may still have been under way, and have come since. Their names are in the progress.
#}
{% macro _drop_left(spec, tables, record, done) %}
    {%- for ended in (record.ended if record else []) -%}
        {%- set slot = record.build.slot if ended.number == record.generation else ended.number -%}
        {%- set intent = event_windows._intent_at(tables, slot) -%}
        {%- if load_cached_relation(intent) is not none -%}
            {%- do event_windows._statement(done, 'begin', 'drop view if exists ' ~ intent) -%}
        {%- endif -%}
        {%- do event_windows._drop_kept(spec, tables, done, ended.left or []) -%}
    {%- endfor -%}
{% endmacro %}


{# A build that did not come to replace the table: its writer may be about to, and then it fails. #}
{% macro _give_up(spec, tables, intent, done) %}
    {%- set run = event_windows._resumed_run(intent, none, done.statements) -%}
    {%- do event_windows._take_over(spec, tables, run, intent) -%}
    {%- do event_windows._drop_intent(tables, run) -%}
{% endmacro %}
