{# Columns of a key that users know: plain SQL without one has a column that stands for it. #}
{% macro _known_key(columns) %}
    {{- return(columns | reject('equalto', '_ew_all') | list) -}}
{% endmacro %}
