{#
    Step merge inputs: what windows are put together from: slices of new rows and, in a refresh, stored windows. All
    have the same columns; _ew_new says whether new rows are in it. Where windows absorb others, _ew_stored says which
    stored window an input is.

    Here those of the keys in which no row can be late: slices and stored windows as they are. Where what is not late
    groups by itself, those of late keys too, without the rows that are late, or that a replay puts into windows.
#}
{% macro _merge_inputs(spec, late, stored) %}
    {%- set absorbs = stored and event_windows._trait('absorbs', spec) -%}
    {%- set regroups = event_windows._trait('regroups', spec) %}
    select
        {{ event_windows._names(spec.key, 'slices') }}, slices._ew_first, slices._ew_last, slices._ew_until,
        {%- for column in event_windows._carried(spec) %}
        slices._ew_last as {{ column }},
        {%- endfor %}
        {%- for part in event_windows._parts(spec) %}
        slices.{{ part.column }}{{ ',' if not loop.last }}
        {%- endfor %}
        {{- ',\n        true as _ew_new' if stored }}
        {{- ',\n        null as _ew_stored' if absorbs }}
    from slices
    {%- if late %}
    {{ event_windows._of_late_keys(spec, 'slices', late, others=true) }}
    {%- endif %}
    {%- if late and regroups %}
    union all
    {{ event_windows._late_inputs(
        spec, stored, [], event_windows._of_window('slice', spec),
        '_ew_window is not null' ~ (' and _ew_window_last is null' if event_windows._trait('places', spec))
    ) | trim }}
    {%- endif %}
    {%- if stored %}
    union all
    select
        {{ event_windows._merge_input_columns(spec, 'stored_windows') }},
        false as _ew_new
        {{- ',\n        ' ~ event_windows._stored_window('stored_windows') ~ ' as _ew_stored' if absorbs }}
    from stored_windows
    {%- if late and event_windows._replay_moves_stored(spec) %}
    {{ event_windows._of_late_keys(spec, 'stored_windows', late, others=true) }}
    {%- endif %}
    {%- endif %}
{% endmacro %}


{#
    Inputs of the other keys, from CTE late_rows, each with its window after the replay: the rows that count, and stored
    windows that a replay moved or copied.
#}
{% macro _replayed_inputs(spec, stored) %}
    {%- set absorbs = stored and event_windows._trait('absorbs', spec) -%}
    {%- set lasts = event_windows._trait('doubt_lasts', spec) -%}
    {%- set window = '_ew_window, _ew_window_last' %}
    {{ event_windows._late_inputs(
        spec, stored, [window] + (['true as _ew_replayed'] if lasts else []), window,
        '_ew_window' ~ ('_last' if event_windows._trait('regroups', spec)) ~ ' is not null'
    ) | trim }}
    {%- if stored and event_windows._replay_moves_stored(spec) %}
    union all
    select
        {{ event_windows._merge_input_columns(spec, 'late_windows') }},
        true as _ew_new,
        {%- if absorbs %}
        {{ event_windows._stored_window('late_windows') }} as _ew_stored,
        {%- endif %}
        moved_windows._ew_window, moved_windows._ew_window_last
        {{- ', true as _ew_replayed' if lasts }}
    from late_windows
    inner join moved_windows
        on {{ event_windows._key_digest(event_windows._replayed_key(spec, 'late_windows', stored=true)) }}
            = moved_windows._ew_key
        and late_windows._ew_item = moved_windows._ew_item
    {%- endif %}
{% endmacro %}


{# The rows of CTE late_rows for which `counts` holds, added up `by` what they have in common, with `more` columns. #}
{% macro _late_inputs(spec, stored, more, by, counts) %}
    {%- set columns = [] -%}
    {%- for column in event_windows._carried(spec) %}{% do columns.append('max(_ew_time) as ' ~ column) %}{% endfor -%}
    {%- for part in event_windows._parts(spec) -%}
        {%- do columns.append(part.partial ~ ' as ' ~ part.column) -%}
    {%- endfor -%}
    {%- if stored %}{% do columns.append('true as _ew_new') %}{% endif -%}
    {%- if stored and event_windows._trait('absorbs', spec) %}{% do columns.append('null as _ew_stored') %}{% endif %}
    select
        {{ event_windows._names_before(spec.key) -}}
        min(_ew_time) as _ew_first, max(_ew_time) as _ew_last, max(_ew_until) as _ew_until,
        {{ (columns + more) | join(',\n        ') }}
    from late_rows
    where {{ counts }}
    group by {{ event_windows._names_before(spec.key) }}{{ by }}
{% endmacro %}


{#
    Whether a replay says of stored windows, too, which of them are one afterwards: where it does not, they are put
    together with the rows that count.
#}
{% macro _replay_moves_stored(spec) %}
    {{- return(event_windows._trait('replays_stored', spec) and not event_windows._trait('regroups', spec)) -}}
{% endmacro %}


{# Where a stored window stands in the windows table. #}
{% macro _stored_window(alias) %}
    {{- return("named_struct('window_start', " ~ alias ~ ".window_start, 'window_end', " ~ alias
        ~ ".window_end, '_ew_segment', " ~ alias ~ '._ew_segment)') -}}
{% endmacro %}


{#
    Stored windows of late keys, numbered apart from rows: the replay, and later the MERGE, know them by key and number.
#}
{% macro _late_windows(spec, late) %}
    select
        stored_windows.*,
        -row_number() over (
            partition by {{ event_windows._names(spec.key, 'stored_windows') }}
            order by stored_windows.window_start, stored_windows.window_end
        ) as _ew_item
    from stored_windows
    {{ event_windows._of_late_keys(spec, 'stored_windows', late) }}
{% endmacro %}
