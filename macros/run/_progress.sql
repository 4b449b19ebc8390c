{#
    What is recorded of a refresh, in the commit that makes it true:

    number, generation, full       which one
    run_id, started_at             of the run that committed it; runs: of the last five, by number
    from, through                  which rows it read
    source                         identity of a source with versions
    advance_to                     where clocks were moved to
    logged, logs                   the number up to which the log of clocks is complete before it; whether it appends
    scopes, clock                  how many clocks, and the latest
    replayed_until                 until when windows that a replay made are in reach
    rows, last                     rows read since the build, less those that went where the source is followed; and in
                                   this refresh
    digest                         a number by which what it read differs from other rows, see _digest_of_slice
    again                          where this refresh read none: what _last_read gives of the one before
    unseen, skipped                rows of the source that were not read; those that this refresh has found
    moved_windows                  how many windows late rows made of stored ones, if any: read again after the commit,
                                   they would make none
    followed                       up to where the source's log was followed: {'table', 'version', 'identity', 'texts',
                                   'meanings'}, see _followed.sql
    rebuilt                        which keys were made anew, see _keys_to_rebuild, how many, and of which rows
    watched                        the table below the relation that is counted, and its rows, see _watched.sql
#}
{% macro _progress(spec, run) %}
    {%- if run.progress %}{{- return(run.progress) -}}{% endif -%}
    {%- set previous = run.previous -%}
    {%- set read = run.read -%}
    {%- set until = [previous.get('replayed_until')] | reject('none') | list -%}
    {%- for one in [read] + ([run.rebuilt.run.read] if run.rebuilt else [])
        if event_windows._trait('doubt_lasts', spec) and one.late_keys and one.latest is not none -%}
        {%- do until.append(one.latest + 2 * event_windows._of_window('reach_back', spec)) -%}
    {%- endfor -%}
    {%- set progress = {
        'number': run.number, 'generation': run.generation, 'full': run.full, 'run_id': run.run_id,
        'started_at': run.started_at, 'runs': previous.get('runs', [])[-4:] + [[run.number, run.run_id]],
        'from': run.from, 'through': run.to,
        'source': run.source if run.source is not none else previous.get('source'), 'advance_to': run.advance_to,
        'logged': event_windows._logged_before(run) if not run.full else none,
        'logs': event_windows._logs_clocks(spec, run), 'scopes': event_windows._scopes_after(run),
        'clock': event_windows._clock_after(run),
        'replayed_until': until | max if until else none,
        'rows': read.there if read.get('there') is not none
            else previous.get('rows', 0) + read.get('arrived', read.rows),
        'last': read.get('arrived', read.rows),
        'unseen': read.unseen, 'watched': read.get('watched')
    } -%}
    {%- set before = event_windows._last_read(previous) if previous and not progress.last else none -%}
    {%- set more = {
        'again': {'from': before.from, 'rows': before.rows + (read.skipped or 0)} if before else none,
        'digest': read.digest, 'skipped': read.skipped, 'moved_windows': read.moved_windows,
        'followed': event_windows._followed_progress(spec, run),
        'rebuilt': event_windows._rebuilt_progress(run)
    } -%}
    {%- for name, value in more.items() if value %}{% do progress.update({name: value}) %}{% endfor -%}
    {{- return(progress) -}}
{% endmacro %}


{#
    By the progress of a refresh, what the next one counts again to find rows below the last number read: {'from', where
    the last refresh that read rows began; 'rows', how many there were up to the last number when that was last looked
    at}.
#}
{% macro _last_read(progress) %}
    {{- return(progress.again or {'from': progress.from, 'rows': progress.last}) -}}
{% endmacro %}


{#
    The record of a refresh as a property, where no row of the table bears it, or none may for long: the one of its
    number, see _progress_names. `more` are properties of the same commit.
#}
{% macro _record_progress(tables, run, progress, more={}) %}
    {%- set names = event_windows._progress_names() -%}
    {%- do event_windows._statement(run, 'progress', event_windows._set_properties(
        tables.windows, dict(more, **{names[progress.number % names | length]: progress})
    )) -%}
{% endmacro %}
