{# Every part of every aggregate, in order; then what a window keeps of its partition, see _partition_parts. #}
{% macro _parts(spec) %}
    {%- set parts = [] -%}
    {%- for aggregate in spec.aggregates %}{% do parts.extend(aggregate.parts) %}{% endfor -%}
    {{- return(parts + spec.get('partition_parts', [])) -}}
{% endmacro %}
