{#
    What is in a sliding window, in SQL, for any aggregate that can be merged. Instants are cut into blocks as long as a
    window: a window then begins in one block and ends in it or in the next, and holds the end of the one (from its
    first instant on) and the beginning of the other (up to its last). Each share is made once, however many windows it
    goes into (van Herk 1992; Gil and Werman 1993).
#}
{% macro _sliding_assign_values(spec, stored) %}
{%- set window = spec.window -%}
{%- set keys = event_windows._names(spec.key) -%}
{%- set parts = event_windows._parts(spec) -%}
{%- set block = window.difference + 1 -%}
{%- set block_of_window = event_windows._time_bucket('_ew_window', block) -%}
moved as (
    {{ event_windows._sliding_moved(spec, stored) | trim }}
),

running as (
    select
        *,
        {%- for part in parts %}
        {{ event_windows._sliding_running(part, 'onward') }} as _ew_onward_{{ loop.index }},
        {{ event_windows._sliding_running(part, 'so_far') }} as _ew_so_far_{{ loop.index }},
        {%- endfor %}
        max(_ew_first) over onward as _ew_block_last
    from (
        select *, {{ event_windows._time_bucket('_ew_first', block) }} as _ew_block
        from instants
    ) as instants_in_blocks
    window
        onward as (partition by {{ keys }}, _ew_block order by _ew_first desc),
        so_far as (partition by {{ keys }}, _ew_block order by _ew_first)
),

shares as (
    {%- for share, latest in [('onward', '_ew_block_last'), ('so_far', '_ew_first')] %}
    {{- '\n    union all' if not loop.first }}
    select
        {{ keys }}, _ew_key, '{{ share }}' as _ew_share, _ew_first as _ew_at, {{ latest }} as _ew_newest,
        {%- for part in parts %}
        _ew_{{ share }}_{{ loop.index }} as {{ part.column }}{{ ',' if not loop.last }}
        {%- endfor %}
    from running
    {%- endfor %}
    {%- if stored %}
    union all
    select
        {{ keys }}, {{ event_windows._key_text(spec) }}, 'stored', _ew_first, _ew_newest,
        {%- for part in parts %}
        {{ part.column }}{{ ',' if not loop.last }}
        {%- endfor %}
    from merge_inputs
    where not _ew_new
    {%- endif %}
),

held as (
    select _ew_key, _ew_window, inline(array(
        {%- if stored %}
        named_struct('share', 'stored', 'at', _ew_base),
        {%- endif %}
        named_struct(
            'share', 'onward',
            'at',
            if({{ event_windows._time_bucket('_ew_first_new', block) }} = {{ block_of_window }}, _ew_first_new, null)
        ),
        named_struct(
            'share', 'so_far',
            'at',
            if({{ event_windows._time_bucket('_ew_last_new', block) }} = {{ block_of_window }}, null, _ew_last_new)
        )
    )) as (_ew_share, _ew_at)
    from moved
),

assigned as (
    select
        {{ event_windows._names(spec.key, 'shares') }},
        held._ew_window as _ew_first,
        held._ew_window + {{ window.difference }} as _ew_last,
        held._ew_window + {{ window.difference }} as _ew_until,
        shares._ew_newest,
        cast(null as boolean) as _ew_replayed,
        {%- for part in parts %}
        shares.{{ part.column }},
        {%- endfor %}
        {%- if stored %}
        true as _ew_new,
        {%- endif %}
        held._ew_window,
        held._ew_window + {{ window.difference }} as _ew_window_last
    from held
    inner join shares
        on held._ew_key = shares._ew_key and held._ew_share = shares._ew_share and held._ew_at = shares._ew_at
)
{% endmacro %}


{# The windows that change: the stored one whose rows go in, the first and the last new instant in each. #}
{% macro _sliding_moved(spec, stored) %}
    {%- if event_windows._is_view() %}{{ return(event_windows._sliding_moved_in_a_view(spec)) }}{% endif -%}
    select inline(arrays_zip(k, starts, base, first_new, last_new))
        as (_ew_key, _ew_window, _ew_base, _ew_first_new, _ew_last_new)
    from (
        select inline(event_windows_sliding_windows(
            _ew_key, _ew_first, _ew_newest,
            {{ event_windows._sliding_constants(spec, ['difference', 'resolution', 'origin']) }}
        )) as (k, starts, base, first_new, last_new)
        from (
            select _ew_key, _ew_first, cast(null as bigint) as _ew_newest
            from instants
            {%- if stored %}
            union all
            select {{ event_windows._key_text(spec) }}, _ew_first, _ew_newest
            from merge_inputs
            where not _ew_new
            {%- endif %}
        ) as times
        group by pmod(hash(_ew_key), {{ event_windows._replay_buckets(spec) }})
    ) as batches
{% endmacro %}


{#
    The same from scratch without a function, which Spark does not allow in a view. Range
    frames take longer the more rows a window holds.
#}
{% macro _sliding_moved_in_a_view(spec) %}
    {%- set window = spec.window -%}
    {%- set left = '_ew_first - ' ~ window.difference %}
    select distinct _ew_key, _ew_window, cast(null as bigint) as _ew_base, _ew_first_new, _ew_last_new
    from (
        select _ew_key, inline(_ew_ranges) as (_ew_window, _ew_first_new, _ew_last_new)
        from (
            select _ew_key, array(
                {%- if window.origin is not none %}
                if(
                    {{ left }} < {{ window.origin }},
                    named_struct(
                        'starts', {{ window.origin }}, 'first', min(_ew_first) over of_key,
                        'last',
                        max(if(_ew_first <= {{ window.origin + window.difference }}, _ew_first, null)) over of_key
                    ),
                    named_struct('starts', {{ left }}, 'first', min(_ew_first) over to_the_left, 'last', _ew_first)
                ),
                {%- else %}
                named_struct('starts', {{ left }}, 'first', min(_ew_first) over to_the_left, 'last', _ew_first),
                {%- endif %}
                named_struct(
                    'starts', _ew_first + {{ window.resolution }},
                    'first', min(_ew_first) over to_the_right, 'last', max(_ew_first) over to_the_right
                )
            ) as _ew_ranges
            from instants
            window
                of_key as (partition by _ew_key),
                to_the_left as (partition by _ew_key order by _ew_first
                    range between {{ window.difference }} preceding and current row),
                to_the_right as (
                    partition by _ew_key order by _ew_first
                    range between {{ window.resolution }} following
                        and {{ window.resolution + window.difference }} following
                )
        ) as ranges_of_instants
    ) as ranges
    where _ew_last_new is not null
{% endmacro %}


{# A part merged along the instants of a block, as a window function. #}
{% macro _sliding_running(part, frame) %}
    {{- return(event_windows._typed(part.running | replace('{over}', ' over ' ~ frame), part.type)) -}}
{% endmacro %}
