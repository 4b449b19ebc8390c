{# The columns of a query as Spark has them, [[name, type]], in order; a type as it can be written in SQL. #}
{% macro _described(query) %}
    {%- set columns, cut = [], [] -%}
    {%- for row in run_query('describe query ' ~ query) -%}
        {%- do columns.append([row['col_name'], row['data_type']]) -%}
        {%- if ' more fields' in row['data_type'] -%}
            {%- do cut.append('typeof(any_value(' ~ event_windows._name(row['col_name']) ~ '))') -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if cut -%}
        {#- of a struct with many fields DESCRIBE names the first 25 -#}
        {%- set types = run_query(
            'select ' ~ cut | join(', ') ~ ' from (' ~ query ~ '\n) as described where false'
        ).rows[0].values() | list -%}
        {%- for column in columns if ' more fields' in column[1] %}{% do column.append(types[loop.index0]) %}
        {%- endfor -%}
    {%- endif -%}
    {%- set described = [] -%}
    {%- for column in columns -%}
        {%- do described.append([column[0], event_windows._written_type(column | last)]) -%}
    {%- endfor -%}
    {{- return(described) -}}
{% endmacro %}
