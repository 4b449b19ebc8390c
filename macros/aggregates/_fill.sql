{#
    A template with its words put in, all at once, so that what is put in is not read again. What the user wrote,
    {'given': text}, is an operand of whatever stands beside it: no template needs to think of brackets.
#}
{% macro _fill(template, words) %}
    {%- set pieces = modules.re.split('(\\{[a-z0-9_:]+\\})', template) -%}
    {%- set filled = [] -%}
    {%- for piece in pieces -%}
        {%- set word = words.get(piece, piece) -%}
        {%- if word is mapping -%}
            {%- set alone = (pieces[loop.index0 - 1] | trim)[-1:] in ['(', ',']
                and (pieces[loop.index] | trim)[:1] in [')', ','] -%}
            {%- set word = word.given if alone else event_windows._operand(word.given) -%}
        {%- endif -%}
        {%- do filled.append(word) -%}
    {%- endfor -%}
    {{- return(filled | join('')) -}}
{% endmacro %}


{# SQL as one operand: a name and a literal as they are, anything else in brackets. #}
{% macro _operand(text) %}
    {%- set is_one = modules.re.fullmatch(
        "(?:[^\\W\\d]\\w*|`[^`]*`)(?:\\.(?:\\w+|`[^`]*`))*|\\d+(?:\\.\\d+)?|'[^'\\\\]*'", text
    ) -%}
    {{- return(text if is_one else '(' ~ text ~ ')') -}}
{% endmacro %}
