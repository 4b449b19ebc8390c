{#
    Step stored windows: those that the new slices touch and that are still in the state. `touched` is how far the new
    rows of a key go; segments that they cannot reach are not looked at. Where windows leave the state, what has left it
    before this refresh is not found. `stored` is {'table', 'segment_from', 'clocks'}.
#}
{% macro _stored_windows(spec, stored) %}
{%- set first = event_windows._time_micros('stored.window_start', spec) -%}
{%- set last = event_windows._stored_last(spec, 'stored') -%}
{%- set until = event_windows._of_window('stored_until', spec, 'stored') -%}
{%- set leaves = event_windows._asks_what_left(spec) -%}
touched as (
    select
        {{ event_windows._names(spec.key, 'slices') }},
        min(slices._ew_first) as _ew_first,
        max(slices._ew_until) as _ew_until
        {%- if leaves %},
        min(clocks_before._ew_before) as _ew_before
        {%- endif %}
    from slices
    {%- if leaves %}
    left join clocks_before
        on {{ event_windows._equal(event_windows._clock_scope(spec), 'slices', 'clocks_before', null_safe=true) }}
    {%- endif %}
    group by {{ event_windows._names(spec.key, 'slices') }}
),

stored_windows as (
    select
        {{ event_windows._names(spec.key, 'stored') }},
        stored.window_start,
        stored.window_end,
        {{ first }} as _ew_first,
        {{ last }} as _ew_last,
        {{ until }} as _ew_until,
        {%- for column in event_windows._trait('keeps', spec) if column != '_ew_until' %}
        stored.{{ column }},
        {%- endfor %}
        {%- for part in event_windows._parts(spec) %}
        stored.{{ part.column }},
        {%- endfor %}
        stored._ew_segment
    from {{ stored.table }} as stored
    inner join touched on {{ event_windows._same_key(spec, 'stored', 'touched') }}
    where stored._ew_segment >= {{ stored.segment_from }}
        and {{ event_windows._of_window('touches', spec, first, last, until) }}
        {%- if leaves %}
        and not coalesce({{ event_windows._has_left(spec, 'stored', 'touched._ew_before', spec.retention) }}, false)
        {%- endif %}
)
{% endmacro %}


{# The oldest segment in which a touched window can end. `first` is the time of the oldest new row. #}
{% macro _segment_from(spec, first) %}
    {{- return(event_windows._segment_before(first, event_windows._of_window('reach_back', spec), spec.segment)) -}}
{% endmacro %}


{#
    Whether windows that have left the state must be told from the others. A row that counts by its own clock alone
    finds its windows in the state, since retention is at least grace and size: there no row asks, and where rows of
    several partitions come into one window, no clock of another one can take it away.
#}
{% macro _asks_what_left(spec) %}
    {{- return(spec.retention is not none and event_windows._trait('replays_stored', spec)) -}}
{% endmacro %}
