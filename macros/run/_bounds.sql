{#
    How far a refresh goes, fixed before it reads: every later step sees the same rows, also if more arrive meanwhile
    and Spark computes something anew. Sets run.to, a list of [partition, arrival], or [[none, version]] where there is
    no arrival order; returns what it saw:

    rows       about how many new rows this refresh reads; none where it is not known. With `total` at least so many,
               since rows that went from the source were taken off
    total      how many the source has; none where it was not counted
    again      of the rows of the last refresh that read some, how many there are now
    more       whether rows beyond `to` wait for the next refresh
    back       partitions whose numbers went back
    unordered  rows without a number, where they were looked for
    unread     rows up to the last number read, before this refresh; none where they were not counted
    watched    the table below that is counted, see _watched_table, with its rows up to `to`
    problem    what is to stop the run; none if nothing is
#}
{% macro _set_bounds(spec, run) %}
    {%- set seen = {'rows': none, 'total': none, 'again': none, 'more': false, 'back': [], 'unordered': 0,
        'unread': none, 'watched': none, 'problem': none} -%}
    {%- if not spec.arrival -%}
        {#- of a source that dbt shows no rows of nothing is new -#}
        {%- if not spec.source.empty %}{% do event_windows._version_bounds(spec, run) %}{% endif -%}
    {%- elif spec.source and not spec.source.empty and not spec.partition -%}
        {#- both formats have these in the metadata of a table -#}
        {%- set row = event_windows._row(
            run, 'bounds',
            'select max(' ~ event_windows._name(spec.arrival) ~ ') as arrival_to, count(*) as total from '
                ~ spec.relation
        ) -%}
        {%- set from = run.from[0][1] if run.from else none -%}
        {%- set to = event_windows._number(row['arrival_to']) -%}
        {%- do seen.update({
            'total': row['total'] | int,
            'rows': [row['total'] | int - run.previous.get('rows', 0), 0] | max
        }) -%}
        {%- if to is not none and (from is none or to > from) -%}
            {%- do run.update({'to': [[none, to]]}) -%}
        {%- elif from is not none and to is not none and to < from -%}
            {%- do seen.back.append([none, from, to]) -%}
        {%- endif -%}
    {%- else -%}
        {%- do event_windows._arrival_bounds(spec, run, seen) -%}
    {%- endif -%}
    {%- do seen.update({'problem': seen.problem or event_windows._bounds_problem(spec, run)}) -%}
    {%- set most = event_windows._count_var('max_rows_per_refresh') -%}
    {%- if most is not none and spec.arrival and run.to and not seen.problem
        and (seen.total is not none or seen.rows > most) -%}
        {%- do event_windows._cut_bounds(spec, run, seen, most) -%}
    {%- endif -%}
    {#- clocks are moved after all new rows: those of the next commit would be late -#}
    {%- if seen.more %}{% do run.update({'advance_to': none}) %}{% endif -%}
    {#- a partition without new rows keeps its place -#}
    {%- set moved = run.to | map('first') | list -%}
    {%- do run.update({'to': run.to + (run.from | rejectattr(0, 'in', moved) | list)}) -%}
    {%- do event_windows._watch(spec, run, seen) -%}
    {%- if event_windows._recounts_build(spec, run, seen) -%}
        {%- do seen.update({'again': event_windows._count_read(spec, run)}) -%}
    {%- endif -%}
    {%- set unfollowed = event_windows._follow_source(spec, run) -%}
    {%- do seen.update({'problem': seen.problem or unfollowed}) -%}
    {{- return(seen) -}}
{% endmacro %}


{#
    The last new arrival of each partition that has new rows, and how many rows the last refresh would read now. Reads
    the rows of this refresh and of the last one that read some, and with `partition` whatever numbers Spark cannot
    skip.
#}
{% macro _arrival_bounds(spec, run, seen) %}
    {%- set arrival = 'arrived.' ~ event_windows._name(spec.arrival) -%}
    {%- set partition = event_windows._arrival_partition(spec) -%}
    {%- set before = event_windows._last_read(run.previous) if run.previous else {'from': [], 'rows': 0} -%}
    {#- a partition that is not among before.from was new to the last refresh, which read all of it -#}
    {%- set sql %}
select
    {{ partition }} as arrival_partition,
    max({{ arrival }}) as arrival_to,
    {%- if run.from %}
    {%- set last = 'seen._ew_arrival' if spec.partition else run.from[0][1] %}
    count_if({{ arrival }} > {{ last }}{{ ' or ' ~ last ~ ' is null' if spec.partition }}) as new_rows,
    count_if({{ arrival }} <= {{ last }}) as again,
    {%- else %}
    count(*) as new_rows, 0 as again,
    {%- endif %}
    {%- if spec.partition %}
    count_if(not is_valid_utf8({{ partition }})) as unreadable,
    {%- endif %}
    count_if({{ arrival }} is null) as unordered
from {{ spec.relation }} as arrived
{%- if spec.partition %}
{{ event_windows._join_arrivals('seen', run.from, partition) }}
{{ event_windows._join_arrivals('before', before.from, partition) }}
{%- endif %}
{%- if run.from %}
{%- set earlier = (before.from or run.from)[0][1] if not spec.partition
    else 'before._ew_arrival' if before.from else 'seen._ew_arrival' %}
where {{ arrival }} > {{ earlier }}{{ ' or ' ~ earlier ~ ' is null' if spec.partition }} or {{ arrival }} is null
{%- endif %}
{{ 'group by ' ~ partition if spec.partition else 'having count(*) > 0' }}
order by arrival_partition
    {%- endset -%}
    {%- set to = [] -%}
    {%- set counted = namespace(rows=0, again=0, unordered=0) -%}
    {%- for row in event_windows._statement(run, 'bounds', sql) -%}
        {%- set counted.again = counted.again + row['again'] | int -%}
        {%- set counted.unordered = counted.unordered + row['unordered'] | int -%}
        {%- if row['new_rows'] | int > 0 -%}
            {%- set counted.rows = counted.rows + row['new_rows'] | int -%}
            {%- do to.append([row['arrival_partition'], event_windows._number(row['arrival_to'])]) -%}
            {#- what comes here of such a text is another one, which no row has -#}
            {%- if spec.partition and row['unreadable'] | int -%}
                {%- do seen.update({'problem': "partition column '" ~ spec.partition ~ "' has the value '"
                    ~ row['arrival_partition'] ~ "', in which some bytes are no UTF-8, and how far each partition was "
                    ~ 'read is written down as text: take hex(...) of the column in the relation'}) -%}
            {%- endif -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do run.update({'to': to | selectattr(1, 'ne', none) | list}) -%}
    {%- do seen.update({'rows': counted.rows, 'again': counted.again if before.from else none,
        'unordered': counted.unordered}) -%}
    {#-
        numbers may have gone back, as those of a topic do that begins again. To find out takes a look at all of the
        source, so that it is only asked where rows of the last refresh that read some are missing, or, after a build,
        none is new
    -#}
    {%- if run.from and (counted.again < before.rows if before.from else not to) -%}
        {%- for row in event_windows._statement(run, 'bounds', event_windows._gone_back(spec, run.from) | trim) -%}
            {%- set from, to = event_windows._number(row['arrival_from']), event_windows._number(row['arrival_to']) -%}
            {%- do seen.back.append([row['arrival_partition'], from, to]) -%}
        {%- endfor -%}
    {%- endif -%}
{% endmacro %}


{#
    Whether the last refresh that read rows is the build, whose rows are all up to the last number, so that
    _arrival_bounds has not looked at them again, and no table is counted: then the relation is, until a refresh has
    read rows.
#}
{% macro _recounts_build(spec, run, seen) %}
    {{- return(spec.arrival is not none and run.from | length > 0 and not event_windows._last_read(run.previous).from
        and seen.total is none and seen.unread is none and not spec.asks and not event_windows._follows(spec)) -}}
{% endmacro %}


{# Partitions whose last number is below the one that was read `through`, and how many rows they have. #}
{% macro _gone_back(spec, through) %}
    {%- set partition = event_windows._arrival_partition(spec) -%}
    {%- set arrival = 'max(arrived.' ~ event_windows._name(spec.arrival) ~ ')' %}
select
    {{ partition }} as arrival_partition,
    max(through._ew_arrival) as arrival_from,
    {{ arrival }} as arrival_to,
    count(*) as n
from {{ spec.relation }} as arrived
{{- event_windows._join_arrivals('through', through, partition) }}
group by {{ partition }}
having {{ arrival }} < max(through._ew_arrival)
{% endmacro %}


{# The version of the source table now. Rows that were rewritten would count twice. #}
{% macro _version_bounds(spec, run) %}
    {%- set now = event_windows._of_format(spec.source.format, 'source_version', spec.relation) -%}
    {%- set since = event_windows._since_read(spec, run, now) -%}
    {%- do event_windows._stop_if(since.problem) -%}
    {%- do run.update({'source': now.identity, 'to': [[none, now.version]]}) -%}
    {#- as if it had been read now: the version that was read may be too old to be read beside this one -#}
    {%- if since.same %}{% do run.update({'from': run.to}) %}{% endif -%}
{% endmacro %}


{# What became of it since the version that was read, see _source_since, with the problem as a sentence. #}
{% macro _since_read(spec, run, now) %}
    {%- if not run.from %}{{- return({'problem': none, 'same': false}) -}}{% endif -%}
    {%- set retracts = spec.source_changes == 'retract' -%}
    {%- set since = event_windows._source_since(
        spec.source.format, spec.relation, run.from[0][1], run.previous.source, now, retracts
    ) -%}
    {#- where rows that went are to go from the windows, too, their order does not say which these were -#}
    {%- if since.problem -%}
        {%- do since.update({'problem': 'which rows of ' ~ spec.relation ~ ' are new cannot be told: ' ~ since.problem
            ~ '; run with --full-refresh' ~ ('' if retracts else ', or give an arrival_order')}) -%}
    {%- endif -%}
    {{- return(since) -}}
{% endmacro %}


{# After the largest number there is none that a later row could have: why that stops the run, none if it does not. #}
{% macro _bounds_problem(spec, run) %}
    {%- for partition, arrival in run.to if arrival == 9223372036854775807 -%}
        {{- return("arrival_order column '" ~ spec.arrival ~ "' has the largest number that there is ("
            ~ arrival ~ ')' ~ (" in partition '" ~ partition ~ "'" if spec.partition else '')
            ~ ', after which no row could be new: filter that row out in the relation') -}}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}


{#
    Catch-up: at most about so many rows at once, an equal share of each partition's. Spark tells a share in doubles,
    which lie apart where numbers are large: the least number is taken off, and the cut stays among the rows there are.
    Without partitions the first rows alone are looked at, up to the number where twice as many as are wanted would be
    if none were missing, provided that there are enough: a run of a hundred commits must not look at all that is left
    for each of them.
#}
{% macro _cut_bounds(spec, run, seen, most) %}
    {%- set arrival = 'arrived.' ~ event_windows._name(spec.arrival) -%}
    {%- set partition = event_windows._arrival_partition(spec) -%}
    {%- set counted = event_windows._row(
        run, 'bounds', 'select count(*) as n, min(' ~ arrival ~ ') as least, max(' ~ arrival ~ ') as greatest '
            ~ event_windows._arrived_rows(spec, {'from': run.from, 'to': run.to}) | trim
    ) -%}
    {%- set n, least = counted['n'] | int, event_windows._number(counted['least']) -%}
    {%- do seen.update({'rows': [n, most] | min}) -%}
    {%- if n > most -%}
        {%- set greatest, among = counted['greatest'] | int, {'to': run.to, 'n': n} -%}
        {%- set near = least + (greatest - least) * 2 * most // n -%}
        {%- if not spec.partition and near < greatest -%}
            {%- set found = event_windows._row(
                run, 'bounds', 'select count(*) as n '
                    ~ event_windows._arrived_rows(spec, {'from': run.from, 'to': [[none, near]]}) | trim
            )['n'] | int -%}
            {%- if found >= most %}{% do among.update({'to': [[none, near]], 'n': found}) %}{% endif -%}
        {%- endif -%}
        {%- set to = [] -%}
        {%- set sql = 'select ' ~ partition ~ ' as arrival_partition, approx_percentile(' ~ arrival ~ ' - '
            ~ event_windows._bigint(least) ~ ', ' ~ most / among.n ~ ', 100000) as share, min(' ~ arrival
            ~ ') as first, max(' ~ arrival ~ ') as last '
            ~ event_windows._arrived_rows(spec, {'from': run.from, 'to': among.to}) | trim
            ~ (' group by ' ~ partition if spec.partition else '') -%}
        {%- for row in event_windows._statement(run, 'bounds', sql) -%}
            {#- a number that nobody has read must not become how far was read -#}
            {%- if row['share'] is none -%}
                {{ event_windows._stop('rows went from the source while this run looked where to cut the new ones: '
                    ~ 'nothing is recorded, run again') }}
            {%- endif -%}
            {%- set first, last = row['first'] | int, row['last'] | int -%}
            {%- set cut = [[least + row['share'] | int, first] | max, last] | min -%}
            {%- do to.append([row['arrival_partition'], cut]) -%}
            {%- if cut < (last if spec.partition else greatest) %}{% do seen.update({'more': true}) %}{% endif -%}
        {%- endfor -%}
        {%- do run.update({'to': to}) -%}
    {%- endif -%}
{% endmacro %}
