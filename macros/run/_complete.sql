{#
    What a refresh does after its MERGE, which was the commit; a build after it has created its windows. Whoever
    finishes an interrupted one does the same: each step looks for its own number first where a second time would show
    (`again`).
#}
{% macro _complete(spec, tables, run) %}
    {%- set again = run.resumed -%}
    {%- do event_windows._statement(run, 'clocks', event_windows._append_clocks(spec, tables, run)) -%}
    {%- if run.full -%}
        {%- do event_windows._statement(
            run, 'clocks', event_windows._create_stream_time(spec, tables, run.generation)
        ) -%}
        {%- do event_windows._publish_all(spec, tables, run) -%}
        {%- do event_windows._show(spec, tables, run) -%}
    {%- else -%}
        {%- do event_windows._publish(spec, tables, run, again) -%}
    {%- endif -%}
    {%- do event_windows._statement(run, 'ledger', event_windows._insert_into_ledger(spec, tables, run, again)) -%}
    {%- do event_windows._expire(spec, tables, run) -%}
    {%- do event_windows._end(spec, tables, run) -%}
{% endmacro %}


{#
    Ends a refresh: its progress is written, and what was only needed until then goes. Progress of refreshes before the
    last, which nobody reads any more, is taken away now and then: each change of the properties is a commit.
#}
{% macro _end(spec, tables, run) %}
    {%- set old = [] -%}
    {%- for ended in run.ended if ended.number < run.number -%}
        {%- do old.append(event_windows._progress_name(ended.number)) -%}
    {%- endfor -%}
    {%- do event_windows._statement(run, 'progress', event_windows._of_format(
        spec.file_format, 'set_properties', tables.windows,
        {event_windows._progress_name(run.number): event_windows._progress(spec, run, old | length)}
    )) -%}
    {%- if old | length >= 20 -%}
        {%- do event_windows._statement(
            run, 'progress', event_windows._of_format(spec.file_format, 'unset_properties', tables.windows, old)
        ) -%}
        {%- if not run.full -%}
            {%- do event_windows._statement(run, 'clocks', event_windows._compact_clocks(spec, tables, run)) -%}
        {%- endif -%}
    {%- endif -%}
    {#- the intent last: it names what the run kept, should it be killed here -#}
    {%- do event_windows._forget(spec, tables, run) -%}
    {%- do event_windows._drop_intent(tables, run) -%}
{% endmacro %}


{#
    What is recorded of a refresh that has ended:

    number, generation, run_id     which one
    through, from                  how far it read, and from where
    source                         identity of a source with versions
    version                        of the table after the MERGE, where the format needs it
    scopes, clock                  how many clocks, and the latest
    replayed_until                 until when windows that a replay made are in reach
    rows, last                     rows read since the build, and in it
    unseen                         rows of the source that were not read
    watched                        the table below the relation that is counted, and its rows, see _watched.sql
    left                           tables in which this run, and those that it took over, kept late rows
#}
{% macro _progress(spec, run, ended) %}
    {%- set previous = run.previous if run.previous and not run.full else {} -%}
    {%- set read = run.read -%}
    {%- set lasts = event_windows._trait('doubt_lasts', spec) and read.late_keys and read.latest is not none -%}
    {%- set until = [
        previous.get('replayed_until'),
        read.latest + 2 * event_windows._of_window('reach_back', spec) if lasts else none
    ] | reject('none') | list -%}
    {{- return({
        'number': run.number, 'generation': run.generation, 'run_id': run.run_id, 'from': run.from, 'through': run.to,
        'source': run.source if run.source is not none else previous.get('source'),
        'version': run.merged.version or previous.get('version'), 'scopes': read.scopes, 'clock': read.clock,
        'replayed_until': until | max if until else none,
        'rows': previous.get('rows', 0) + read.rows, 'last': read.rows, 'unseen': read.unseen,
        'watched': read.get('watched'),
        'left': run.left + ([run.late] if read.kept else [])
    }) -}}
{% endmacro %}
