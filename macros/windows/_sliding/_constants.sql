{# Numbers of the window as the functions take them. #}
{% macro _sliding_constants(spec, names) %}
    {%- set constants = [] -%}
    {%- for name in names -%}
        {%- do constants.append(event_windows._bigint(spec.retention if name == 'retention' else spec.window[name])) -%}
    {%- endfor -%}
    {{- return(constants | join(', ')) -}}
{% endmacro %}
