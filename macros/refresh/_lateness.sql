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


{# What a clock belongs to: the columns of its scope. #}
{% macro _clock_scope(spec) %}
    {{- return({'key': spec.key, 'partition': [spec.partition], 'global': []}[spec.clock]) -}}
{% endmacro %}


{#
    Step 3, clocks: stream time per scope, before the new rows and after them. `slices` and `stream_time` are names of
    relations; without stored clocks (from scratch) the second is none.
#}
{% macro _clocks(spec, slices, stream_time=none) %}
    {%- set scope = event_windows._clock_scope(spec) -%}
    {%- set columns = event_windows._names(scope, 'moved') ~ (', ' if scope else '') -%}
    {%- set kept = event_windows._micros('kept.stream_time', spec) if stream_time else none %}
    select
        {{ columns }}{{ kept or 'cast(null as bigint)' }} as _ew_before,
        {{ 'greatest(moved._ew_last, ' ~ kept ~ ')' if kept else 'moved._ew_last' }} as _ew_after
    from (
        select {{ event_windows._names(scope) }}{{ ', ' if scope }}max(_ew_last) as _ew_last
        from {{ slices }}
        where _ew_first is not null
        {%- if scope %}
        group by {{ event_windows._names(scope) }}
        {%- endif %}
    ) as moved
    {%- if stream_time %}
    left join {{ stream_time }} as kept
        on {{ event_windows._equal(scope, 'moved', 'kept', null_safe=true) or 'true' }}
    {%- endif %}
{% endmacro %}


{#
    Keys in which a row may be late, as CTEs of which the last is `doubtful`: an old new row is too far behind its clock. That
    is the stream time that earlier refreshes left or, with an arrival order, a row far ahead of it that came before it. For
    some types doubt lasts: a key is doubtful too where its new rows touch a window in `stored` that a replay made.
    `before` says whether there are stored clocks, in the CTE clocks.
#}
{% macro _doubtful_steps(spec, slices, before=false, stored=none) %}
{%- set scope = event_windows._clock_scope(spec) -%}
{%- set margin = event_windows._doubt_margin(spec) -%}
{%- set joins, reasons = [], [] -%}
{%- if margin == 'always' -%}
    {%- do reasons.append('slices._ew_first is not null') -%}
{%- else -%}
    {%- if spec.arrival -%}
        {%- set bucket = [(margin // 8), 1] | max -%}
        {%- do joins.append('inner join overtaken\n        on ' ~ event_windows._time_bucket('slices._ew_first', bucket) ~ ' = overtaken._ew_bucket'
            ~ (' and ' ~ event_windows._equal(scope, 'slices', 'overtaken', null_safe=true) if scope else '')) -%}
        {%- do reasons.append('overtaken._ew_by <= slices._ew_arrival_to') -%}
overtaken as (
    {{ event_windows._overtaken(spec, slices, margin, bucket) | trim }}
),

{% endif -%}
    {%- if before -%}
        {%- do joins.append('inner join clocks on ' ~ (event_windows._equal(scope, 'slices', 'clocks', null_safe=true) or 'true')) -%}
        {%- do reasons.append('slices._ew_first < clocks._ew_before - ' ~ margin) -%}
    {%- endif -%}
{%- endif -%}
doubtful as (
    select distinct {{ event_windows._names(spec.key, 'slices') }}
    from {{ slices ~ (' as slices' if slices != 'slices' else '') }}
    {%- for join in joins %}
    {{ join }}
    {%- endfor %}
    where {{ reasons | join(' or ') or 'false' }}
    {%- if stored and spec.arrival and event_windows._of_type('traits', spec).doubt_lasts %}
    union
    select {{ event_windows._names(spec.key, 'touched') }}
    from (
        select {{ event_windows._names(spec.key) }}, min(_ew_first) as _ew_first, max(_ew_reach) as _ew_reach
        from {{ slices }}
        where _ew_first is not null
        group by {{ event_windows._names(spec.key) }}
    ) as touched
    inner join {{ stored }} as stored on {{ event_windows._equal(spec.key, 'touched', 'stored') }}
    where stored._ew_replayed is not null
        and {{ event_windows._of_type('touches', spec, event_windows._micros('stored.window_start', spec), event_windows._micros('stored.window_end', spec), event_windows._of_type('stored_reach', spec, 'stored')) }}
    {%- endif %}
)
{% endmacro %}


{#
    For each bucket of time in a scope: when the first row came that is at least the margin ahead of rows in the bucket. Times count
    by bucket, so that there are few of them; a row a little less far ahead may be taken for one.
#}
{% macro _overtaken(spec, slices, margin, bucket) %}
    {%- set scope = event_windows._names(event_windows._clock_scope(spec)) %}
    select
        {{ scope ~ ', ' if scope }}_ew_bucket,
        min(min(_ew_arrival)) over (
            {{ 'partition by ' ~ scope ~ ' ' if scope }}order by _ew_bucket range between {{ (margin + 1) // bucket * bucket }} following and unbounded following
        ) as _ew_by
    from (
        select
            {{ scope ~ ', ' if scope }}inline(array(
                named_struct('bucket', {{ event_windows._time_bucket('_ew_first', bucket) }}, 'arrival', cast(null as bigint)),
                named_struct('bucket', {{ event_windows._time_bucket('_ew_last', bucket) }}, 'arrival', cast(_ew_arrival_from as bigint))
            )) as (_ew_bucket, _ew_arrival)
        from {{ slices }}
        where _ew_first is not null
    ) as bucketed
    group by {{ scope ~ ', ' if scope }}_ew_bucket
{% endmacro %}
