{# Decimals whose sum has 38 digits, the most that there are, and may not fit: Spark gives it ten more than theirs. #}
{% macro _long_decimals() %}
    {{- return('decimal\\((2[89]|3[0-9]),') -}}
{% endmacro %}


{#
    An entry with another beside it for text. Spark's functions of numbers cast it to DOUBLE first, so that what is kept
    is sorted as numbers, and kept once as numbers; text that is no number is a null, and not counted.
#}
{% macro _and_over_text(entry) %}
    {%- set parts = {} -%}
    {%- for suffix, texts in entry.parts.items() -%}
        {%- set partials = [] -%}
        {%- for text in texts -%}
            {%- do partials.append(modules.re.sub('(\\{(?:0|row|within)\\})', 'cast(\\1 as double)', text)) -%}
        {%- endfor -%}
        {%- do parts.update({suffix: partials}) -%}
    {%- endfor -%}
    {%- set text = dict(entry, parts=parts, instead={}, of_type='(string|char|varchar)') -%}
    {{- return(dict(entry, instead=dict(entry.instead or {}, **{'of text': text}))) -}}
{% endmacro %}
