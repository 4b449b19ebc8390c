{#
    Step windows: inputs to windows. CTEs from merge_inputs to windows, of which a row has the key, _ew_first ..
    _ew_last, _ew_until, what the type keeps, and the parts of aggregates. In a refresh (`stored`) only windows that
    change, each with the stored windows whose place it takes. `late`: there is a CTE late_rows, see _of_late_keys.
#}
{% macro _window_steps(spec, late, stored) %}
{%- set absorbs = stored and event_windows._trait('absorbs', spec) -%}
{%- set holistic = event_windows._holistic_calls(spec) -%}
{%- set placed = late and event_windows._trait('places', spec) -%}
merge_inputs as (
    {{ event_windows._merge_inputs(spec, late, stored) | trim }}
),

{{ event_windows._of_window('assign', spec, stored) | trim }},
{% if placed %}
placed_inputs as (
    select
        {{ event_windows._merge_input_columns(spec, 'assigned') }},
        {{- '\n        assigned._ew_new,' if stored }}
        {{- '\n        assigned._ew_stored,' if absorbs }}
        assigned._ew_window, assigned._ew_window_last
        {{- ', assigned._ew_replayed' if event_windows._trait('doubt_lasts', spec) }}
    from assigned
    union all
    {{ event_windows._replayed_inputs(spec, stored) | trim }}
),
{% endif %}
{{ 'merged_windows' if holistic else 'windows' }} as (
    {{ event_windows._windows(
        spec, 'placed_inputs' if placed else 'assigned', stored,
        merged=event_windows._trait('merged_in_assign', spec) and not placed
    ) | trim }}
)
{%- if holistic %},

{{ event_windows._holistic_steps(spec) | trim }}
{%- endif %}
{% endmacro %}


{# `merged`: each input is a window. #}
{% macro _windows(spec, inputs, stored, merged) %}
    {%- set bounds = event_windows._of_window('bounds', spec) %}
    select
        {{- '\n        ' ~ event_windows._names(spec.key) ~ ',' if spec.key }}
        {%- for name, expression in bounds.items() %}
        {{ name if merged else (expression if expression == name else expression ~ ' as ' ~ name) }},
        {%- endfor %}
        {%- for part in event_windows._parts(spec) %}
        {{ part.column if merged else event_windows._typed(part.merge, part.type) ~ ' as ' ~ part.column -}}
        {{- ',' if not loop.last }}
        {%- endfor %}
        {{- ',\n        ' ~ event_windows._once() if not stored and event_windows._holistic_calls(spec) }}
        {%- if stored and event_windows._trait('absorbs', spec) %},
        collect_list(_ew_stored) as _ew_stored
        {%- elif stored %},
        array(named_struct(
            'window_start', {{ event_windows._start_of(spec, bounds) }},
            'window_end', {{ event_windows._end_of(spec, bounds) }},
            '_ew_segment', {{ event_windows._segment(bounds._ew_last, spec.segment) }}
        )) as _ew_stored
        {%- endif %}
    from {{ inputs }}
    {%- set of_one = event_windows._is_of_one_partition(spec) -%}
    {%- if not merged %}
    group by {{ event_windows._names_before(spec.key) }}_ew_window, _ew_window_last
    {%- if stored %}
    having {{ 'case when ' if of_one }}bool_or(_ew_new)
    {%- endif %}
    {%- endif %}
    {%- if of_one %}
    {%- set least, greatest = ['_ew_partition_min', '_ew_partition_max'] if merged
        else ['min(_ew_partition_min)', 'max(_ew_partition_max)'] %}
    {{ 'where' if merged else ('then' if stored else 'having') }} {{ event_windows._stops_at_two_partitions(
        spec, least ~ ' = ' ~ greatest, event_windows._told_key(spec)
    ) }}{{ ' else false end' if stored and not merged }}
    {%- endif %}
{% endmacro %}


{# The bounds of a window as they are shown. #}
{% macro _start_of(spec, bounds) %}
    {{- return(event_windows._time_from_micros(bounds._ew_first, spec)) -}}
{% endmacro %}


{% macro _end_of(spec, bounds) %}
    {{- return(event_windows._time_from_micros(
        bounds._ew_last ~ (' + 1' if event_windows._trait('exclusive_end', spec) else ''), spec
    )) -}}
{% endmacro %}


{#
    The columns of a finished window, [[name, SQL over the CTE windows]]: key, bounds and values; then, for the windows
    table of refresh `number`, what it needs to be added to, and the text of its `progress`.
#}
{% macro _window_columns(spec, number=none, progress=none) %}
    {%- set bounds = {'_ew_first': '_ew_first', '_ew_last': '_ew_last'} -%}
    {%- set selected = [] -%}
    {%- for column in spec.key -%}
        {%- do selected.append([event_windows._name(column), event_windows._name(column)]) -%}
    {%- endfor -%}
    {%- do selected.append(['window_start', event_windows._start_of(spec, bounds)]) -%}
    {%- do selected.append(['window_end', event_windows._end_of(spec, bounds)]) -%}
    {%- for aggregate in spec.aggregates -%}
        {%- set name = event_windows._name(aggregate.name) -%}
        {%- do selected.append([
            name, event_windows._typed(aggregate.final, aggregate.type) if aggregate.final else name
        ]) -%}
    {%- endfor -%}
    {%- if number is not none -%}
        {%- for aggregate in spec.aggregates if aggregate.final -%}
            {%- for part in aggregate.parts %}{% do selected.append([part.column, part.column]) %}{% endfor -%}
        {%- endfor -%}
        {%- for part in spec.get('partition_parts', []) -%}
            {%- do selected.append([part.column, part.column]) -%}
        {%- endfor -%}
        {%- for name in event_windows._trait('keeps', spec) %}{% do selected.append([name, name]) %}{% endfor -%}
        {%- do selected.append(['_ew_segment', event_windows._segment('_ew_last', spec.segment)]) -%}
        {%- do selected.append(['_ew_refresh', event_windows._bigint(number)]) -%}
        {%- do selected.append(['_ew_progress', event_windows._literal(progress)]) -%}
    {%- endif -%}
    {{- return(selected) -}}
{% endmacro %}


{# The same as a list of columns in a SELECT. #}
{% macro _select_columns(columns) %}
    {%- for name, expression in columns %}
    {{ expression if expression == name else expression ~ ' as ' ~ name }}{{ ',' if not loop.last }}
    {%- endfor %}
{%- endmacro %}
