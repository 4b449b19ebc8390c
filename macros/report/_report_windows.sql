{#
    The windows of a model as a CTE report_windows: the key, _ew_first and _ew_last (both inclusive) and _ew_end (as it
    is shown) in microseconds, how many rows where the model counts them, _ew_closed, and _ew_idle: open only because no
    row of its key came for long, since it would be closed by the latest clock that there is; and _ew_shown, false where
    HAVING leaves a kept window out of the model for now, which the session must take as the one did that made it. Final
    windows that have closed are those that were published: the state keeps some, and some that HAVING has left out.
#}
{% macro _report_windows(asked) %}
    {%- set spec, tables = asked.spec, asked.tables -%}
    {%- set kept = asked.kept -%}
    {%- if kept %}{% do event_windows._check_shown_alike(kept) %}{% endif -%}
    {%- set until = event_windows._of_window('stored_until', spec, 'stored') -%}
    {%- set clock = event_windows._time_micros('clock.stream_time', spec) -%}
    {%- set closed = 'false' if spec.window.grace is none
        else 'coalesce(' ~ event_windows._closed(spec, until, clock) ~ ', false)' -%}
    {%- set late = 'false' if spec.window.grace is none
        else 'coalesce(' ~ event_windows._closed(spec, until, 'latest._ew_latest') ~ ', false)' -%}
    {%- set shown %}
        {{ event_windows._names(spec.key, 'stored') }},
        {{ event_windows._time_micros('stored.window_start', spec) }} as _ew_first,
        {{ event_windows._stored_last(spec, 'stored') }} as _ew_last,
        {{ event_windows._time_micros('stored.window_end', spec) }} as _ew_end,
    {%- endset %}
    {%- set none_counted = 'cast(null as bigint)' -%}
    {%- set counted = 'stored.' ~ event_windows._name(asked.count) if asked.count else none_counted -%}
latest_clock as (
    select max({{ event_windows._time_micros('stream_time', spec) }}) as _ew_latest
    from {{ event_windows._stream_time_of(asked) | indent }} as shown
),

report_windows as (
    select *
    from (
        select
            {{ shown | trim }}
            {{ counted }} as _ew_rows,
            {{ closed }} as _ew_closed,
            {{ late }} and not {{ closed }} as _ew_idle,
            {{ 'stored._ew_shown' if kept else 'true as _ew_shown' }}
        {%- if kept %}
        from (
            select *, coalesce({{ event_windows._asked_of_spark(kept.shown.having) }}, false) as _ew_shown
            from {{ kept.sql }}
        ) as stored
        {%- else %}
        from {{ tables.windows }} as stored
        {%- endif %}
        cross join latest_clock as latest
        {{ event_windows._join_slowest_clocks(asked) | trim }}
    ) as kept
    {%- if asked.published %}
    where not _ew_closed
    {%- endif %}
    {%- if asked.published and not asked.hidden %}
    union all
    select
        {{ shown | trim }}
        {{ none_counted if asked.published.shown and asked.count in asked.published.shown.hidden else counted }}
            as _ew_rows,
        true as _ew_closed,
        false as _ew_idle,
        true as _ew_shown
    from {{ asked.published.sql }} as stored
    {%- endif %}
)
{%- endmacro %}
