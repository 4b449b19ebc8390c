{# Step 6, reach: the span of time that new slices touch, key by key, and the stored windows in it that are still in the state. #}
{% macro _reach_steps(spec, tables, read) %}
{%- set first = event_windows._micros('stored.window_start', spec) -%}
{%- set last = event_windows._micros('stored.window_end', spec) -%}
{%- set reach = event_windows._of_type('stored_reach', spec, 'stored') -%}
touched as (
    select
        {{ event_windows._names(spec.key, 'slices') }},
        min(slices._ew_first) as _ew_first,
        max(slices._ew_reach) as _ew_reach
        {%- if spec.retention is not none %},
        min({{ event_windows._micros('kept.stream_time', spec) }}) as _ew_before
        {%- endif %}
    from slices
    {%- if spec.retention is not none %}
    left join {{ tables.stream_time }} as kept
        on {{ event_windows._equal(event_windows._clock_scope(spec), 'slices', 'kept', null_safe=true) or 'true' }}
    {%- endif %}
    group by {{ event_windows._names(spec.key, 'slices') }}
),

reach as (
    select
        {{ event_windows._names(spec.key, 'stored') }},
        stored.window_start,
        stored.window_end,
        {{ first }} as _ew_first,
        {{ last }} as _ew_last,
        {{ reach }} as _ew_reach,
        {%- for part in event_windows._parts(spec) %}
        stored.{{ part.column }},
        {%- endfor %}
        {%- if event_windows._of_type('traits', spec).doubt_lasts %}
        stored._ew_replayed,
        {%- endif %}
        stored._ew_segment
    from {{ tables.windows }} as stored
    inner join touched on {{ event_windows._equal(spec.key, 'stored', 'touched') }}
    where stored._ew_segment >= {{ event_windows._segment_from(spec, read) }}
        and {{ event_windows._of_type('touches', spec, first, last, reach) }}
        {%- if spec.retention is not none %}
        and (touched._ew_before is null or {{ last }} >= touched._ew_before - {{ spec.retention }})
        {%- endif %}
)
{% endmacro %}


{# The oldest segment in which a window in reach can end. #}
{% macro _segment_from(spec, read) %}
    {{- return(event_windows._oldest_segment(spec, read.first, event_windows._of_type('reach_back', spec))) -}}
{% endmacro %}


{# The segment of windows that end so long before an instant, in microseconds; below all of them where one of the two is not known. #}
{% macro _oldest_segment(spec, instant, back) %}
    {{- return(-9223372036854775807 if instant is none or back is none else (instant - back) // spec.segment) -}}
{% endmacro %}
