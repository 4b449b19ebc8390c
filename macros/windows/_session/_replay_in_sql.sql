{#
    Late rows of sessions in SQL alone, with the same result as the registered function. `items` is a SELECT: rows and,
    with numbers below zero, stored sessions.

    island   items of a key that reach each other, directly or through others: no session ever spans two of them
    alone    a row that may be late, or may reach a session that has left the state. All other rows join whatever they
             reach, so that the order in which they came means nothing
    part     an item alone; or other rows of an island that came between two such rows and reach each other

    So a replay takes the parts of an island one after the other, and costs little where few rows are far behind.
#}
{% macro _session_replay_in_sql(spec, items) %}
    {%- set most = event_windows._count_var('max_replay_steps') %}
    select _ew_key, inline(_ew_replayed) as (_ew_item, _ew_window, _ew_window_last), false as _ew_missed
    from (
        select
            _ew_key,
            if(
                size(_ew_parts) > {{ most }},
                {{ event_windows._too_many_steps(most) }},
                {{ event_windows._session_fold(spec) | trim | indent(16) }}
            ) as _ew_replayed
        from (
            select _ew_key, sort_array(collect_list(_ew_part)) as _ew_parts
            from (
                select _ew_key, _ew_island, named_struct(
                    'item', min(_ew_item), 'first', min(_ew_first), 'last', max(_ew_last), 'until', max(_ew_until),
                    'clock', min(_ew_clock), 'items', collect_list(_ew_item)
                ) as _ew_part
                from (
                    {{ event_windows._session_parts(spec, items) | trim | indent(20) }}
                ) as items_of_parts
                group by _ew_key, _ew_island, _ew_alone, _ew_turn, _ew_start
            ) as parts
            group by _ew_key, _ew_island
        ) as islands
    ) as replayed_islands
{% endmacro %}


{# Items with the part that each is in: _ew_island, _ew_alone, _ew_turn, _ew_start. #}
{% macro _session_parts(spec, items) %}
    {%- set ordered %}
select *, count_if(_ew_alone) over (partition by _ew_key, _ew_island order by _ew_item) as _ew_turn
from (
    select *, {{ event_windows._session_row_alone(spec) }} as _ew_alone
    from (
        {{ event_windows._joined_by_reach(items, '_ew_key', '_ew_island') | trim | indent(8) }}
    ) as items_of_islands
) as items_in_doubt
    {%- endset -%}
    {{- event_windows._joined_by_reach(
        ordered | trim, '_ew_key, _ew_island, _ew_alone, _ew_turn', '_ew_start'
    ) -}}
{% endmacro %}


{# Items with the first instant of those that reach each other, as far as the columns `by` agree. #}
{% macro _joined_by_reach(items, by, name) %}
select
    *,
    max(case when _ew_first > {{ name }}_reached or {{ name }}_reached is null then _ew_first end) over (
        partition by {{ by }} order by _ew_first
    ) as {{ name }}
from (
    select
        *,
        max(_ew_until) over (
            partition by {{ by }} order by _ew_first rows between unbounded preceding and 1 preceding
        ) as {{ name }}_reached
    from (
        {{ items | indent(8) }}
    ) as {{ name }}_items
) as {{ name }}_in_order
{% endmacro %}


{#
    A row whose own gap ends within grace is not late, whatever it joins. What it reaches ended at most the widest gap
    of the island before it, and has not left the state where that lies within retention. Times are subtracted and not
    the grace from a time, since the longest grace would leave the range of a bigint.
#}
{% macro _session_row_alone(spec) %}
    {%- set reasons = ['_ew_item < 0'] -%}
    {%- if spec.window.grace is not none -%}
        {%- do reasons.append('_ew_clock - _ew_until > ' ~ spec.window.grace) -%}
    {%- endif -%}
    {%- if spec.retention is not none -%}
        {%- do reasons.append('_ew_clock - _ew_first > ' ~ spec.retention
            ~ ' - max(_ew_until - _ew_last) over (partition by _ew_key, _ew_island)') -%}
    {%- endif -%}
    {{- return(reasons | join(' or ')) -}}
{% endmacro %}


{#
    The parts of an island one after the other. What is carried along is {live, late}: its sessions as they stand, each
    with the items in it, part by part, and the rows that were late. Of a part that is no single row the earliest clock
    stands for all: by it, too, the part is not late and nothing that it reaches has left.
#}
{% macro _session_fold(spec) %}
    {%- set touches = 'session.first <= arrived.until and session.until >= arrived.first' ~ (
        ' and arrived.clock - session.last <= ' ~ spec.retention if spec.retention is not none else ''
    ) -%}
    {%- set late = 'false' if spec.window.grace is none else 'arrived.clock - hull.until > ' ~ spec.window.grace %}
aggregate(
    filter(_ew_parts, part -> part.item > 0),
    named_struct(
        'live', transform(filter(_ew_parts, part -> part.item < 0), part -> {{ event_windows._session_of('part') }}),
        'late', cast(array() as array<bigint>)
    ),
    (state, arrived) -> aggregate(
        state.live,
        {{ event_windows._session_of('arrived') }},
        (hull, session) -> if({{ touches }}, named_struct(
            'first', least(hull.first, session.first),
            'last', greatest(hull.last, session.last),
            'until', greatest(hull.until, session.until),
            'items', concat(session.items, hull.items)
        ), hull),
        hull -> if({{ late }}, named_struct(
            'live', state.live,
            'late', concat(state.late, array(arrived.item))
        ), named_struct(
            'live', concat(filter(state.live, session -> not ({{ touches }})), array(hull)),
            'late', state.late
        ))
    ),
    state -> concat(
        flatten(transform(
            filter(state.live, session -> exists(session.items, numbers -> numbers[0] > 0)),
            session -> transform(flatten(session.items), i -> named_struct(
                'item', i, 'first', session.first, 'last', session.last
            ))
        )),
        transform(state.late, i -> named_struct(
            'item', i, 'first', cast(null as bigint), 'last', cast(null as bigint)
        ))
    )
)
{% endmacro %}


{# A part as a session of its own. #}
{% macro _session_of(part) %}
    {{- return(event_windows._named_struct({
        'first': part ~ '.first', 'last': part ~ '.last', 'until': part ~ '.until', 'items': 'array(' ~ part ~ '.items)'
    })) -}}
{% endmacro %}
