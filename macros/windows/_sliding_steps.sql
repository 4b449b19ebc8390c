{#
    What the refresh asks of a window type, for sliding windows (KIP-450), both ends inclusive. A window afterwards is a window
    stored before, or nothing, and a stretch of new instants; the registered functions say which, and need only times
    for it. _ew_reach is the latest event time in a window.
#}

{# What is particular to the type: see _session_traits. #}
{% macro _sliding_traits(spec) %}
    {{- return({
        'replays_stored': true, 'absorbs': false, 'doubt_lasts': true, 'keeps': ['_ew_reach', '_ew_replayed'],
        'functions': ['event_windows_sliding_windows', 'event_windows_sliding_values', 'event_windows_replay_sliding'], 'made_by_function': true,
        'merged_in_numbering': event_windows._sliding_numbers(spec) is not none
    }) -}}
{% endmacro %}


{# Slices: instants. #}
{% macro _sliding_slice(spec) %}
    {{- return('_ew_time') -}}
{% endmacro %}


{% macro _sliding_slice_reach(spec) %}
    {{- return('max(_ew_time)') -}}
{% endmacro %}


{# At its clock less the grace or later a row is in no closed window: all its windows end at its time or later. #}
{% macro _sliding_doubt_margin(spec) %}
    {{- return(spec.window.grace) -}}
{% endmacro %}


{% macro _sliding_stored_reach(spec, alias) %}
    {{- return(alias ~ '._ew_reach') -}}
{% endmacro %}


{# Windows that hold a new row start at most the difference before it; what goes into new ones starts as long before these. #}
{% macro _sliding_touches(spec, first, last, reach) %}
    {%- set window = spec.window -%}
    {{- return(last ~ ' >= touched._ew_first - ' ~ (window.difference + window.resolution) ~ ' and ' ~ first ~ ' <= touched._ew_reach + ' ~ window.resolution) -}}
{% endmacro %}


{% macro _sliding_reach_back(spec) %}
    {{- return(spec.window.difference + spec.window.resolution) -}}
{% endmacro %}


{#
    Pieces to windows, for keys without doubt: new rows at one time of a key are one instant, and a registered function says which
    windows instants change. It merges what is in them too where that is numbers; anything else is put together in SQL.
    Slices are instants, unless they are kept apart by more than the key.
#}
{% macro _sliding_numbering(spec, reach) %}
{%- set several = event_windows._slice_scope(spec) != spec.key -%}
instants as (
    select
        {{ event_windows._names(spec.key) }},
        {{ event_windows._key_text(spec) }} as _ew_key,
        _ew_first,
        {%- for part in event_windows._parts(spec) %}
        {{ event_windows._typed(part.merge, part.type) ~ ' as ' ~ part.column if several else part.column }}{{ ',' if not loop.last }}
        {%- endfor %}
    from pieces
    {%- if reach %}
    where _ew_new
    {%- endif %}
    {%- if several %}
    group by {{ event_windows._names(spec.key) }}, _ew_first
    {%- endif %}
),

{{ event_windows._sliding_numbering_of_values(spec, reach) | trim if event_windows._sliding_numbers(spec) is none else event_windows._sliding_numbering_of_numbers(spec, reach) | trim }}
{% endmacro %}


{#
    What is in a window, in SQL. Instants are cut into blocks as long as a window: a window then begins in one block
    and ends in it or in the next, and holds the end of the one (from its first instant on) and the beginning of the
    other (up to its last). So each share is made once, however many windows it goes into.
#}
{% macro _sliding_numbering_of_values(spec, reach) %}
{%- set window = spec.window -%}
{%- set keys = event_windows._names(spec.key) -%}
{%- set parts = event_windows._parts(spec) -%}
{%- set block = window.difference + 1 -%}
moved as (
    {{ event_windows._sliding_moved(spec, reach) | trim }}
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
        {{ keys }}, _ew_key, '{{ share }}' as _ew_share, _ew_first as _ew_at, {{ latest }} as _ew_reach,
        {%- for part in parts %}
        _ew_{{ share }}_{{ loop.index }} as {{ part.column }}{{ ',' if not loop.last }}
        {%- endfor %}
    from running
    {%- endfor %}
    {%- if reach %}
    union all
    select
        {{ keys }}, {{ event_windows._key_text(spec) }}, 'stored', _ew_first, _ew_reach,
        {%- for part in parts %}
        {{ part.column }}{{ ',' if not loop.last }}
        {%- endfor %}
    from pieces
    where not _ew_new
    {%- endif %}
),

held as (
    select _ew_key, _ew_window, inline(array(
        {%- if reach %}
        named_struct('share', 'stored', 'at', _ew_base),
        {%- endif %}
        named_struct('share', 'onward', 'at', if({{ event_windows._time_bucket('_ew_first_new', block) }} = {{ event_windows._time_bucket('_ew_window', block) }}, _ew_first_new, null)),
        named_struct('share', 'so_far', 'at', if({{ event_windows._time_bucket('_ew_last_new', block) }} = {{ event_windows._time_bucket('_ew_window', block) }}, null, _ew_last_new))
    )) as (_ew_share, _ew_at)
    from moved
),

numbered as (
    select
        {{ event_windows._names(spec.key, 'shares') }},
        {{ event_windows._sliding_no_bounds(spec) }},
        shares._ew_at as _ew_first,
        shares._ew_reach as _ew_last,
        shares._ew_reach,
        {%- for part in parts %}
        shares.{{ part.column }},
        {%- endfor %}
        {%- if reach %}
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
{% macro _sliding_moved(spec, reach, buckets=8) %}
    {%- if event_windows._is_view() %}{{ return(event_windows._sliding_moved_in_a_view(spec)) }}{% endif -%}
    select inline(arrays_zip(k, starts, base, first_new, last_new)) as (_ew_key, _ew_window, _ew_base, _ew_first_new, _ew_last_new)
    from (
        select inline(event_windows_sliding_windows(_ew_key, _ew_first, _ew_newest, {{ event_windows._sliding_constants(spec, ['difference', 'resolution', 'origin']) }}))
            as (k, starts, base, first_new, last_new)
        from (
            select _ew_key, _ew_first, cast(null as bigint) as _ew_newest
            from instants
            {%- if reach %}
            union all
            select {{ event_windows._key_text(spec) }}, _ew_first, _ew_reach
            from pieces
            where not _ew_new
            {%- endif %}
        ) as times
        group by pmod(hash(_ew_key), {{ buckets }})
    ) as batches
{% endmacro %}


{# The same from scratch without a function, which Spark does not allow in a view. Range frames take longer the more rows a window holds. #}
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
                    named_struct('starts', {{ window.origin }}, 'first', min(_ew_first) over of_key, 'last', max(if(_ew_first <= {{ window.origin + window.difference }}, _ew_first, null)) over of_key),
                    named_struct('starts', {{ left }}, 'first', min(_ew_first) over to_the_left, 'last', _ew_first)
                ),
                {%- else %}
                named_struct('starts', {{ left }}, 'first', min(_ew_first) over to_the_left, 'last', _ew_first),
                {%- endif %}
                named_struct('starts', _ew_first + {{ window.resolution }}, 'first', min(_ew_first) over to_the_right, 'last', max(_ew_first) over to_the_right)
            ) as _ew_ranges
            from instants
            window
                of_key as (partition by _ew_key),
                to_the_left as (partition by _ew_key order by _ew_first range between {{ window.difference }} preceding and current row),
                to_the_right as (
                    partition by _ew_key order by _ew_first
                    range between {{ window.resolution }} following and {{ window.resolution + window.difference }} following
                )
        ) as ranges_of_instants
    ) as ranges
    where _ew_last_new is not null
{% endmacro %}


{# Numbers of the window as the functions take them. #}
{% macro _sliding_constants(spec, names) %}
    {%- set constants = [] -%}
    {%- for name in names -%}
        {%- set value = spec.retention if name == 'retention' else spec.window[name] -%}
        {%- do constants.append('cast(' ~ (value if value is not none else 'null') ~ ' as bigint)') -%}
    {%- endfor -%}
    {{- return(constants | join(', ')) -}}
{% endmacro %}


{# Where the rows of a piece begin and end does not matter: a window stands where it starts. #}
{% macro _sliding_no_bounds(spec) %}
    {%- set type = event_windows._type_of(spec.event_time, spec) or 'timestamp' -%}
    {{- return('cast(null as ' ~ type ~ ') as window_start,\n        cast(null as ' ~ type ~ ') as window_end') -}}
{% endmacro %}


{# A part merged along the instants of a block, as a window function. #}
{% macro _sliding_running(part, frame) %}
    {{- return(event_windows._typed(part.running | replace('{over}', ' over ' ~ frame), part.type)) -}}
{% endmacro %}


{# Rows of doubtful keys one at a time in the order of arrival, exactly as Kafka counts them, by the registered function. #}
{% macro _sliding_replay(spec, reach=none, buckets=8) %}
    select _ew_key, _ew_item, _ew_window, _ew_window + {{ spec.window.difference }} as _ew_window_last, _ew_missed
    from (
        select inline(arrays_zip(k, item, starts, missed)) as (_ew_key, _ew_item, _ew_window, _ew_missed)
        from (
            select inline(event_windows_replay_sliding(_ew_key, _ew_item, _ew_first, _ew_newest, _ew_clock, {{ event_windows._sliding_constants(spec, ['grace', 'retention', 'difference', 'resolution', 'origin']) }}))
                as (k, item, starts, missed)
            from (
                select
                    {{ event_windows._key_text(spec) }} as _ew_key, cast(_ew_item as bigint) as _ew_item,
                    _ew_time as _ew_first, cast(null as bigint) as _ew_newest, _ew_clock
                from suspects
                where _ew_time is not null
                {%- if reach %}
                union all
                select {{ event_windows._key_text(spec) }}, cast(_ew_item as bigint), _ew_first, _ew_reach, cast(null as bigint)
                from suspect_windows
                {%- endif %}
            ) as replay_items
            group by pmod(hash(_ew_key), {{ buckets }})
        ) as batches
    ) as replayed
{% endmacro %}


{# A window stands where it stands; the latest time in it tells what a replay must know of it. #}
{% macro _sliding_bounds(spec) %}
    {{- return({
        'window_start': event_windows._from_micros('_ew_window', spec), 'window_end': event_windows._from_micros('_ew_window_last', spec),
        '_ew_first': '_ew_window', '_ew_last': '_ew_window_last', '_ew_reach': 'max(_ew_reach)'
    }) -}}
{% endmacro %}


{# The shortest legal retention. #}
{% macro _sliding_least_retention(window) %}
    {{- return(none if window.grace is none else window.grace + window.difference) -}}
{% endmacro %}


{# Closed when stream time > end + grace. #}
{% macro _sliding_closed(spec, alias, clock) %}
    {{- return(event_windows._micros(alias ~ '.window_end', spec) ~ ' < ' ~ clock ~ ' - ' ~ spec.window.grace) -}}
{% endmacro %}


{% macro _sliding_closed_window(spec, alias, clock) %}
    {{- return(alias ~ '._ew_last < ' ~ clock ~ ' - ' ~ spec.window.grace) -}}
{% endmacro %}


{% macro _sliding_open_for(spec) %}
    {{- return(spec.window.grace) -}}
{% endmacro %}


{# late: the replay counted the row in no window; late_partial: it missed one that was closed. #}
{% macro _sliding_judge_in_order(spec, tables) %}
    {%- set joins %}
    left join (
        select _ew_key, _ew_item, bool_and(_ew_window is null) as late, bool_or(_ew_missed) as missed
        from {{ tables.replayed }}
        where _ew_item > 0
        group by _ew_key, _ew_item
    ) as verdicts
        on {{ event_windows._key_text(spec, 'counted') }} = verdicts._ew_key and counted._ew_item = verdicts._ew_item
    {%- endset -%}
    {{- return({'joins': joins, 'lateness': "case when verdicts.late then 'late' when verdicts.missed then 'late_partial' end"}) -}}
{% endmacro %}


{# The same for rows that came in at one instant: of the windows that hold a row, those that are late as a whole miss it. #}
{% macro _sliding_judge_at_once(spec, before) %}
    {%- set joins %}
    left join (
        select {{ event_windows._names(spec.key, 'slices') }}, slices._ew_first, bool_and(judged_windows._ew_late) as late, bool_or(judged_windows._ew_late) as missed
        from slices
        inner join judged_windows
            on {{ event_windows._equal(spec.key, 'slices', 'judged_windows') }}
            and slices._ew_first between judged_windows._ew_first and judged_windows._ew_last
        group by {{ event_windows._names(spec.key, 'slices') }}, slices._ew_first
        having bool_or(judged_windows._ew_late)
    ) as verdicts
        on {{ event_windows._equal(spec.key, 'counted', 'verdicts') }} and counted._ew_time = verdicts._ew_first
    {%- endset -%}
    {{- return({'joins': joins, 'lateness': "case when verdicts.late then 'late' when verdicts.missed then 'late_partial' end"}) -}}
{% endmacro %}
