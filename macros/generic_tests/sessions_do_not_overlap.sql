{#
    Sessions that begin before one that started earlier has ended (both bounds inclusive); with a gap, also those that
    begin within the gap after it and so should have been one session with it.
#}
{% test sessions_do_not_overlap(model, key=none, gap=none) %}
    {{ adapter.dispatch('test_sessions_do_not_overlap', 'event_windows')(windows=model, key=key, gap=gap) }}
{% endtest %}


{% macro default__test_sessions_do_not_overlap(windows, key, gap) %}
    {%- set length = event_windows._duration('gap', gap, allow_zero=true) if gap is not none else {'micros': 0} -%}
    {%- if length.problem %}{{ event_windows._raise('test sessions_do_not_overlap', [length.problem]) }}{% endif -%}
    {%- set table = event_windows._tested_windows('sessions_do_not_overlap', windows, key) -%}
    {%- if not table.key %}{{- return('') -}}{% endif -%}
    {%- if table.spec and not event_windows._trait('absorbs', table.spec) -%}
        {{ event_windows._raise('test sessions_do_not_overlap', [
            table.sql ~ ' has windows of type ' ~ table.spec.window.type
                ~ ', which are not sessions: use windows_are_unique'
        ]) }}
    {%- endif -%}
    {%- set type = event_windows._window_time_type(table) -%}
select *
from (
    select
        {{ event_windows._names(table.key) }},
        window_start,
        window_end,
        max(window_end) over (
            partition by {{ event_windows._names(table.key) }} order by window_start, window_end
            rows between unbounded preceding and 1 preceding
        ) as earlier_session_ends
    from {{ table.sql }}
) as sessions
where {{ event_windows._micros('window_start', type) }} - {{ event_windows._micros('earlier_session_ends', type) }}
    <= {{ length.micros }}
{% endmacro %}
