{#
    What one refresh or build knows of itself, as it goes from step to step:

    number, generation  see macros/tables/_record.sql
    full                a build
    run_id, started_at  of the run that began it
    from, to            bounds of the rows that it reads
    advance_to          microseconds or none
    source              identity of a source with versions
    previous            progress of the refresh before it; empty of a build, and of a run that is resumed
    bare                whether no row of the table bears that; after its commit, whether none bears its own
    rebuilt             keys that it makes anew, see _rebuild
    followed            up to where the source's log was followed, see _followed
    views               what it has cached in the session, and drops in the end
    read                what the rows say, see _read_rows
    merged              what the MERGE did
    statements          all that were sent, in order
    progress            of a run that is resumed: what its commit recorded
    resumed             committed by a run that was killed, or is slow: what follows from the commit is done again
    clocked             of such a run, whether the log has its clocks already
#}
{% macro _new_run(number, generation, full=false, from=[], advance_to=none, previous={}, statements=none) %}
    {{- return({
        'number': number, 'generation': generation, 'full': full, 'run_id': invocation_id,
        'started_at': run_started_at.isoformat(), 'from': from, 'to': [], 'advance_to': advance_to,
        'previous': previous, 'bare': false, 'progress': none, 'resumed': false, 'clocked': false,
        'source': none, 'rebuilt': none, 'followed': none,
        'statements': statements if statements is not none else [], 'views': [], 'read': none,
        'merged': {'inserted': 0, 'updated': 0, 'deleted': 0}
    }) -}}
{% endmacro %}


{# Between which bounds the rows lie that are new to a run; where none is they are of no row. #}
{% macro _new_bounds(run) %}
    {{- return({'from': run.from, 'to': run.to if run.to != run.from else []}) -}}
{% endmacro %}


{# A run over the same rows as one that has committed. #}
{% macro _resumed_run(progress, statements) %}
    {%- set run = event_windows._new_run(
        progress.number, progress.generation, progress.full, progress.from, progress.advance_to, statements=statements
    ) -%}
    {%- do run.update({
        'run_id': progress.run_id, 'started_at': progress.started_at, 'to': progress.through,
        'source': progress.source, 'progress': progress, 'resumed': true
    }) -%}
    {{- return(run) -}}
{% endmacro %}
