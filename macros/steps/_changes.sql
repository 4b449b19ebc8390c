{#
    Step changes: what a refresh changes in the windows table, as CTEs from windows to changes. _ew_place 0 is the
    window as it is now, matched with the stored one of the same bounds' start; the others are stored windows that it
    takes the place of. `at_once`: windows that were closed before this refresh stay as they are, see _late_at_once.
#}
{% macro _changes(spec, at_once) %}
{%- if at_once %}
{{ event_windows._late_at_once(spec) | trim }},
{% endif %}
changes as (
    select windows.*, posexplode(concat(
        array(_ew_same), filter(_ew_stored, _ew_one -> not _ew_one <=> _ew_same)
    )) as (_ew_place, _ew_was)
    from (
        select
            *,
            try_element_at(filter(
                _ew_stored,
                _ew_one -> _ew_one.window_start = {{ event_windows._start_of(spec, {'_ew_first': '_ew_first'}) }}
            ), 1) as _ew_same
        from {{ '(select * from windows_at_once where not _ew_late) as open_windows' if at_once else 'windows' }}
    ) as windows
)
{% endmacro %}


{#
    Lateness where all new rows came in at one instant (no arrival order): a window that they make is late if it was
    closed at the stream time that earlier refreshes left. CTE windows_at_once: the windows, each with _ew_late.
#}
{% macro _late_at_once(spec) %}
windows_at_once as (
    select
        windows.*,
        coalesce({{ event_windows._closed(spec, 'windows._ew_until', 'clocks_before._ew_before') }}, false) as _ew_late
    from windows
    left join clocks_before
        on {{ event_windows._equal(event_windows._clock_scope(spec), 'windows', 'clocks_before', null_safe=true) }}
)
{% endmacro %}
