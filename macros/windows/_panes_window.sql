{#
    The spec of a window that stands still: its size, how far apart starts are (for cumulating: ends), the width of a pane
    that lies in the same windows throughout, grace and origin, in microseconds. `lengths` are the durations by option name.
#}
{% macro _panes_window(kind, lengths, advance, grace, origin, allowed, unknown) %}
    {%- set problems = event_windows._unknown_options(allowed, unknown) -%}
    {%- set micros = {} -%}
    {%- for option, text in lengths.items() -%}
        {%- set length = event_windows._duration(option, text) -%}
        {%- if length.problem %}{% do problems.append(length.problem) %}{% endif -%}
        {%- do micros.update({option: length.micros or 1}) -%}
    {%- endfor -%}
    {%- set grace_length = event_windows._duration('grace', grace, allow_zero=true, allow_unbounded=true) -%}
    {%- if grace_length.problem %}{% do problems.append(grace_length.problem) %}{% endif -%}
    {%- set start = event_windows._instant(origin, 'origin', problems) -%}
    {%- if kind == 'hopping' and micros.advance_by > micros.size -%}
        {%- do problems.append("advance_by is '" ~ lengths.advance_by ~ "', longer than the size '" ~ lengths.size ~ "', so that rows between windows would be lost: give at most the size") -%}
    {%- elif kind == 'cumulating' and micros.size % micros.step != 0 -%}
        {%- do problems.append("step is '" ~ lengths.step ~ "', which does not divide the size '" ~ lengths.size ~ "': give a whole part of it") -%}
    {%- endif -%}
    {%- if problems -%}{{ event_windows._raise(kind ~ '(...)', problems) }}{%- endif -%}
    {{- return({
        'type': 'panes', 'kind': kind, 'size': micros.size, 'advance': micros[advance],
        'pane': event_windows._greatest_common_divisor(micros.size, micros[advance]), 'grace': grace_length.micros, 'origin': start
    }) -}}
{% endmacro %}


{% macro _greatest_common_divisor(first, second) %}
    {{- return(first if second == 0 else event_windows._greatest_common_divisor(second, first % second)) -}}
{% endmacro %}
