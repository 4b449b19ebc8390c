{#
    Reads the new rows, once: their slices are cached, and one query over them and the stored clocks tells what the rest
    of the refresh must know. Few rows are put into few partitions, since every step over them costs a task for each.

    rows, uncountable, without_key     rows read; those that no window can count; of these, rows without a key
    unordered                          rows read without a number in the arrival order
    first, latest                      the oldest and the newest event time, microseconds
    arrival_from, arrival_to           the least and the greatest number in the arrival order
    digest                             a number by which their slices differ from those of other rows
    clock, scopes, moved               the latest clock, how many there are, how many move
    late_keys                          whether a row could be late at all
    asks                               whether that has to be asked of slices and stored windows, see _asks_late_keys
    kept                               whether late rows have to be kept, see _keep_late_rows
    classes                            of late keys, as a list, if they are not too many
    range_width                        see _clocked_rows
    late, late_partial                 how many rows were, filled in later
    moved_windows                      how many windows late rows make of stored ones, though no row need be in them,
                                       filled in later; without an arrival order only where no row is counted
    lines                              what became of late rows, as text, if they are few, filled in later

    From others:

    skipped, unseen, watched           rows noticed that came below the last number, see _tell_skipped
    arrived, there                     where keys are made anew, see _arrived
    dropped                            whether dropped rows were written, see _write_dropped
#}
{% macro _read_rows(spec, tables, run, seen) %}
    {%- set tasks = seen.rows // 250000 + 1 if seen.rows is not none else none -%}
    {%- set rows -%}
(
    {{ event_windows._new_rows(spec, dict(event_windows._new_bounds(run), unordered=true)) | trim }}
) as new_rows
    {%- endset -%}
    {%- do event_windows._cache(
        run, 'slices', tables.slices, event_windows._slices(spec, rows, tracked=true, tasks=tasks)
    ) -%}
    {%- set read = event_windows._read_of(
        spec, run, event_windows._row(run, 'clocks', event_windows._summary(
            spec, tables.slices, event_windows._clocks_until(tables, run), run.advance_to
        ))
    ) -%}
    {%- do event_windows._stop_if(event_windows._ends_by(
        run, event_windows._about_unordered(spec, read.unordered)
    )) -%}
    {%- do run.update({'read': read}) -%}
    {%- if read.asks %}{% do event_windows._name_late_keys(spec, tables, run) %}{% endif -%}
    {#- a build, whose number is that of its table, looks for them before all else -#}
    {%- if (run.resumed or run.number != run.generation)
        and (read.late_keys or event_windows._trait('made_by_function', spec)) -%}
        {%- set needed = event_windows._needed_functions(spec) -%}
        {%- do event_windows._refuse([event_windows._ends_by(
            run, event_windows._unregistered(spec, needed) if needed else none
        )]) -%}
    {%- endif -%}
{% endmacro %}


{# What the row of _summary says. #}
{% macro _read_of(spec, run, row) %}
    {%- set read = {'late': 0, 'late_partial': 0, 'moved_windows': 0, 'skipped': 0, 'lines': none} -%}
    {%- for name in [
        'rows', 'uncountable', 'without_key', 'unordered', 'first', 'latest', 'arrival_from', 'arrival_to', 'moved',
        'digest'
    ] -%}
        {%- do read.update({name: event_windows._number(row['read_' ~ name])}) -%}
    {%- endfor -%}
    {%- set previous = run.previous -%}
    {%- set clocks = [previous.get('clock'), event_windows._number(row['clock'])] | reject('none') | list -%}
    {%- set lasting = spec.arrival is not none and previous.get('replayed_until') is not none
        and read.first is not none and read.first <= previous.replayed_until -%}
    {%- set spread = row['late_scopes'] | int > 0 -%}
    {%- do read.update({'late_keys': spread or lasting}) -%}
    {{- return(dict(
        read, clock=clocks | max if clocks else none,
        asks=lasting or (spread and event_windows._asks_late_keys(spec, run, read.rows)),
        scopes=previous.get('scopes', 0) + event_windows._number(row['new_scopes']),
        kept=event_windows._keeps_rows(spec, read),
        range_width=event_windows._range_width(read), classes=event_windows._listed_classes(row['classes'])
    )) -}}
{% endmacro %}


{# Whether rows have to be kept that may be late, or that no window can count though they have a key. #}
{% macro _keeps_rows(spec, read) %}
    {{- return(spec.arrival is not none and (read.late_keys or read.uncountable > read.without_key)) -}}
{% endmacro %}


{#
    Whether late keys are asked for, beside the summary, which only says of a key that its new rows lie further apart
    than the grace: of many rows, such as those of a catch-up, that is so of nearly every key, and to replay them all
    takes long, or more memory than there is. A build has asked already, and one that goes on after a commit has no use
    for it.
#}
{% macro _asks_late_keys(spec, run, rows, few=1000) %}
    {{- return(not run.full and not run.resumed and spec.arrival is not none and rows > few
        and event_windows._late_margin(spec) != 'always') -}}
{% endmacro %}


{# Asks for late keys where the summary could not tell them: where doubt lasts, stored windows say so too. #}
{% macro _name_late_keys(spec, tables, run) %}
    {%- set sql = event_windows._classes_of_late_keys(spec, tables.slices, event_windows._stored(spec, tables, run)) -%}
    {%- set classes = event_windows._listed_classes(event_windows._row(run, 'late_keys', sql)['classes']) -%}
    {%- do run.read.update({'classes': classes}) -%}
    {%- if classes == '' %}{% do run.read.update({'late_keys': false, 'kept': false}) %}{% endif -%}
{% endmacro %}


{# About 50,000 rows a range of arrivals, however sparse the numbers are. #}
{% macro _range_width(read) %}
    {%- if read.arrival_from is none %}{{- return(65536) -}}{% endif -%}
    {{- return([(read.arrival_to - read.arrival_from + 1) // ([read.rows // 50000, 1] | max), 1] | max) -}}
{% endmacro %}
