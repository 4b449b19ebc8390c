{#
    What windows are put together from: slices of new rows and, in a refresh, stored windows in reach. All pieces have
    the same columns; _ew_new says whether new rows are in it. Where stored windows are absorbed, _ew_stored says which one a
    piece is.
#}
{% macro _piece_columns(spec, alias) %}
    {%- set columns = spec.key + ['window_start', 'window_end', '_ew_first', '_ew_last', '_ew_reach'] -%}
    {%- set names = [event_windows._names(columns, alias)] -%}
    {%- for part in event_windows._parts(spec) %}{% do names.append(alias ~ '.' ~ part.column) %}{% endfor -%}
    {{- return(names | join(', ')) -}}
{% endmacro %}


{# Pieces of the keys in which no row can be late: slices and stored windows as they are. #}
{% macro _pieces(spec, doubtful=false, reach=false) %}
    {%- for source in ['slices', 'reach'] if source == 'slices' or reach %}
    {{ 'union all' if not loop.first }}
    select
        {{ event_windows._piece_columns(spec, source) }}
        {%- if reach %},
        {{ source == 'slices' }} as _ew_new
        {%- endif %}
        {%- if reach and event_windows._of_type('traits', spec).absorbs %},
        {{ event_windows._stored_window('reach') if source == 'reach' else 'null' }} as _ew_stored
        {%- endif %}
    from {{ source }}
    {%- if doubtful and (source == 'slices' or event_windows._of_type('traits', spec).replays_stored) %}
    left anti join doubtful on {{ event_windows._equal(spec.key, source, 'doubtful') }}
    {%- endif %}
    {%- endfor %}
{% endmacro %}


{# Pieces of the doubtful keys: the rows that count and the stored windows that change, each with its window after the replay. #}
{% macro _replayed_pieces(spec, reach=false) %}
    {%- set time = event_windows._name(spec.event_time) %}
    select
        {{ event_windows._names(spec.key) }},
        min({{ time }}) as window_start, max({{ time }}) as window_end,
        min(_ew_time) as _ew_first, max(_ew_time) as _ew_last, {{ event_windows._of_type('slice_reach', spec) }} as _ew_reach,
        {%- for part in event_windows._parts(spec) %}
        {{ part.partial }} as {{ part.column }},
        {%- endfor %}
        {%- if reach %}
        true as _ew_new,
        {%- endif %}
        {%- if reach and event_windows._of_type('traits', spec).absorbs %}
        null as _ew_stored,
        {%- endif %}
        replayed._ew_window, replayed._ew_window_last
        {{- ', true as _ew_replayed' if event_windows._of_type('traits', spec).doubt_lasts }}
    from suspects
    inner join replayed
        on {{ event_windows._key_text(spec, 'suspects') }} = replayed._ew_key and suspects._ew_item = replayed._ew_item
    where replayed._ew_window is not null
    group by {{ event_windows._names(spec.key) }}, replayed._ew_window, replayed._ew_window_last
    {%- if reach and event_windows._of_type('traits', spec).replays_stored %}
    union all
    select
        {{ event_windows._piece_columns(spec, 'suspect_windows') }},
        true as _ew_new,
        {%- if event_windows._of_type('traits', spec).absorbs %}
        {{ event_windows._stored_window('suspect_windows') }} as _ew_stored,
        {%- endif %}
        replayed._ew_window, replayed._ew_window_last
        {{- ', true as _ew_replayed' if event_windows._of_type('traits', spec).doubt_lasts }}
    from suspect_windows
    inner join replayed
        on {{ event_windows._key_text(spec, 'suspect_windows') }} = replayed._ew_key and suspect_windows._ew_item = replayed._ew_item
    {%- endif %}
{% endmacro %}


{# Where a stored window stands in the windows table. #}
{% macro _stored_window(alias) %}
    {{- return("named_struct('window_start', " ~ alias ~ ".window_start, 'window_end', " ~ alias ~ ".window_end, '_ew_segment', " ~ alias ~ '._ew_segment)') -}}
{% endmacro %}


{# A key as one exact text. Times in full: Spark would cut them to milliseconds. #}
{% macro _key_text(spec, alias=none) %}
    {%- set key = 'struct(' ~ event_windows._names(spec.key, alias) ~ ')' -%}
    {%- set types = [] -%}
    {%- for column in spec.key %}{% do types.append(event_windows._type_of(column, spec) or 'timestamp') %}{% endfor -%}
    {%- if 'timestamp' not in types | join %}{{ return('to_json(' ~ key ~ ')') }}{% endif -%}
    {{- return('to_json(' ~ key ~ ", map('timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS'))") -}}
{% endmacro %}


{# Pieces to windows; in a refresh only those that change, with the stored windows that each takes the place of. `merged`: each piece is a window. #}
{% macro _windows(spec, reach=false, merged=false) %}
    {%- set traits = event_windows._of_type('traits', spec) -%}
    {%- set bounds = event_windows._of_type('bounds', spec) -%}
    {%- if merged %}{% do bounds.update({'_ew_reach': '_ew_reach'}) %}{% endif %}
    select
        {{ event_windows._names(spec.key) }},
        {%- for name, expression in bounds.items() %}
        {{ expression if expression == name else expression ~ ' as ' ~ name }},
        {%- endfor %}
        {%- for part in event_windows._parts(spec) %}
        {{ part.column if merged else event_windows._typed(part.merge, part.type) ~ ' as ' ~ part.column }}{{ ',' if not loop.last }}
        {%- endfor %}
        {%- if traits.doubt_lasts %},
        {{ '_ew_replayed' if merged else 'bool_or(_ew_replayed) as _ew_replayed' }}
        {%- endif %}
        {{- ',\n        ' ~ event_windows._once() if not reach and event_windows._whole_calls(spec) }}
        {%- if reach and traits.absorbs %},
        collect_list(_ew_stored) as _ew_stored
        {%- elif reach %},
        array(named_struct(
            'window_start', {{ bounds.window_start }}, 'window_end', {{ bounds.window_end }}, '_ew_segment', {{ event_windows._segment(bounds._ew_last, spec) }}
        )) as _ew_stored
        {%- endif %}
    from windowed_pieces
    {%- if not merged %}
    group by {{ event_windows._names(spec.key) }}, _ew_window, _ew_window_last
    {%- if reach %}
    having bool_or(_ew_new)
    {%- endif %}
    {%- endif %}
{% endmacro %}


{# The columns of a finished window: key, bounds and values; then, for the windows table, what it needs to be added to. #}
{% macro _final_columns(spec, stored=false, refresh=none) %}
    {%- set columns = spec.key + ['window_start', 'window_end'] -%}
    {%- set selected = [] -%}
    {%- for column in columns %}{% do selected.append([event_windows._name(column), event_windows._name(column)]) %}{% endfor -%}
    {%- for aggregate in spec.aggregates -%}
        {%- set name = event_windows._name(aggregate.name) -%}
        {%- do selected.append([name, event_windows._typed(aggregate.final, aggregate.type) if aggregate.final else name]) -%}
    {%- endfor -%}
    {%- if stored -%}
        {%- for aggregate in spec.aggregates if aggregate.final -%}
            {%- for part in aggregate.parts %}{% do selected.append([part.column, part.column]) %}{% endfor -%}
        {%- endfor -%}
        {%- for name in event_windows._of_type('traits', spec).keeps %}{% do selected.append([name, name]) %}{% endfor -%}
        {%- do selected.append(['_ew_segment', event_windows._segment('_ew_last', spec)]) -%}
        {%- do selected.append(['_ew_refresh', 'cast(' ~ refresh ~ ' as bigint)']) -%}
    {%- endif -%}
    {{- return(selected) -}}
{% endmacro %}


{# Segments by window end, as in KIP-94: end div interval, rounded down. #}
{% macro _segment(micros, spec) %}
    {{- return('(' ~ event_windows._time_bucket(micros, spec.segment) ~ ') div ' ~ spec.segment) -}}
{% endmacro %}
