{# A column name as SQL: plain where SQL takes it plain, in backticks otherwise. #}
{% macro _name(column) %}
    {%- if modules.re.fullmatch('[A-Za-z_][A-Za-z0-9_]*', column) -%}
        {{- return(column) -}}
    {%- endif -%}
    {{- return('`' ~ column | replace('`', '``') ~ '`') -}}
{% endmacro %}


{# Column names as one list, each with an optional table alias before it. #}
{% macro _names(columns, alias=none) %}
    {%- set names = [] -%}
    {%- for column in columns -%}
        {%- do names.append((alias ~ '.' if alias else '') ~ event_windows._name(column)) -%}
    {%- endfor -%}
    {{- return(names | join(', ')) -}}
{% endmacro %}


{# The condition that two aliases agree on every column; null_safe where a column may be null. #}
{% macro _equal(columns, left, right, null_safe=false) %}
    {%- set pairs = [] -%}
    {%- for column in columns -%}
        {%- set name = event_windows._name(column) -%}
        {%- do pairs.append(left ~ '.' ~ name ~ (' <=> ' if null_safe else ' = ') ~ right ~ '.' ~ name) -%}
    {%- endfor -%}
    {{- return(pairs | join(' and ')) -}}
{% endmacro %}
