{#
    What the refresh asks of a window type, for sessions. A session is an interval [first, reach], where reach is as far
    as any of its rows' gaps goes; sessions that overlap are one.
#}

{#
    What is particular to the type. replays_stored: the replay moves stored windows; absorbs: a window takes the place of stored
    ones that it joins; doubt_lasts: a key stays doubtful while windows that a replay made are in reach; keeps: what a stored
    window needs beside its bounds; functions: the registered functions that it may call; made_by_function: it always does.
#}
{% macro _session_traits(spec) %}
    {{- return({
        'replays_stored': true, 'absorbs': true, 'doubt_lasts': false, 'keeps': ['_ew_reach'] if spec.window.gap_by else [],
        'functions': ['event_windows_replay_sessions'], 'made_by_function': false, 'merged_in_numbering': false
    }) -}}
{% endmacro %}


{# Slices: two rows in one bucket as wide as the gap are less than a gap apart. With a gap per row: one slice per instant. #}
{% macro _session_slice(spec) %}
    {%- if spec.window.gap -%}
        {{- return(event_windows._time_bucket('_ew_time', spec.window.gap)) -}}
    {%- endif -%}
    {{- return('_ew_time') -}}
{% endmacro %}


{% macro _session_slice_reach(spec) %}
    {{- return('max(' ~ event_windows._session_row_reach(spec) ~ ')') -}}
{% endmacro %}


{# How far one row reaches. A gap that is null or negative is no gap: the row joins what reaches it. #}
{% macro _session_row_reach(spec) %}
    {%- if spec.window.gap_by -%}
        {%- set time = event_windows._name(spec.event_time) -%}
        {{- return('greatest(_ew_time, ' ~ event_windows._micros(time ~ ' + (' ~ spec.window.gap_by ~ ')', spec) ~ ')') -}}
    {%- endif -%}
    {{- return('_ew_time + ' ~ spec.window.gap) -}}
{% endmacro %}


{# How far a stored session reaches. #}
{% macro _session_stored_reach(spec, alias) %}
    {%- if spec.window.gap_by -%}
        {{- return(alias ~ '._ew_reach') -}}
    {%- endif -%}
    {{- return(event_windows._micros(alias ~ '.window_end', spec) ~ ' + ' ~ spec.window.gap) -}}
{% endmacro %}


{#
    A row less far behind its clock than this is not late, and touches no session that has left the state: its own reach is within
    grace, and what it touches ends within retention. With a gap per row nothing bounds how far a session reaches.
#}
{% macro _session_doubt_margin(spec) %}
    {%- if spec.window.gap_by -%}
        {{- return(spec.window.grace if spec.retention is none else 'always') -}}
    {%- endif -%}
    {%- set late = spec.window.grace + spec.window.gap -%}
    {{- return(late if spec.retention is none else [late, spec.retention - spec.window.gap] | min) -}}
{% endmacro %}


{# A stored session is touched if it and the new rows of the key reach each other. #}
{% macro _session_touches(spec, first, last, reach) %}
    {{- return(reach ~ ' >= touched._ew_first and ' ~ first ~ ' <= touched._ew_reach') -}}
{% endmacro %}


{# Pieces to sessions: a new one starts where a piece begins after all that came before it has ended. #}
{% macro _session_numbering(spec, reach) %}
reached as (
    select
        *,
        max(_ew_reach) over (
            partition by {{ event_windows._names(spec.key) }} order by _ew_first rows between unbounded preceding and 1 preceding
        ) as _ew_reached
    from pieces
),

numbered as (
    select
        *,
        cast(null as bigint) as _ew_window_last,
        max(case when _ew_first > _ew_reached or _ew_reached is null then _ew_first end) over (
            partition by {{ event_windows._names(spec.key) }} order by _ew_first
        ) as _ew_window
    from reached
)
{% endmacro %}


{# Late rows and what becomes of the others in doubtful keys, by the registered function: one call per bucket of keys. #}
{% macro _session_replay(spec, reach=none, buckets=8) %}
    {%- set key = event_windows._key_text(spec) -%}
    {%- set grace = 'cast(' ~ (spec.window.grace if spec.window.grace is not none else 'null') ~ ' as bigint)' -%}
    {%- set retention = 'cast(' ~ (spec.retention if spec.retention is not none else 'null') ~ ' as bigint)' -%}
    select inline(event_windows_replay_sessions(_ew_key, _ew_item, _ew_first, _ew_last, _ew_reach, _ew_clock, {{ grace }}, {{ retention }}))
        as (_ew_key, _ew_item, _ew_window, _ew_window_last)
    from (
        select
            {{ key }} as _ew_key, cast(_ew_item as bigint) as _ew_item,
            _ew_time as _ew_first, _ew_time as _ew_last, {{ event_windows._session_row_reach(spec) }} as _ew_reach, _ew_clock
        from suspects
        where _ew_time is not null
        {%- if reach %}
        union all
        select
            {{ key }}, cast(_ew_item as bigint),
            _ew_first, _ew_last, _ew_reach, cast(null as bigint)
        from suspect_windows
        {%- endif %}
    ) as replay_items
    group by pmod(hash(_ew_key), {{ buckets }})
{% endmacro %}


{# A session begins and ends with its first and last event. #}
{% macro _session_bounds(spec) %}
    {{- return({
        'window_start': 'min(window_start)', 'window_end': 'max(window_end)',
        '_ew_first': 'min(_ew_first)', '_ew_last': 'max(_ew_last)', '_ew_reach': 'max(_ew_reach)'
    }) -}}
{% endmacro %}


{# A stored session in reach of a row ends at most this long before it; none where nothing bounds it. #}
{% macro _session_reach_back(spec) %}
    {{- return(spec.window.gap) -}}
{% endmacro %}


{# The shortest legal retention. #}
{% macro _session_least_retention(window) %}
    {{- return(none if window.grace is none else window.grace + (window.gap or 0)) -}}
{% endmacro %}


{# Whether a stored session is closed at a clock (RULES: stream time > end + grace + gap). #}
{% macro _session_closed(spec, alias, clock) %}
    {{- return(event_windows._session_stored_reach(spec, alias) ~ ' < ' ~ clock ~ ' - ' ~ spec.window.grace) -}}
{% endmacro %}


{# The same for a window that is being made. #}
{% macro _session_closed_window(spec, alias, clock) %}
    {{- return(alias ~ '._ew_reach < ' ~ clock ~ ' - ' ~ spec.window.grace) -}}
{% endmacro %}


{# How far behind a clock a window can end and still be open. #}
{% macro _session_open_for(spec) %}
    {{- return(none if spec.window.gap_by else spec.window.grace + spec.window.gap) -}}
{% endmacro %}


{# Which rows are late: the replay found no session for them. `counted` are the rows. #}
{% macro _session_judge_in_order(spec, tables) %}
    {%- set joins %}
    left join {{ tables.replayed }} as replayed
        on {{ event_windows._key_text(spec, 'counted') }} = replayed._ew_key and counted._ew_item = replayed._ew_item
    {%- endset -%}
    {{- return({'joins': joins, 'lateness': "case when replayed._ew_item is not null and replayed._ew_window is null then 'late' end"}) -}}
{% endmacro %}


{# The same for rows that came in at one instant: those of a session that is late as a whole. #}
{% macro _session_judge_at_once(spec, before) %}
    {%- set joins %}
    left join judged_windows
        on {{ event_windows._equal(spec.key, 'counted', 'judged_windows') }}
        and judged_windows._ew_late
        and counted._ew_time between judged_windows._ew_first and judged_windows._ew_last
    {%- endset -%}
    {{- return({'joins': joins, 'lateness': "case when judged_windows._ew_late then 'late' end"}) -}}
{% endmacro %}
