{#
    Rows that came below the last number read, which no refresh will read: a transaction that committed late, a topic
    that began again. A source that is counted, itself or the table below it (_watched.sql), has more rows than were
    read; of any other the rows of the last refresh that read some are counted again. `skipped_rows` says whether to go
    on; a run that makes keys anew by hand does, since that is what counts them.
#}
{% macro _tell_skipped(spec, run, seen, rows) %}
    {%- set counted = event_windows._count_skipped(spec, run, seen, rows) -%}
    {%- if run.read -%}
        {%- do run.read.update({'skipped': counted.skipped, 'unseen': counted.unseen, 'watched': seen.watched}) -%}
        {%- if counted.gone and not run.rebuilt %}{% do event_windows._say(event_windows._about_gone(counted.gone)) %}
        {%- endif -%}
    {%- endif -%}
    {%- set sentence = event_windows._about_skipped(spec, run, seen, counted.skipped) -%}
    {%- if sentence -%}
        {%- if event_windows._stops_at_skipped(spec, run) -%}
            {%- do event_windows._stop_if(event_windows._ends_by(run, sentence)) -%}
        {%- endif -%}
        {%- do event_windows._warn_if(sentence) -%}
    {%- endif -%}
{% endmacro %}


{#
    Beside so many rows that are read: {'skipped': new rows that no refresh will read, 'unseen': all of them so far,
    'gone': rows that were read and are not there any more}. None where the source's log told which keys have them.
#}
{% macro _count_skipped(spec, run, seen, rows) %}
    {%- if event_windows._follows(spec) %}{{- return({'skipped': 0, 'unseen': 0, 'gone': 0}) -}}{% endif -%}
    {%- set previous = run.previous -%}
    {%- set unseen = previous.get('unseen', 0) or 0 -%}
    {%- set skipped, gone = 0, 0 -%}
    {%- set all = seen.total is not none and not seen.more -%}
    {%- set unread = seen.total - rows if all else seen.unread -%}
    {%- if unread is not none -%}
        {%- set more = event_windows._unseen_more(previous, unread) -%}
        {#- one that committed when all had been counted may be among those that were read, and none be gone -#}
        {%- if more < 0 and all and rows -%}
            {%- set to = run.to[0][1] -%}
            {%- set table = {'table': spec.relation, 'column': event_windows._name(spec.arrival)} -%}
            {%- set more = event_windows._unseen_more(
                previous, event_windows._count_up_to(run, table, [to])[to] - rows
            ) -%}
        {%- endif -%}
        {%- set skipped = [more, 0] | max if previous else 0 -%}
        {%- set gone = [-more, 0] | max if previous else 0 -%}
        {%- set unseen = unseen + more -%}
    {%- elif seen.again is not none -%}
        {%- set skipped = [seen.again - event_windows._last_read(previous).rows, 0] | max -%}
    {%- endif -%}
    {{- return({'skipped': skipped, 'unseen': unseen, 'gone': gone}) -}}
{% endmacro %}


{# Rows that the count of the source's table shows for nothing: what was updated it does not. #}
{% macro _about_gone(gone) %}
    {{- return(gone ~ " row(s) that were read are gone from the source, and stay counted: source_changes='retract' "
        ~ 'makes their keys anew, and so does the var event_windows__rebuild') -}}
{% endmacro %}


{# A sentence about them; none where there is none, and no number went back. #}
{% macro _about_skipped(spec, run, seen, skipped) %}
    {%- set what = [] -%}
    {%- for partition, from, to in seen.back if not event_windows._follows(spec) -%}
        {%- do what.append('its numbers' ~ (' of partition ' ~ partition if partition is not none) ~ ' went back from '
            ~ from ~ ' to ' ~ to ~ ' (was the source created again, or the topic?)') -%}
    {%- endfor -%}
    {%- if skipped -%}
        {#- of what may join tables it is not known in which of them a row came -#}
        {%- do what.append(skipped ~ ' row(s) came with a number that is not above the last one read'
            ~ (', by themselves or by what is joined' if not spec.source and seen.unread is none and (
                spec.relation is not string or 'join' in event_windows._compared_words(spec.relation)
            ))) -%}
    {%- endif -%}
    {%- set effect = ', of which this run counts those whose keys it makes anew: run with --full-refresh to count the '
        ~ 'others' if event_windows._rebuilds_by_hand(run)
        else ', so that no refresh reads them: run with --full-refresh to count them' -%}
    {{- return(none if not what else (
        "arrival_order column '" ~ spec.arrival ~ "': " ~ what | join(' and ') ~ effect
            ~ ', or give the var event_windows__rebuild a condition for their keys; and let numbers be given in the '
            ~ 'order of commits'
    )) -}}
{% endmacro %}


{% macro _stops_at_skipped(spec, run) %}
    {{- return(spec.skipped_rows == 'fail' and not event_windows._rebuilds_by_hand(run)) -}}
{% endmacro %}


{# Whether keys are made anew that the var event_windows__rebuild names. #}
{% macro _rebuilds_by_hand(run) %}
    {{- return(run.rebuilt is not none and run.rebuilt.what.where is not none) -}}
{% endmacro %}


{# Of so many rows of the source, how many more than before were never read. #}
{% macro _unseen_more(previous, rows) %}
    {{- return(rows - previous.get('rows', 0) - (previous.get('unseen', 0) or 0)) -}}
{% endmacro %}


{# Rows without a number, where nothing else is new: of a source that is counted, if it has more rows than were read. #}
{% macro _unordered(spec, run, seen) %}
    {%- if seen.unordered %}{{- return(seen.unordered) -}}{% endif -%}
    {%- if seen.total is none or event_windows._unseen_more(run.previous, seen.total) <= 0 -%}
        {{- return(0) -}}
    {%- endif -%}
    {%- set sql = 'select count(*) as n from ' ~ spec.relation ~ ' as arrived where arrived.'
        ~ event_windows._name(spec.arrival) ~ ' is null' -%}
    {{- return(event_windows._row(run, 'bounds', sql)['n'] | int) -}}
{% endmacro %}


{# A sentence about so many of them; none where there are none. #}
{% macro _about_unordered(spec, unordered) %}
    {{- return("arrival_order column '" ~ spec.arrival ~ "' is null in " ~ unordered ~ ' row(s), so that nothing says '
        ~ 'when they came in: fill it in or filter them out in the relation' if unordered else none) -}}
{% endmacro %}
