{# A struct by the names of its fields. (struct(x as name), nested in another function, Spark cannot always read.) #}
{% macro _named_struct(fields, after='', before='') %}
    {%- set pairs = [] -%}
    {%- for name, text in fields.items() -%}
        {%- do pairs.append("'" ~ name ~ "', " ~ before ~ text ~ after) -%}
    {%- endfor -%}
    {{- return('named_struct(' ~ pairs | join(', ') ~ ')') -}}
{% endmacro %}
