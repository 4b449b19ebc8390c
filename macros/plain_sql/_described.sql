{# The columns of a query: [[name, type]]. #}
{% macro _described(query) %}
    {%- set columns = [] -%}
    {%- for row in run_query('describe query ' ~ query) -%}
        {%- do columns.append([row['col_name'], row['data_type']]) -%}
    {%- endfor -%}
    {{- return(columns) -}}
{% endmacro %}
