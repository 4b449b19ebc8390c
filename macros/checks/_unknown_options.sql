{# What was given beyond the options that exist: unknown = [named ones, positional ones]. Returns a list of problems. #}
{% macro _unknown_options(allowed, unknown) %}
    {%- set problems = [] -%}
    {%- for option in unknown[0] -%}
        {%- do problems.append("unknown option '" ~ option ~ "': allowed are " ~ allowed) -%}
    {%- endfor -%}
    {%- if unknown[1] -%}
        {%- do problems.append('too many arguments: allowed are ' ~ allowed ~ ', best given by name') -%}
    {%- endif -%}
    {{- return(problems) -}}
{% endmacro %}
