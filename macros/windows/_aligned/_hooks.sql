{#
    Windows that stand at fixed places in time (Dataflow and Flink call them aligned): tumbling, hopping, cumulating,
    calendar. Rows are reduced to panes, the stretches of time that lie in the same windows (Li et al., "No pane, no
    gain", 2005); a row counts in a window if it is open at the row's own arrival, so that no stored window takes part
    in a replay. Windows are [start, end); _ew_newest is the latest event time in one, which clocks are told by.
#}
{% macro _aligned_traits(spec) %}
    {%- set size = spec.window.size -%}
    {{- return({
        'length': size, 'lengths': [size, size], 'exclusive_end': true, 'replays_stored': false,
        'regroups': spec.window.get('advance', size) < size, 'places': true, 'absorbs': false, 'doubt_lasts': false,
        'keeps': ['_ew_newest'], 'functions': [], 'made_by_function': false, 'merged_in_assign': false,
        'rows_counted_once': true, 'publishes': true
    }) -}}
{% endmacro %}


{% macro _aligned_slice(spec) %}
    {{- return(event_windows._time_bucket('_ew_time', spec.window.pane, spec.window.align)) -}}
{% endmacro %}


{% macro _aligned_row_until(spec) %}
    {{- return('_ew_time') -}}
{% endmacro %}


{% macro _aligned_stored_until(spec, alias) %}
    {{- return(event_windows._stored_last(spec, alias)) -}}
{% endmacro %}


{% macro _aligned_stored_newest(spec, alias) %}
    {{- return(alias ~ '._ew_newest') -}}
{% endmacro %}


{% macro _aligned_touches(spec, first, last, until) %}
    {{- return(last ~ ' >= touched._ew_first and ' ~ first ~ ' <= touched._ew_until') -}}
{% endmacro %}


{% macro _aligned_reach_back(spec) %}
    {{- return(0) -}}
{% endmacro %}


{# All windows of a row end after it, so that at its clock less the grace, or later, none of them is closed. #}
{% macro _aligned_late_margin(spec) %}
    {{- return(spec.window.grace) -}}
{% endmacro %}


{# A slice, or a run of them, goes into each window that holds it; a stored window stays what it is. #}
{% macro _aligned_assign(spec, stored) %}
{%- set runs = event_windows._aligned_run(spec) -%}
{%- set windows = event_windows._aligned_windows_of_run(spec) if runs
    else event_windows._of_window('windows_of', spec, '_ew_first') -%}
{{ event_windows._aligned_runs(spec, stored) | trim ~ ',\n' if runs }}
bounded as (
    select
        *,
        explode({{
            "if(_ew_new, " ~ windows ~ ", array(named_struct('starts', _ew_first, 'ends', _ew_last + 1)))"
            if stored else windows
        }}) as _ew_bounds
    from {{ 'runs' if runs else 'merge_inputs' }}
),

assigned as (
    select *, _ew_bounds.starts as _ew_window, _ew_bounds.ends - 1 as _ew_window_last
    from bounded
)
{% endmacro %}


{#
    The windows that each row counts in: those open at its arrival, whatever is stored. Of a row that is not behind its
    clock by more than the grace all are, since they end after it: where they are many it is left to assign.
#}
{% macro _aligned_replay(spec, stored) %}
    {%- set open = '_ew_held -> _ew_held.ends > _ew_clock - ' ~ spec.window.grace -%}
    {%- set windows = event_windows._of_window('windows_of', spec, '_ew_time') -%}
    {%- set window, missed = '_ew_bounds.starts', 'not forall(_ew_windows, ' ~ open ~ ')' -%}
    {%- if event_windows._trait('regroups', spec) -%}
        {%- set windows = 'if(_ew_time < _ew_clock - ' ~ spec.window.grace ~ ', ' ~ windows ~ ', null)' -%}
        {%- set window = 'if(_ew_windows is null, _ew_time, ' ~ window ~ ')' -%}
        {%- set missed = 'coalesce(' ~ missed ~ ', false)' -%}
    {%- endif %}
    select
        _ew_key, _ew_item, {{ window }} as _ew_window, _ew_bounds.ends - 1 as _ew_window_last,
        _ew_missed
    from (
        select
            *,
            explode_outer(filter(_ew_windows, {{ open }})) as _ew_bounds,
            {{ missed }} as _ew_missed
        from (
            select *, {{ windows }} as _ew_windows
            from late_candidates
            where _ew_time is not null
        ) as placed
    ) as open_windows
{% endmacro %}


{# A window stands where it stands, whatever rows are in it. #}
{% macro _aligned_bounds(spec) %}
    {{- return({
        '_ew_first': '_ew_window', '_ew_last': '_ew_window_last', '_ew_until': '_ew_window_last',
        '_ew_newest': 'max(_ew_newest)'
    }) -}}
{% endmacro %}


{# The window of a row that ends first closes first. #}
{% macro _aligned_least_grace(spec, time, clock) %}
    {{- return(clock ~ ' - array_min(transform(' ~ event_windows._of_window('windows_of', spec, time)
        ~ ', _ew_held -> _ew_held.ends)) + 1') -}}
{% endmacro %}
