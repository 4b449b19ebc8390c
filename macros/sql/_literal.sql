{# Text as a SQL string, none as null. Nothing in the text can end the string: backslashes and quotes are escaped. #}
{% macro _literal(text) %}
    {%- if text is none -%}{{- return('cast(null as string)') -}}{%- endif -%}
    {#- Spark puts in values of its settings and of the environment for ${...}, in a literal too -#}
    {{- return("'" ~ text | string | replace('\\', '\\\\') | replace("'", "\\'") | replace('${', '$\\{') ~ "'") -}}
{% endmacro %}


{# A whole number as SQL, none as null. #}
{% macro _bigint(number) %}
    {{- return('cast(' ~ (number if number is not none else 'null') ~ ' as bigint)') -}}
{% endmacro %}
