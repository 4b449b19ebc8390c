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
    Keys in which a row may be late: the oldest new row is too far behind the latest time it can be measured against. That
    is stream time after the new rows or, where these came in at one instant (no arrival order), before them. For some types
    doubt lasts: a key is doubtful too where its new rows touch a window in `stored` that a replay made.
#}
{% macro _doubtful(spec, slices, stored=none) %}
    {%- set scope = event_windows._clock_scope(spec) -%}
    {%- set margin = event_windows._doubt_margin(spec) -%}
    select distinct {{ event_windows._names(spec.key, 'slices') }}
    from {{ slices ~ (' as slices' if slices != 'slices' else '') }}
    inner join clocks on {{ event_windows._equal(scope, 'slices', 'clocks', null_safe=true) or 'true' }}
    where slices._ew_first {{ 'is not null' if margin == 'always' else '< clocks.' ~ ('_ew_after' if spec.arrival else '_ew_before') ~ ' - ' ~ margin }}
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
{% endmacro %}
