{#
    The value over the part columns: calls with their types, where these are known, in the SQL
    around them. None where the one part is the value.
#}
{% macro _final(aggregate) %}
    {%- if aggregate.pieces == [0] -%}
        {%- set call = aggregate.calls[0] if aggregate.calls else {'alone': true} -%}
        {{- return(none if call.alone else event_windows._of_known_type(call)) -}}
    {%- endif -%}
    {{- return(event_windows._around(aggregate, 'final')) -}}
{% endmacro %}


{# The SQL around calls, with the value of each over plain rows, or its final over the parts. #}
{% macro _around(aggregate, what) %}
    {%- set texts = [] -%}
    {%- for piece in aggregate.pieces -%}
        {%- if piece is string -%}
            {%- do texts.append(piece) -%}
        {%- elif piece < aggregate.calls | length -%}
            {%- set call = aggregate.calls[piece] -%}
            {%- do texts.append(call.value if what == 'value'
                else event_windows._typed('(' ~ event_windows._of_known_type(call) ~ ')', call.type)) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(texts | join) -}}
{% endmacro %}


{#
    The final of a call, with the type of the value where it stands. Before Spark was asked for it, any type makes SQL
    that can be read.
#}
{% macro _of_known_type(call) %}
    {%- set type = call.type or 'double' -%}
    {%- set digits = modules.re.findall('[0-9]+', type) | map('int') | list if type.startswith('decimal') -%}
    {%- set whole, fraction, divided = type, type, type -%}
    {%- if digits -%}
        {%- set scale = digits[1] -%}
        {#- Spark gives a sum a digit more, and has 38: it would have one less behind the point -#}
        {%- set whole = 'decimal(' ~ [[digits[0], 37] | min - scale, 1] | max ~ ', 0)' -%}
        {#- what is rounded may be one -#}
        {%- set fraction = 'decimal(' ~ [scale + 1, 38] | min ~ ', ' ~ scale ~ ')' -%}
        {#- over a BIGINT the scale of this one, where that is 6 or more; else twenty digits more than are wanted -#}
        {%- set divided = 'decimal(' ~ (38 if scale >= 6 else 12 + scale) ~ ', ' ~ scale ~ ')' -%}
    {%- endif -%}
    {{- return(event_windows._fill(call.final, dict(call.words, **{
        '{whole}': whole, '{fraction}': fraction, '{divided}': divided, '{type}': type
    }))) -}}
{% endmacro %}
