{#
    The stored clocks, m__stream_time: stream time per scope, the latest event time of its rows so far (the stream-time table of
    the per-key KIP), and how many windows of the scope are open at it and in the state, so that a refresh can tell how many
    it closes without looking at them again. What all this was before the refresh that changed it last stands beside it.
#}

{# The clocks of a refresh as they are after it. #}
{% macro _moved_clocks(spec, tables, read) %}
    {%- set scope = event_windows._clock_scope(spec) -%}
    {%- set counts = event_windows._window_counts(spec) %}
    select
        {{ event_windows._names(scope, 'clocks') }}{{ ', ' if scope }}{{ event_windows._from_micros('clocks._ew_after', spec) }} as stream_time,
        {{ counts.open }} as _ew_open,
        {{ counts.in_state }} as _ew_in_state
    from {{ tables.clocks }} as clocks
    {%- if counts.any %}
    left join {{ tables.windows }} as stored
        on {{ event_windows._equal(scope, 'stored', 'clocks') or 'true' }}
        and stored._ew_segment >= {{ event_windows._open_segment_from(spec, read) }}
    group by {{ event_windows._names(scope, 'clocks') }}{{ ', ' if scope }}clocks._ew_after
    {%- endif %}
{% endmacro %}


{#
    Windows to be counted beside each clock, as aggregates over stored windows; null where they never close or leave the state, and where several
    partitions with a clock each feed one key, since no single clock closes such a window.
#}
{% macro _window_counts(spec) %}
    {%- set clock_of_key = not event_windows._clock_scope(spec) | reject('in', spec.key) | list -%}
    {%- set open = clock_of_key and spec.window.grace is not none -%}
    {%- set in_state = clock_of_key and spec.retention is not none -%}
    {%- set unknown = 'cast(null as bigint)' -%}
    {{- return({
        'any': open or in_state,
        'open': 'count_if(not ' ~ event_windows._passed(spec, 'closed', 'clocks._ew_after') ~ ')' if open else unknown,
        'in_state': 'count_if(not ' ~ event_windows._passed(spec, 'left', 'clocks._ew_after') ~ ')' if in_state else unknown
    }) -}}
{% endmacro %}


{# Whether a clock has passed this point of a stored window: it is 'closed', or has 'left' the state. #}
{% macro _passed(spec, point, clock) %}
    {%- if point == 'closed' -%}
        {{- return('(' ~ event_windows._of_type('closed', spec, 'stored', clock) ~ ')') -}}
    {%- endif -%}
    {{- return('(' ~ event_windows._micros('stored.window_end', spec) ~ ' < ' ~ clock ~ ' - ' ~ (spec.leaves_after if spec.leaves_after is not none else spec.retention) ~ ')') -}}
{% endmacro %}


{# The oldest segment in which a window can be open, or in the state, after this refresh. #}
{% macro _open_segment_from(spec, read) %}
    {%- set open_for = event_windows._of_type('open_for', spec) if spec.window.grace is not none else 0 -%}
    {%- set longest = none if open_for is none else [open_for, spec.retention, spec.leaves_after] | reject('none') | max -%}
    {{- return(event_windows._oldest_segment(spec, read.clock_least, longest)) -}}
{% endmacro %}


{# What is stored of a clock, beside its scope and the refresh that wrote it. #}
{% macro _clock_values() %}
    {{- return(['stream_time', '_ew_open', '_ew_in_state']) -}}
{% endmacro %}


{# Creates the stored clocks of a build. #}
{% macro _create_clocks(spec, tables, pending, read) %}
    {%- set sql -%}
select *, if(false, struct({{ event_windows._names(event_windows._clock_values()) }}), null) as _ew_previous, cast({{ pending.refresh }} as bigint) as _ew_refresh
from (
    {{ event_windows._moved_clocks(spec, tables, read) | trim }}
) as moved
    {%- endset -%}
    {%- do run_query(event_windows._of_format('create', tables.stream_time, sql=sql)) -%}
{% endmacro %}


{# Moves the stored clocks. Doing it again changes nothing. #}
{% macro _move_clocks(spec, tables, pending, read) %}
    {%- set scope = event_windows._clock_scope(spec) -%}
    {%- set values = event_windows._clock_values() -%}
    {%- set sql %}
merge into {{ tables.stream_time }} as kept
using (
    {{ event_windows._moved_clocks(spec, tables, read) | trim }}
) as moved
on {{ event_windows._equal(scope, 'kept', 'moved', null_safe=spec.clock == 'partition') or 'true' }}
when matched and kept._ew_refresh < {{ pending.refresh }} then update set
    {% for value in values %}{{ value }} = moved.{{ value }}, {% endfor -%}
    _ew_previous = struct({{ event_windows._names(values, 'kept') }}), _ew_refresh = {{ pending.refresh }}
when not matched then insert ({{ event_windows._names(scope + values) }}, _ew_refresh)
    values ({{ event_windows._names(scope + values, 'moved') }}, {{ pending.refresh }})
    {%- endset -%}
    {%- do run_query(sql) -%}
{% endmacro %}


{# {'scopes': stored clocks, 'clock': the latest of them}. #}
{% macro _clocks_kept(spec, tables) %}
    {%- set row = run_query('select count(*) as scopes, max(' ~ event_windows._micros('stream_time', spec) ~ ') as clock from ' ~ tables.stream_time).rows[0] -%}
    {{- return({'scopes': row['scopes'], 'clock': row['clock']}) -}}
{% endmacro %}
