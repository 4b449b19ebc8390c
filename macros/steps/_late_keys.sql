{#
    Step late keys: keys in which a row may be late, as CTEs of which the last is `late_keys`, or `name`: an old new row
    is too far behind its clock. That is the stream time that earlier refreshes left (CTE clocks_before, where `before`)
    or, with an arrival order, a row far ahead of it that came before it. For some types doubt lasts: a key is checked
    too where its new rows touch a window in `stored` that a replay made: {'table', 'segment_from'}. What is decided
    here chooses the way to the answer only. `slices` is a relation; `once` is as for slices.
#}
{% macro _late_keys(spec, slices='slices', before=false, stored=none, once=false, name='late_keys') %}
{%- set margin = event_windows._late_margin(spec) -%}
{%- set keys = event_windows._names(spec.key, 'slices') -%}
{%- set from = 'from ' ~ slices ~ (' as slices' if slices != 'slices' else '') -%}
{%- set reasons = [] -%}
{%- if margin == 'always' -%}
    {%- do reasons.append('select ' ~ keys ~ ' ' ~ from ~ ' where slices._ew_first is not null') -%}
{%- else -%}
    {%- if spec.arrival -%}
        {%- do reasons.append('select ' ~ event_windows._names(spec.key) ~ ' from overtaken') -%}
{{
    event_windows._overtaken_by_own_clock(spec, slices, margin) | trim if spec.clock == 'key'
    else event_windows._overtaken_by_shared_clock(spec, slices, margin) | trim
}},

{% endif -%}
    {%- if before -%}
        {%- do reasons.append('select ' ~ keys ~ ' ' ~ from ~ ' inner join clocks_before on '
            ~ event_windows._equal(event_windows._clock_scope(spec), 'slices', 'clocks_before', null_safe=true)
            ~ ' where slices._ew_first < clocks_before._ew_before - ' ~ margin) -%}
    {%- endif -%}
{%- endif -%}
{%- if stored and spec.arrival and event_windows._trait('doubt_lasts', spec) -%}
    {%- do reasons.append(event_windows._touching_replayed(spec, slices, stored) | trim) -%}
{%- endif -%}
possibly_late as (
    {{ reasons | join('\n    union all\n    ') or 'select ' ~ keys ~ ' ' ~ from ~ ' where false' }}
),

{{ name }} as (
    select {{ event_windows._names(spec.key) ~ (', ' ~ event_windows._once() if once) }}
    from possibly_late
    group by {{ event_windows._names(spec.key) }}
)
{% endmacro %}


{#
    Rows of late keys only, or with `others` of all but these, as what follows FROM <relation> as <alias>. `late` is
    {'classes'}: where the keys are few, the text of a list of their classes, one of a million numbers for each key; a
    key that shares the class of a late one is treated as late too, which costs a little and changes nothing. Without a
    list a join with the CTE late_keys, null-safe: of any other join Spark derives that the key is not null and pushes
    that into the CTE, which then reads columns that were pruned before (seen in 4.1: PLAN_VALIDATION_FAILED by
    ReplaceCTERefWithRepartition).
#}
{% macro _of_late_keys(spec, alias, late, others=false) %}
    {%- if late.classes -%}
        {{- return('where ' ~ event_windows._key_class(spec, alias) ~ (' not' if others) ~ ' in (' ~ late.classes
            ~ ')') -}}
    {%- endif -%}
    {{- return(('left anti' if others else 'left semi') ~ ' join late_keys on '
        ~ event_windows._equal(spec.key, alias, 'late_keys', null_safe=true)) -}}
{% endmacro %}


{% macro _key_class(spec, alias=none) %}
    {{- return('pmod(hash(' ~ event_windows._names(spec.key, alias) ~ '), 1048576)') -}}
{% endmacro %}


{# Keys whose new rows touch a stored window that a replay made. #}
{% macro _touching_replayed(spec, slices, stored) %}
    {%- set first = event_windows._time_micros('stored.window_start', spec) -%}
    {%- set last = event_windows._stored_last(spec, 'stored') -%}
    {%- set until = event_windows._of_window('stored_until', spec, 'stored') %}
    select {{ event_windows._names(spec.key, 'touched') }}
    from (
        select {{ event_windows._names(spec.key) }}, min(_ew_first) as _ew_first, max(_ew_until) as _ew_until
        from {{ slices }}
        where _ew_first is not null
        group by {{ event_windows._names(spec.key) }}
    ) as touched
    inner join {{ stored.table }} as stored on {{ event_windows._same_key(spec, 'touched', 'stored') }}
    where stored._ew_replayed is not null
        and stored._ew_segment >= {{ stored.segment_from }}
        and {{ event_windows._of_window('touches', spec, first, last, until) }}
{% endmacro %}


{# Whether two relations agree on the key; in plain SQL a null is a key like any other, as in GROUP BY. #}
{% macro _same_key(spec, left, right) %}
    {{- return(event_windows._equal(spec.key, left, right, null_safe=spec.null_keys)) -}}
{% endmacro %}


{#
    CTE overtaken, where each key has a clock of its own: keys with a slice whose first row has one the margin ahead of
    it that came before its last. From the latest time back: a frame that goes up to the end of its partition Spark
    goes through anew for each row, so that a key with a million slices would never be done.
#}
{% macro _overtaken_by_own_clock(spec, slices, margin) %}
{%- set scope = event_windows._names(event_windows._slice_scope(spec)) -%}
overtaken as (
    select {{ event_windows._names(spec.key) }}
    from (
        select
            {{ event_windows._names(spec.key) }}, _ew_arrival_to,
            min(_ew_arrival_from) over (
                partition by {{ scope }} order by _ew_time desc
                range between unbounded preceding and {{ margin + 1 }} preceding
            ) as _ew_by
        from (
            select {{ scope }}, inline(array(
                named_struct(
                    'at', _ew_first,
                    'came_from', cast(null as bigint), 'came_to', cast(_ew_arrival_to as bigint)
                ),
                named_struct(
                    'at', _ew_last,
                    'came_from', cast(_ew_arrival_from as bigint), 'came_to', cast(null as bigint)
                )
            )) as (_ew_time, _ew_arrival_from, _ew_arrival_to)
            from {{ slices }}
            where _ew_first is not null
        ) as slice_ends
    ) as looked_ahead
    where _ew_by <= _ew_arrival_to
)
{% endmacro %}


{#
    The same where many keys share a clock, in two steps, so that no task has to sort all slices: for each bucket of
    time, when the first row came that is at least the margin ahead of rows in it; then the slices of the bucket. A row
    a little less far ahead may be taken for one.
#}
{% macro _overtaken_by_shared_clock(spec, slices, margin) %}
{%- set scope = event_windows._clock_scope(spec) -%}
{%- set columns = event_windows._names_before(scope) -%}
{%- set bucket = [(margin // 8), 1] | max -%}
looked_ahead as (
    select
        {{ columns }}_ew_bucket,
        min(min(_ew_arrival)) over (
            {{ 'partition by ' ~ event_windows._names(scope) ~ ' ' if scope }}order by _ew_bucket desc
            range between unbounded preceding and {{ (margin + 1) // bucket * bucket }} preceding
        ) as _ew_by
    from (
        select
            {{ columns }}inline(array(
                named_struct(
                    'bucket', {{ event_windows._time_bucket('_ew_first', bucket) }},
                    'arrival', cast(null as bigint)
                ),
                named_struct(
                    'bucket', {{ event_windows._time_bucket('_ew_last', bucket) }},
                    'arrival', cast(_ew_arrival_from as bigint)
                )
            )) as (_ew_bucket, _ew_arrival)
        from {{ slices }}
        where _ew_first is not null
    ) as slice_ends
    group by {{ columns }}_ew_bucket
),

overtaken as (
    select {{ event_windows._names(spec.key, 'slices') }}
    from {{ slices ~ (' as slices' if slices != 'slices' else '') }}
    inner join looked_ahead
        on {{ event_windows._time_bucket('slices._ew_first', bucket) }} = looked_ahead._ew_bucket
        {%- if scope %} and {{ event_windows._equal(scope, 'slices', 'looked_ahead', null_safe=true) }}{% endif %}
    where looked_ahead._ew_by <= slices._ew_arrival_to
)
{% endmacro %}
