{# The key that users know: plain SQL without one has a column that stands for it. #}
{% macro _known_key(spec) %}
    {{- return(spec.key | reject('equalto', '_ew_all') | list) -}}
{% endmacro %}
