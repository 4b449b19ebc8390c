{#
    Reads the new rows, once: their slices are cached, and one query over them and the stored clocks tells what the rest
    of the refresh must know. Few rows are put into few partitions, since every step over them costs a task for each.

    rows, uncountable, without_key     rows read; those that no window can count; of these, rows without a key
    first, latest                      the oldest and the newest event time, microseconds
    clock, scopes, moved               the latest clock, how many there are, how many move
    late_keys                          whether a row could be late at all
    kept                               whether late rows have to be kept, see _keep_late_rows
    classes                            of late keys, as a list, if they are not too many
    range_width                        see _clocked_rows
    late, late_partial                 how many rows were, filled in later
    skipped                            rows noticed that came below the last number
#}
{% macro _read_rows(spec, tables, run, seen) %}
    {%- set nothing = not run.to or run.to == run.from -%}
    {%- set tasks = ((seen.rows or 0) // 250000) + 1 if seen.rows is not none else none -%}
    {%- do spec.update({'rows_at_most': seen.rows or 0}) -%}
    {%- set bounds = {'from': run.from, 'to': [] if nothing else run.to, 'unordered': true} -%}
    {%- set rows -%}
(
    {{ event_windows._new_rows(spec, bounds) | trim }}
) as new_rows
    {%- endset -%}
    {%- do event_windows._statement(
        run, 'slices',
        'cache lazy table ' ~ tables.slices ~ ' as\n'
            ~ (event_windows._slices(spec, rows, tracked=true, tasks=tasks) | trim)
    ) -%}
    {%- do run.views.append(tables.slices) -%}
    {%- set read = event_windows._read_of(
        spec, run, event_windows._row(run, 'clocks', event_windows._summary(spec, tables, run))
    ) -%}
    {%- if read.late_keys or event_windows._trait('made_by_function', spec) -%}
        {%- do event_windows._check_registered(spec) -%}
    {%- endif -%}
    {%- do event_windows._check_unordered(spec, read.unordered) -%}
    {%- do run.update({'read': read}) -%}
    {%- if read.doubt_lasts %}{% do event_windows._name_late_keys(spec, tables, run) %}{% endif -%}
{% endmacro %}


{# What the row of _summary says. #}
{% macro _read_of(spec, run, row) %}
    {%- set read = {'late': 0, 'late_partial': 0, 'skipped': 0} -%}
    {%- for name in [
        'rows', 'uncountable', 'without_key', 'unordered', 'first', 'latest', 'arrival_from', 'arrival_to', 'moved'
    ] -%}
        {%- do read.update({name: event_windows._number(row['read_' ~ name])}) -%}
    {%- endfor -%}
    {%- set clocks = [run.previous.clock if run.previous else none, event_windows._number(row['clock'])]
        | reject('none') | list -%}
    {%- set replayed_until = run.previous.replayed_until if run.previous and not run.full else none -%}
    {%- set lasting = replayed_until is not none and read.first is not none and read.first <= replayed_until -%}
    {%- do read.update({
        'clock': clocks | max if clocks else none,
        'scopes': (run.previous.scopes if run.previous and not run.full else 0)
            + event_windows._number(row['new_scopes']),
        'doubt_lasts': lasting and spec.arrival is not none,
        'late_keys': row['late_scopes'] | int > 0 or (lasting and spec.arrival is not none),
        'range_width': event_windows._range_width(read),
        'classes': event_windows._listed_classes(row['classes'])
    }) -%}
    {%- do read.update({
        'kept': spec.arrival is not none and (read.late_keys or read.uncountable > read.without_key)
    }) -%}
    {{- return(read) -}}
{% endmacro %}


{#
    Asks for late keys where the summary could not tell them: where doubt lasts, stored windows say so too. Named by
    text they are no part of the statements to come: Spark puts a CTE, and the text of a view, in each place that names
    it, and would analyse the query of late keys dozens of times.
#}
{% macro _name_late_keys(spec, tables, run) %}
    {%- set stored = event_windows._stored(spec, tables, run) -%}
    {%- set sql -%}
with
slices as (
    select * from {{ tables.slices }} where _ew_first is not null
),

clocks_before as (
    {{ event_windows._clocks_before(spec, stored.clocks, near=tables.slices) | trim }}
),

{{ event_windows._late_keys_of(spec, tables, before=true, stored=stored) | trim }}

select {{ event_windows._classes_as_list(event_windows._key_class(spec)) }} as classes from late_keys
    {%- endset -%}
    {%- set classes = event_windows._listed_classes(event_windows._row(run, 'late_keys', sql)['classes']) -%}
    {%- do run.read.update({'classes': classes}) -%}
    {%- if classes == '' %}{% do run.read.update({'late_keys': false, 'kept': false}) %}{% endif -%}
{% endmacro %}


{# Classes of keys, an aggregate over them: a text that is null where they are too many to be named. #}
{% macro _classes_as_list(class, most=10000) %}
    {{- return('if(size(collect_set(' ~ class ~ ')) <= ' ~ most ~ ", concat('classes ', array_join(collect_set(" ~ class
        ~ "), ', ')), null)") -}}
{% endmacro %}


{# The same as it was read: none if there are too many. #}
{% macro _listed_classes(value) %}
    {{- return((value | string)[8:] if value is not none else none) -}}
{% endmacro %}


{#
    One row about the slices, the clocks that they move, and whether a row could be late: a scope's oldest row is older
    than its newest, or its clock before, less the margin. That is a few numbers a scope, and enough for a refresh. Over
    all of history it would hold for nearly every scope, so that a build asks for its late keys.
#}
{% macro _summary(spec, tables, run) %}
{%- set scope = event_windows._clock_scope(spec) -%}
{%- set all = event_windows._names_before(scope) -%}
{%- set margin = event_windows._late_margin(spec) -%}
{%- set arrivals = spec.arrival is not none -%}
{%- set without_key = event_windows._without_key_of(spec, none) -%}
{%- set newest = 'greatest(_ew_newest, _ew_before)' if arrivals else '_ew_before' -%}
{%- set is_late = 'false' if margin is none
    else ('_ew_oldest ' ~ ('is not null' if margin == 'always' else '< ' ~ newest ~ ' - ' ~ margin)) -%}
{%- set asked = run.full and arrivals %}
with
{% if asked %}
{{ event_windows._late_keys_of(spec, tables) | trim }},
{% endif %}
scopes as (
    select
        {{ all }}max(_ew_before) as _ew_before, max(_ew_last) as _ew_newest, min(_ew_first) as _ew_oldest,
        sum(_ew_rows) as _ew_rows, sum(_ew_uncountable) as _ew_uncountable,
        sum(_ew_without_key) as _ew_without_key, sum(_ew_unordered) as _ew_unordered,
        min(_ew_arrival_from) as _ew_arrival_from, max(_ew_arrival_to) as _ew_arrival_to
    from (
        select
            {{ all }}cast(null as bigint) as _ew_before, _ew_first, _ew_last, _ew_rows,
            if(_ew_first is null, _ew_rows, 0) as _ew_uncountable,
            if(_ew_first is null and {{ without_key }}, _ew_rows, 0) as _ew_without_key,
            {{ '_ew_unordered' if arrivals else '0' }} as _ew_unordered,
            {{ 'cast(_ew_arrival_from as bigint)' if arrivals else 'cast(null as bigint)' }} as _ew_arrival_from,
            {{ 'cast(_ew_arrival_to as bigint)' if arrivals else 'cast(null as bigint)' }} as _ew_arrival_to
        from {{ tables.slices }}
        {%- if not run.full %}
        union all
        select
            {{ event_windows._names_before(scope, 'known') }}known._ew_clock,
            null, null, null, null, null, null, null, null
        {{ event_windows._from_clocks_before(
            spec, event_windows._clocks_until(tables, run), tables.slices if run.advance_to is none else none
        ) | trim }}
        {%- endif %}
    ) as slices_and_clocks
    {%- if scope %}
    group by {{ event_windows._names(scope) }}
    {%- endif %}
)

select
    coalesce(sum(_ew_rows), 0) as read_rows, coalesce(sum(_ew_uncountable), 0) as read_uncountable,
    coalesce(sum(_ew_without_key), 0) as read_without_key, coalesce(sum(_ew_unordered), 0) as read_unordered,
    min(_ew_oldest) as read_first, max(_ew_newest) as read_latest,
    min(_ew_arrival_from) as read_arrival_from, max(_ew_arrival_to) as read_arrival_to,
    {%- set after = 'greatest(_ew_newest, _ew_before' ~ (', ' ~ run.advance_to if run.advance_to is not none) ~ ')' %}
    count_if({{ after }} > _ew_before or (_ew_before is null and _ew_newest is not null)) as read_moved,
    count_if(_ew_before is null and _ew_newest is not null) as new_scopes,
    max(if(_ew_before is null and _ew_newest is null, null, {{ after }})) as clock,
    {{
        '(select count(*) from keys_of_late_rows)' if asked and margin is not none
        else ('0' if run.full else 'count_if(' ~ is_late ~ ')')
    }} as late_scopes,
    {{
        '(select ' ~ event_windows._classes_as_list(event_windows._key_class(spec)) ~ ' from late_keys)' if asked
        else event_windows._late_classes(spec, tables, is_late, without_key) if arrivals
        else 'cast(null as string)'
    }} as classes
from scopes
{% endmacro %}


{#
    The classes of keys with a row that could be late or that no window can count, as text, where they are not too many.
    A clock of a key says so of the key; of a clock that many share the slices are asked.
#}
{% macro _late_classes(spec, tables, is_late, without_key) %}
    {%- if spec.clock == 'key' -%}
        {{- return(event_windows._classes_as_list(
            'if(' ~ is_late ~ ' or (_ew_uncountable > _ew_without_key), ' ~ event_windows._key_class(spec) ~ ', null)'
        )) -}}
    {%- endif -%}
    {%- set clock = event_windows._clock_scope(spec) -%}
    {%- set of_slice = is_late | replace('_ew_oldest', 'slices._ew_first') ~ ' or (slices._ew_first is null and not '
        ~ event_windows._without_key_of(spec, 'slices') ~ ')' -%}
    {{- return(
        '(select ' ~ event_windows._classes_as_list(event_windows._key_class(spec, 'slices')) ~ ' from '
            ~ tables.slices ~ ' as slices inner join scopes on '
            ~ event_windows._equal(clock, 'slices', 'scopes', null_safe=true) ~ ' where ' ~ of_slice ~ ')'
    ) -}}
{% endmacro %}


{# Whether a row has no key, which no window can count then. #}
{% macro _without_key_of(spec, alias) %}
    {%- set absent = [] -%}
    {%- for column in spec.key %}{% do absent.append(event_windows._names([column], alias) ~ ' is null') %}{% endfor -%}
    {{- return('(' ~ absent | join(' or ') ~ ')' if absent and not spec.null_keys else 'false') -}}
{% endmacro %}


{# About 50,000 rows a range of arrivals, however sparse the numbers are. #}
{% macro _range_width(read) %}
    {%- if read.arrival_from is none %}{{- return(65536) -}}{% endif -%}
    {{- return([(read.arrival_to - read.arrival_from + 1) // ([read.rows // 50000, 1] | max), 1] | max) -}}
{% endmacro %}


{#
    Drops what the run works with, and nothing else: a catalogue without views refuses to be asked for one that is not
    there.
#}
{% macro _forget(spec, tables, run) %}
    {%- for view in run.views -%}
        {%- do event_windows._statement(run, 'end', 'drop view if exists ' ~ view) -%}
    {%- endfor -%}
    {%- do run.update({'views': []}) -%}
{% endmacro %}
