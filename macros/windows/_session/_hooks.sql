{#
    Sessions. A session is an interval [first, until], where until is as far as any of its rows' gaps goes; sessions
    that overlap are one. Slices are buckets as wide as the gap: two rows in a bucket are less than a gap apart, so no
    bucket spans two sessions.
#}
{% macro _session_traits(spec) %}
    {%- set window = spec.window -%}
    {{- return({
        'length': window.gap, 'lengths': [0, none], 'exclusive_end': false, 'replays_stored': true,
        'regroups': spec.retention is none, 'places': spec.retention is not none, 'absorbs': true,
        'doubt_lasts': false,
        'keeps': ['_ew_until'] if window.gap_by else [],
        'functions': [] if spec.get('replay') == 'sql' else ['event_windows_replay_sessions'],
        'made_by_function': false, 'merged_in_assign': false, 'rows_counted_once': true,
        'publishes': 'with a gap per row (so is one with days in plain SQL, which are of the calendar: write hours) '
            ~ 'nothing bounds how long a session stays open: allowed is one gap for all rows'
            if window.gap_by else true
    }) -}}
{% endmacro %}


{# With a gap per row, or of zero: a slice per instant. #}
{% macro _session_slice(spec) %}
    {{- return(event_windows._time_bucket('_ew_time', spec.window.gap) if spec.window.gap else '_ew_time') -}}
{% endmacro %}


{#
    A gap that is null or negative is no gap: the row joins what reaches it. One that no window can count has none: from
    its time, which may be the last that there is, nothing can be reckoned.
#}
{% macro _session_row_until(spec) %}
    {%- if not spec.window.gap_by %}{{- return('_ew_time + ' ~ spec.window.gap) -}}{% endif -%}
    {%- set reached = event_windows._name(spec.event_time) ~ ' + (' ~ spec.window.gap_by ~ ')' -%}
    {{- return('case when _ew_time is not null then greatest(_ew_time, '
        ~ event_windows._time_micros('(' ~ reached ~ ')', spec) ~ ') end') -}}
{% endmacro %}


{% macro _session_stored_until(spec, alias) %}
    {{- return(alias ~ '._ew_until' if spec.window.gap_by else event_windows._stored_last(spec, alias) ~ ' + '
        ~ spec.window.gap) -}}
{% endmacro %}


{# A session ends with its latest event. #}
{% macro _session_stored_newest(spec, alias) %}
    {{- return(event_windows._stored_last(spec, alias)) -}}
{% endmacro %}


{# A stored session is touched if it and the new rows of the key reach each other. #}
{% macro _session_touches(spec, first, last, until) %}
    {{- return(until ~ ' >= touched._ew_first and ' ~ first ~ ' <= touched._ew_until') -}}
{% endmacro %}


{% macro _session_reach_back(spec) %}
    {{- return(spec.window.gap) -}}
{% endmacro %}


{#
    A row less far behind its clock than this is not late, and touches no session that has left the state: its own gap
    ends within grace, and what it touches ends within retention. With a gap per row nothing bounds how far a session
    reaches.
#}
{% macro _session_late_margin(spec) %}
    {%- if spec.window.gap_by -%}
        {{- return(spec.window.grace if spec.retention is none else 'always') -}}
    {%- endif -%}
    {%- set late = spec.window.grace + spec.window.gap -%}
    {{- return(late if spec.retention is none else [late, spec.retention - spec.window.gap] | min) -}}
{% endmacro %}


{# A new session starts where an input begins after all that came before it has ended. #}
{% macro _session_assign(spec, stored) %}
reached as (
    select
        *,
        max(_ew_until) over (
            partition by {{ event_windows._names(spec.key) }} order by _ew_first
            rows between unbounded preceding and 1 preceding
        ) as _ew_reached
    from merge_inputs
),

assigned as (
    select
        *,
        cast(null as bigint) as _ew_window_last,
        max(case when _ew_first > _ew_reached or _ew_reached is null then _ew_first end) over (
            partition by {{ event_windows._names(spec.key) }} order by _ew_first
        ) as _ew_window
    from reached
)
{% endmacro %}


{# Late rows and what becomes of the others, in SQL alone or by the registered function: one call per bucket of keys. #}
{% macro _session_replay(spec, stored) %}
    {%- set items = event_windows._session_items(spec, stored) | trim -%}
    {%- if spec.get('replay') == 'sql' %}{{ return(event_windows._session_replay_in_sql(spec, items)) }}{% endif %}
    select _ew_key, _ew_item, _ew_window, _ew_window_last, false as _ew_missed
    from (
        select inline(event_windows_replay_sessions(
            _ew_key, _ew_item, _ew_first, _ew_last, _ew_until, _ew_clock,
            {{ event_windows._bigint(spec.window.grace) }}, {{ event_windows._bigint(spec.retention) }},
            {{ event_windows._max_rows_per_key() }}
        )) as (_ew_key, _ew_item, _ew_window, _ew_window_last)
        from (
            {{ items | indent(12) }}
        ) as replay_items
        group by pmod(hash(_ew_key), {{ event_windows._replay_buckets(spec) }})
    ) as replayed_sessions
{% endmacro %}


{# What a replay takes: rows, and stored sessions as items below zero. #}
{% macro _session_items(spec, stored) %}
select
    _ew_key, _ew_item,
    _ew_time as _ew_first, _ew_time as _ew_last, _ew_until, _ew_clock
from late_candidates
where _ew_time is not null
{%- if stored %}
union all
select
    {{ event_windows._replayed_key(spec, 'late_windows', stored=true) }}, cast(_ew_item as bigint),
    _ew_first, _ew_last, _ew_until, cast(null as bigint)
from late_windows
{%- endif %}
{% endmacro %}


{# A session begins and ends with its first and last event. #}
{% macro _session_bounds(spec) %}
    {{- return({'_ew_first': 'min(_ew_first)', '_ew_last': 'max(_ew_last)', '_ew_until': 'max(_ew_until)'}) -}}
{% endmacro %}


{# Which rows share a session depends on other rows. #}
{% macro _session_windows_of(spec, time) %}
    {{- return(none) -}}
{% endmacro %}


{#
    A session that holds this row alone is open until its gap has passed. With a gap per row
    the gap is not known here: zero is on the safe side.
#}
{% macro _session_least_grace(spec, time, clock) %}
    {{- return(clock ~ ' - ' ~ time ~ (' - ' ~ spec.window.gap if spec.window.gap else '')) -}}
{% endmacro %}
