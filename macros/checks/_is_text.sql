{# Whether an argument is a text with something in it. #}
{% macro _is_text(value) %}
    {{- return(value is string and value | trim != '') -}}
{% endmacro %}
