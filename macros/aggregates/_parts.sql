{# Every part of every aggregate, in order. #}
{% macro _parts(spec) %}
    {%- set parts = [] -%}
    {%- for aggregate in spec.aggregates %}{% do parts.extend(aggregate.parts) %}{% endfor -%}
    {{- return(parts) -}}
{% endmacro %}
