{#
    What the refresh asks of a window type, for windows that stand still: tumbling, hopping and cumulating. Rows are reduced
    to panes, the stretches of time that lie in the same windows; a row counts in a window if it is open at the row's own
    arrival, so that nothing needs to be replayed. Windows are [start, end).
#}

{# What is particular to the type: see _session_traits. #}
{% macro _panes_traits(spec) %}
    {{- return({'replays_stored': false, 'absorbs': false, 'doubt_lasts': false, 'keeps': [], 'functions': [], 'made_by_function': false, 'merged_in_numbering': false}) -}}
{% endmacro %}


{# Slices: panes as wide as the greatest width that divides both the size and the advance. #}
{% macro _panes_slice(spec) %}
    {{- return(event_windows._time_bucket('_ew_time', spec.window.pane, spec.window.origin)) -}}
{% endmacro %}


{% macro _panes_slice_reach(spec) %}
    {{- return('max(_ew_time)') -}}
{% endmacro %}


{#
    The windows that hold an instant, as an array of (start, end). Hopping: starts from the last one that is not after it
    back to the first whose window still holds it, none before the origin. Cumulating: every end of its size after it.
#}
{% macro _panes_windows_of(spec, time) %}
    {%- set window = spec.window -%}
    {%- set last = '(' ~ event_windows._time_bucket(time, window.advance, window.origin) ~ ')' -%}
    {%- if window.kind == 'cumulating' -%}
        {%- set start = '(' ~ event_windows._time_bucket(time, window.size, window.origin) ~ ')' -%}
        {{- return('transform(sequence(' ~ last ~ ' + ' ~ window.advance ~ ', ' ~ start ~ ' + ' ~ window.size ~ ', ' ~ window.advance
            ~ "), ends -> named_struct('starts', " ~ start ~ ", 'ends', ends))") -}}
    {%- endif -%}
    {%- set first = last ~ ' - ' ~ window.advance ~ ' * ((' ~ last ~ ' + ' ~ window.size ~ ' - 1 - ' ~ time ~ ') div ' ~ window.advance ~ ')' -%}
    {%- if window.origin is not none %}{% set first = 'greatest(' ~ first ~ ', ' ~ window.origin ~ ')' %}{% endif -%}
    {{- return('transform(sequence(' ~ first ~ ', ' ~ last ~ ', ' ~ window.advance
        ~ "), starts -> named_struct('starts', starts, 'ends', starts + " ~ window.size ~ '))') -}}
{% endmacro %}


{# A row at its clock or after it less the grace is in no closed window: all its windows end after it. #}
{% macro _panes_doubt_margin(spec) %}
    {{- return(spec.window.grace) -}}
{% endmacro %}


{# Where a stored window ends; it is touched if it holds a time between the first and the last new row of the key. #}
{% macro _panes_stored_reach(spec, alias) %}
    {{- return(event_windows._micros(alias ~ '.window_end', spec)) -}}
{% endmacro %}


{% macro _panes_touches(spec, first, last, reach) %}
    {{- return(last ~ ' > touched._ew_first and ' ~ first ~ ' <= touched._ew_reach') -}}
{% endmacro %}


{# Pieces to windows: a slice, or a run of them, goes into each window that holds it, a stored window stays what it is. #}
{% macro _panes_numbering(spec, reach) %}
{%- set runs = event_windows._panes_run(spec) -%}
{%- set windows = event_windows._panes_windows_of_run(spec) if runs else event_windows._panes_windows_of(spec, '_ew_first') -%}
{{ event_windows._panes_runs(spec, reach) | trim ~ ',\n' if runs }}
bounded as (
    select
        *,
        explode({{ "if(_ew_new, " ~ windows ~ ", array(named_struct('starts', _ew_first, 'ends', _ew_last)))" if reach else windows }}) as _ew_bounds
    from {{ 'runs' if runs else 'pieces' }}
),

numbered as (
    select *, _ew_bounds.starts as _ew_window, _ew_bounds.ends as _ew_window_last
    from bounded
)
{% endmacro %}


{# The windows that each row of the doubtful keys counts in: those open at its arrival. #}
{% macro _panes_replay(spec, reach=none) %}
    select {{ event_windows._key_text(spec) }} as _ew_key, _ew_item, _ew_bounds.starts as _ew_window, _ew_bounds.ends as _ew_window_last
    from (
        select *, explode(filter({{ event_windows._panes_windows_of(spec, '_ew_time') }}, held -> held.ends > _ew_clock - {{ spec.window.grace }})) as _ew_bounds
        from suspects
        where _ew_time is not null
    ) as open_windows
{% endmacro %}


{# A window stands where it stands, whatever rows are in it. #}
{% macro _panes_bounds(spec) %}
    {{- return({
        'window_start': event_windows._from_micros('_ew_window', spec), 'window_end': event_windows._from_micros('_ew_window_last', spec),
        '_ew_first': '_ew_window', '_ew_last': '_ew_window_last', '_ew_reach': '_ew_window_last'
    }) -}}
{% endmacro %}


{% macro _panes_reach_back(spec) %}
    {{- return(0) -}}
{% endmacro %}


{% macro _panes_least_retention(window) %}
    {{- return(none if window.grace is none else window.grace + window.size) -}}
{% endmacro %}


{# Closed when stream time >= end + grace. #}
{% macro _panes_closed(spec, alias, clock) %}
    {{- return(event_windows._micros(alias ~ '.window_end', spec) ~ ' <= ' ~ clock ~ ' - ' ~ spec.window.grace) -}}
{% endmacro %}


{% macro _panes_closed_window(spec, alias, clock) %}
    {{- return(alias ~ '._ew_last <= ' ~ clock ~ ' - ' ~ spec.window.grace) -}}
{% endmacro %}


{% macro _panes_open_for(spec) %}
    {{- return(spec.window.grace) -}}
{% endmacro %}


{# late: every window of the row was closed at its arrival; late_partial: some were. #}
{% macro _panes_judge_in_order(spec, tables) %}
    {{- return({'joins': '', 'lateness': event_windows._panes_lateness(spec, 'counted._ew_clock')}) -}}
{% endmacro %}


{% macro _panes_judge_at_once(spec, before) %}
    {{- return({'joins': '', 'lateness': event_windows._panes_lateness(spec, before)}) -}}
{% endmacro %}


{% macro _panes_lateness(spec, clock) %}
    {%- set windows = event_windows._panes_windows_of(spec, 'counted._ew_time') -%}
    {%- set closed = ', held -> held.ends <= ' ~ clock ~ ' - ' ~ spec.window.grace ~ ')' -%}
    {{- return("case when forall(" ~ windows ~ closed ~ " then 'late' when exists(" ~ windows ~ closed ~ " then 'late_partial' end") -}}
{% endmacro %}
