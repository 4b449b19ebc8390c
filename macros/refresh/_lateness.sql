{#
    Whether any row could be late at all, and how far behind its clock a row must be for that: microseconds, 'always'
    where nothing can be said, or none where no row ever is (grace unbounded).
#}
{% macro _doubt_margin(spec) %}
    {%- if spec.window.grace is none and spec.retention is none -%}
        {{- return(none) -}}
    {%- endif -%}
    {{- return(event_windows._of_type('doubt_margin', spec)) -}}
{% endmacro %}


{#
    Keys in which a row may be late, as CTEs of which the last is `doubtful`: an old new row is too far behind its clock. That
    is the stream time that earlier refreshes left or, with an arrival order, a row far ahead of it that came before it. For
    some types doubt lasts: a key is doubtful too where its new rows touch a window in `stored` that a replay made.
    `before` says whether there are stored clocks, in the CTE clocks; `once` is as for slices.
#}
{% macro _doubtful_steps(spec, slices, before=false, stored=none, once=false) %}
{%- set scope = event_windows._clock_scope(spec) -%}
{%- set margin = event_windows._doubt_margin(spec) -%}
{%- set keys = event_windows._names(spec.key, 'slices') -%}
{%- set from = 'from ' ~ slices ~ (' as slices' if slices != 'slices' else '') -%}
{%- set reasons = [] -%}
{%- if margin == 'always' -%}
    {%- do reasons.append('select ' ~ keys ~ ' ' ~ from ~ ' where slices._ew_first is not null') -%}
{%- else -%}
    {%- if spec.arrival -%}
        {%- do reasons.append('select ' ~ event_windows._names(spec.key) ~ ' from overtaken') -%}
{{ event_windows._overtaken_by_clock_of_key(spec, slices, margin) | trim if spec.clock == 'key' else event_windows._overtaken_by_shared_clock(spec, slices, margin) | trim }},

{% endif -%}
    {%- if before -%}
        {%- do reasons.append('select ' ~ keys ~ ' ' ~ from ~ ' inner join clocks on '
            ~ (event_windows._equal(scope, 'slices', 'clocks', null_safe=true) or 'true') ~ ' where slices._ew_first < clocks._ew_before - ' ~ margin) -%}
    {%- endif -%}
{%- endif -%}
{%- if stored and spec.arrival and event_windows._of_type('traits', spec).doubt_lasts -%}
    {%- do reasons.append(event_windows._touching_replayed(spec, slices, stored) | trim) -%}
{%- endif -%}
doubts as (
    {{ reasons | join('\n    union all\n    ') or 'select ' ~ keys ~ ' ' ~ from ~ ' where false' }}
),

doubtful as (
    select {{ event_windows._names(spec.key) ~ (', ' ~ event_windows._once() if once) }}
    from doubts
    group by {{ event_windows._names(spec.key) }}
)
{% endmacro %}


{# Keys whose new rows touch a window in `stored` that a replay made. #}
{% macro _touching_replayed(spec, slices, stored) %}
    {%- set first = event_windows._micros('stored.window_start', spec) -%}
    {%- set last = event_windows._micros('stored.window_end', spec) %}
    select {{ event_windows._names(spec.key, 'touched') }}
    from (
        select {{ event_windows._names(spec.key) }}, min(_ew_first) as _ew_first, max(_ew_reach) as _ew_reach
        from {{ slices }}
        where _ew_first is not null
        group by {{ event_windows._names(spec.key) }}
    ) as touched
    inner join {{ stored }} as stored on {{ event_windows._equal(spec.key, 'touched', 'stored') }}
    where stored._ew_replayed is not null
        and {{ event_windows._of_type('touches', spec, first, last, event_windows._of_type('stored_reach', spec, 'stored')) }}
{% endmacro %}


{# CTE overtaken, where each key has a clock of its own: keys with a slice whose first row has one the margin ahead of it that came before its last. #}
{% macro _overtaken_by_clock_of_key(spec, slices, margin) %}
{%- set keys = event_windows._names(spec.key) -%}
overtaken as (
    select {{ keys }}
    from (
        select
            {{ keys }}, _ew_arrival_to,
            min(_ew_arrival_from) over (
                partition by {{ keys }} order by _ew_time range between {{ margin + 1 }} following and unbounded following
            ) as _ew_by
        from (
            select {{ keys }}, inline(array(
                named_struct('at', _ew_first, 'came_from', cast(null as bigint), 'came_to', cast(_ew_arrival_to as bigint)),
                named_struct('at', _ew_last, 'came_from', cast(_ew_arrival_from as bigint), 'came_to', cast(null as bigint))
            )) as (_ew_time, _ew_arrival_from, _ew_arrival_to)
            from {{ slices }}
            where _ew_first is not null
        ) as slice_ends
    ) as looked_ahead
    where _ew_by <= _ew_arrival_to
)
{% endmacro %}


{#
    The same where many keys share a clock, in two steps, so that no task has to sort all slices: for each bucket of time, when the first
    row came that is at least the margin ahead of rows in it; then the slices of the bucket. A row a little less far ahead may
    be taken for one.
#}
{% macro _overtaken_by_shared_clock(spec, slices, margin) %}
{%- set scope = event_windows._clock_scope(spec) -%}
{%- set columns = event_windows._names(scope) ~ ', ' if scope else '' -%}
{%- set bucket = [(margin // 8), 1] | max -%}
looked_ahead as (
    select
        {{ columns }}_ew_bucket,
        min(min(_ew_arrival)) over (
            {{ 'partition by ' ~ event_windows._names(scope) ~ ' ' if scope }}order by _ew_bucket range between {{ (margin + 1) // bucket * bucket }} following and unbounded following
        ) as _ew_by
    from (
        select
            {{ columns }}inline(array(
                named_struct('bucket', {{ event_windows._time_bucket('_ew_first', bucket) }}, 'arrival', cast(null as bigint)),
                named_struct('bucket', {{ event_windows._time_bucket('_ew_last', bucket) }}, 'arrival', cast(_ew_arrival_from as bigint))
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
