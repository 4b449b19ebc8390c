{#
    Sliding windows (KIP-450), both ends inclusive. A window afterwards is a window stored before, or nothing, and a
    stretch of new instants; registered functions say which, and need only times for it. Slices are instants. _ew_newest
    is the latest event time in a window, _ew_replayed whether a replay made it.
#}
{% macro _sliding_traits(spec) %}
    {%- set window = spec.window -%}
    {{- return({
        'length': window.difference, 'lengths': [window.difference, window.difference], 'exclusive_end': false,
        'replays_stored': true, 'regroups': false, 'places': true, 'absorbs': false, 'doubt_lasts': true,
        'keeps': ['_ew_newest', '_ew_replayed'],
        'functions': ['event_windows_sliding_windows', 'event_windows_sliding_values', 'event_windows_replay_sliding'],
        'made_by_function': true, 'merged_in_assign': event_windows._sliding_numbers(spec) is not none,
        'rows_counted_once': false, 'publishes': true
    }) -}}
{% endmacro %}


{% macro _sliding_slice(spec) %}
    {{- return('_ew_time') -}}
{% endmacro %}


{% macro _sliding_row_until(spec) %}
    {{- return('_ew_time') -}}
{% endmacro %}


{% macro _sliding_stored_until(spec, alias) %}
    {{- return(event_windows._stored_last(spec, alias)) -}}
{% endmacro %}


{% macro _sliding_stored_newest(spec, alias) %}
    {{- return(alias ~ '._ew_newest') -}}
{% endmacro %}


{#
    Windows that hold a new row start at most the difference before it; what goes into new ones
    starts as long before these.
#}
{% macro _sliding_touches(spec, first, last, until) %}
    {%- set window = spec.window -%}
    {{- return(last ~ ' >= touched._ew_first - ' ~ (window.difference + window.resolution) ~ ' and ' ~ first
        ~ ' <= touched._ew_until + ' ~ window.resolution) -}}
{% endmacro %}


{% macro _sliding_reach_back(spec) %}
    {{- return(spec.window.difference + spec.window.resolution) -}}
{% endmacro %}


{#
    All windows of a row end at its time or later, so that at its clock less the grace, or
    later, none of them is closed.
#}
{% macro _sliding_late_margin(spec) %}
    {{- return(spec.window.grace) -}}
{% endmacro %}


{#
    For keys without late rows: new rows at one time of a key are one instant, and a registered function says which
    windows instants change. It merges what is in them too where that is numbers; anything else is put together in SQL.
    Slices are instants, unless they are kept apart by more than the key.
#}
{% macro _sliding_assign(spec, stored) %}
{%- set several = event_windows._slice_scope(spec) != spec.key -%}
instants as (
    select
        {{ event_windows._names(spec.key) }},
        {{ event_windows._key_text(spec) }} as _ew_key,
        _ew_first,
        {%- for part in event_windows._parts(spec) %}
        {{ event_windows._typed(part.merge, part.type) ~ ' as ' ~ part.column if several else part.column -}}
        {{- ',' if not loop.last }}
        {%- endfor %}
    from merge_inputs
    {%- if stored %}
    where _ew_new
    {%- endif %}
    {%- if several %}
    group by {{ event_windows._names(spec.key) }}, _ew_first
    {%- endif %}
),

{{
    event_windows._sliding_assign_values(spec, stored) | trim if event_windows._sliding_numbers(spec) is none
    else event_windows._sliding_assign_numbers(spec, stored) | trim
}}
{% endmacro %}


{# Rows one at a time in the order of arrival, exactly as Kafka counts them, by the registered function. #}
{% macro _sliding_replay(spec, stored) %}
    {%- set constants = event_windows._sliding_constants(
        spec, ['grace', 'retention', 'difference', 'resolution', 'origin']
    ) %}
    select _ew_key, _ew_item, _ew_window, _ew_window + {{ spec.window.difference }} as _ew_window_last, _ew_missed
    from (
        select inline(arrays_zip(k, item, starts, missed)) as (_ew_key, _ew_item, _ew_window, _ew_missed)
        from (
            select inline(event_windows_replay_sliding(
                _ew_key, _ew_item, _ew_first, _ew_newest, _ew_clock, {{ constants }},
                {{ event_windows._max_rows_per_key() }}
            )) as (k, item, starts, missed)
            from (
                select
                    _ew_key, _ew_item,
                    _ew_time as _ew_first, cast(null as bigint) as _ew_newest, _ew_clock
                from late_candidates
                where _ew_time is not null
                {%- if stored %}
                union all
                select
                    {{ event_windows._replayed_key(spec, 'late_windows', stored=true) }}, cast(_ew_item as bigint),
                    _ew_first, _ew_newest,
                    cast(null as bigint)
                from late_windows
                {%- endif %}
            ) as replay_items
            {#- a row stands there for each of its windows #}
            group by pmod(hash(_ew_key), {{ event_windows._replay_buckets(spec, most=50000) }})
        ) as batches
    ) as replayed_windows
{% endmacro %}


{# A window stands where it stands; the latest time in it tells what a replay must know of it. #}
{% macro _sliding_bounds(spec) %}
    {{- return({
        '_ew_first': '_ew_window', '_ew_last': '_ew_window_last', '_ew_until': '_ew_window_last',
        '_ew_newest': 'max(_ew_newest)', '_ew_replayed': 'bool_or(_ew_replayed)'
    }) -}}
{% endmacro %}


{# Which windows there are depends on other rows. #}
{% macro _sliding_windows_of(spec, time) %}
    {{- return(none) -}}
{% endmacro %}


{# Of the windows of a row the one that ends with it closes first, or where it would start too early the first one. #}
{% macro _sliding_least_grace(spec, time, clock) %}
    {%- set window = spec.window -%}
    {%- if window.origin is none %}{{- return(clock ~ ' - ' ~ time) -}}{% endif -%}
    {%- set first_end = event_windows._bigint(window.origin + window.difference) -%}
    {#- of a row without a time there is none, where greatest would give one -#}
    {{- return(clock ~ ' - if(' ~ time ~ ' < ' ~ first_end ~ ', ' ~ first_end ~ ', ' ~ time ~ ')') -}}
{% endmacro %}
