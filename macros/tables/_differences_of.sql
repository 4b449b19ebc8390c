{#
    Options of two fingerprints that differ, as [[name, before, after]]: of a mapping (a window, aggregates, types) only
    those of its entries that do.
#}
{% macro _differences_of(before, after) %}
    {%- set found = [] -%}
    {%- for name, now in after.items()
        if tojson(before[name], sort_keys=true) != tojson(now, sort_keys=true) -%}
        {%- set was = before[name] -%}
        {%- if was is mapping and now is mapping and (name != 'window' or was.type == now.type) -%}
            {%- set entries = was.keys() | list + now.keys() | reject('in', was) | list -%}
            {%- for entry in entries -%}
                {%- set told = [event_windows._told_entry(entry, was), event_windows._told_entry(entry, now)] -%}
                {%- if told[0] != told[1] %}{% do found.append([name] + told) %}{% endif -%}
            {%- endfor -%}
        {%- elif name == 'window' and was is mapping -%}
            {%- do found.append([name, tojson(was.type), tojson(now.type)]) -%}
        {%- elif was is string and now is string -%}
            {%- do found.append([name, tojson(event_windows._around_difference(was, now)),
                tojson(event_windows._around_difference(now, was))]) -%}
        {%- else -%}
            {%- do found.append([
                name, event_windows._told_option(name, was), event_windows._told_option(name, now)
            ]) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(found) -}}
{% endmacro %}


{# One entry of a mapping. #}
{% macro _told_entry(entry, values) %}
    {{- return(entry ~ '=' ~ event_windows._told_option(entry, values[entry]) if entry in values
        else 'without ' ~ entry) -}}
{% endmacro %}


{# A value as JSON; a length of time in the units that users write. #}
{% macro _told_option(name, value) %}
    {%- set is_length = name in ('gap', 'grace', 'size', 'advance', 'step', 'difference', 'before', 'after',
        'resolution', 'offset', 'retention', 'leaves_after', 'max_ahead', 'segment') -%}
    {%- if name in ('grace', 'retention') and value is none %}{{- return("'unbounded'") -}}{% endif -%}
    {{- return("'" ~ event_windows._told_length(value) ~ "'" if is_length and value is integer else tojson(value)) -}}
{% endmacro %}


{# Two long texts differ somewhere: some words before that place and what follows. #}
{% macro _around_difference(text, other) %}
    {%- set same = namespace(n=0, go=true) -%}
    {%- for letter in text if same.go -%}
        {%- if loop.index0 < other | length and other[loop.index0] == letter -%}
            {%- set same.n = loop.index -%}
        {%- else -%}
            {%- set same.go = false -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set from = [same.n - 30, 0] | max -%}
    {%- set part = text[from:from + 120] -%}
    {{- return(text if text | length <= 160
        else ('...' if from) ~ part ~ ('...' if from + 120 < text | length)) -}}
{% endmacro %}
