{#
    Windows that two sides do not have alike, as the rows of a test: _ew_side, which of them has the row, and the row.
    `sides` is {name: SELECT}, the table first; both SELECTs have the columns [[name, type]] and, as _ew_of, the struct
    of key and bounds by which they are matched. Only one window may bear them. Columns in `leave_out` are not compared.
#}
{% macro _differences(sides, columns, leave_out) %}
    {%- set names, selects, left_out = columns | map('first') | list, [], leave_out | map('lower') | list -%}
    {%- for side, sql in sides.items() -%}
        {%- do selects.append('select ' ~ event_windows._literal(side) ~ ' as _ew_side, _ew_of, struct('
            ~ event_windows._names(names) ~ ') as _ew_row\n    from (\n' ~ sql ~ '\n    ) as side_' ~ loop.index) -%}
    {%- endfor -%}
    {%- set same = [] -%}
    {%- for name, type in columns if name | lower not in left_out -%}
        {%- do same.append(event_windows._same_value(
            'get(ours, 0).' ~ event_windows._name(name), 'get(others, 0).' ~ event_windows._name(name), type
        )) -%}
    {%- endfor %}
select differing.found.side as _ew_side, differing.found.held.*
from (
    select explode(concat(
        transform(ours, held -> named_struct('side', {{ event_windows._literal(sides.keys() | first) }}, 'held', held)),
        transform(others, held -> named_struct('side', {{ event_windows._literal(sides.keys() | last) }}, 'held', held))
    )) as found
    from (
        select
            collect_list(if(_ew_side = {{ event_windows._literal(sides.keys() | first) }}, _ew_row, null)) as ours,
            collect_list(if(_ew_side = {{ event_windows._literal(sides.keys() | last) }}, _ew_row, null)) as others
        from (
            {{ selects | join('\n    union all\n    ') }}
        ) as sides
        group by _ew_of
    ) as matched
    where size(ours) <> 1 or size(others) <> 1
        or not ({{ same | join('\n            and ') or 'true' }})
) as differing
{%- endmacro %}


{#
    Whether two values are one. Sums of doubles depend on the order of their rows: they may differ by one part in 10^9
    (floats: 10^6), also in an array. NaN and infinity, which are within any distance, are one with themselves alone.
    What Spark does not compare is compared as text.
#}
{% macro _same_value(one, other, type) %}
    {%- set within = {'double': '1e-9D', 'float': '1e-6D'} -%}
    {%- set inner = modules.re.fullmatch('array<(double|float)>', type or '') -%}
    {%- if type in within -%}
        {%- set most = 'greatest(abs(' ~ one ~ '), abs(' ~ other ~ '))' -%}
        {{- return('coalesce(' ~ one ~ ' <=> ' ~ other ~ ' or ' ~ most ~ " < double('infinity') and abs(" ~ one
            ~ ' - ' ~ other ~ ') <= ' ~ within[type] ~ ' * ' ~ most ~ ', false)') -}}
    {%- elif inner -%}
        {{- return('(' ~ one ~ ' <=> ' ~ other ~ ' or coalesce(size(' ~ one ~ ') = size(' ~ other
            ~ ') and forall(zip_with(' ~ one ~ ', ' ~ other ~ ', (x, y) -> '
            ~ event_windows._same_value('x', 'y', inner.group(1)) ~ '), alike -> alike), false))') -}}
    {%- elif event_windows._type_within(type or '', ['map', 'variant']) -%}
        {{- return(event_windows._value_text(one, type) ~ ' <=> ' ~ event_windows._value_text(other, type)) -}}
    {%- endif -%}
    {{- return(one ~ ' <=> ' ~ other) -}}
{% endmacro %}


{% macro _value_text(expression, type) %}
    {%- set bytes = event_windows._bytes_beside_json(expression, type) -%}
    {{- return("to_json(named_struct('v', " ~ expression ~ (", 'b', " ~ bytes if bytes else '') ~ "), "
        ~ event_windows._json_options() ~ ')') -}}
{% endmacro %}


{# Two lists of columns that are not the same, as the rows of a test; nothing where they are. #}
{% macro _other_columns(sides) %}
    {%- set texts = [] -%}
    {%- for columns in sides.values() -%}
        {%- set pairs = [] -%}
        {%- for name, type in columns %}{% do pairs.append(event_windows._name(name) ~ ' ' ~ type) %}{% endfor -%}
        {%- do texts.append(pairs | join(', ')) -%}
    {%- endfor -%}
    {%- if texts[0] == texts[1] %}{{- return('') -}}{% endif -%}
    {%- set rows = [] -%}
    {%- for side in sides -%}
        {%- do rows.append('select ' ~ event_windows._literal(side) ~ ' as _ew_side, '
            ~ event_windows._literal(texts[loop.index0]) ~ ' as columns_of_this_side') -%}
    {%- endfor -%}
    {{- return(rows | join('\nunion all\n')) -}}
{% endmacro %}
