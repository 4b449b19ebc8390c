{# The names of the outputs that count rows. #}
{% macro _row_counts(spec) %}
    {%- set counts = [] -%}
    {%- for name, sql in spec.aggregates.items()
        if modules.re.fullmatch('count\\((\\*|1)\\)', sql | string | replace(' ', '') | lower) -%}
        {%- do counts.append(name) -%}
    {%- endfor -%}
    {{- return(counts) -}}
{% endmacro %}
