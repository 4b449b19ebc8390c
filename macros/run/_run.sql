{#
    What one refresh or build knows of itself, as it goes from step to step:

    number, generation  see macros/tables/_record.sql
    full                a build
    run_id, started_at  of the run that began it
    from, to            bounds of the rows that it reads
    advance_to          microseconds or none
    late                the table in which it keeps late rows
    source              identity of a source with versions
    ended               progress of refreshes that the table records
    read                what the rows say, see _read_rows
    merged              what the MERGE did
    statements          all that were sent, in order
    resumed             begun by a run that was killed, or is slow
    over                of a build: the intent of a refresh that it took over, which is due again if the build is killed
                        before it replaces the table
    left                tables in which runs that were taken over kept late rows
#}
{% macro _new_run(number, generation, full=false, from=[], advance_to=none, previous=none, statements=none) %}
    {{- return({
        'number': number, 'generation': generation, 'full': full, 'run_id': invocation_id,
        'started_at': run_started_at.isoformat(), 'from': from, 'to': [], 'advance_to': advance_to,
        'previous': previous, 'resumed': false, 'late': none, 'over': none, 'left': [], 'source': none, 'ended': [],
        'statements': statements if statements is not none else [],
        'read': none, 'merged': {'inserted': 0, 'updated': 0, 'deleted': 0, 'version': none}
    }) -}}
{% endmacro %}


{# What of it is written down, so that any run can finish it with the same rows. #}
{% macro _intent_of(run) %}
    {%- set intent = {} -%}
    {%- for name in [
        'number', 'generation', 'full', 'run_id', 'started_at', 'from', 'to', 'source', 'advance_to', 'late', 'left'
    ] -%}
        {%- do intent.update({name: run[name]}) -%}
    {%- endfor -%}
    {{- return(intent) -}}
{% endmacro %}


{# A run that goes on with what another wrote down. #}
{% macro _resumed_run(intent, previous, statements) %}
    {%- set run = event_windows._new_run(intent.number, intent.generation, previous=previous, statements=statements) -%}
    {%- do run.update(intent) -%}
    {%- do run.update({'resumed': true}) -%}
    {{- return(run) -}}
{% endmacro %}
