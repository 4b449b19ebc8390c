{# Columns {name: type} of a table as it is now, over a version of it that need not have had all of them. #}
{% macro _names_then(columns, version, alias) %}
    {%- set there, found = [], [] -%}
    {%- for row in run_query('describe query select * from ' ~ version) -%}
        {%- do there.append(row['col_name'] | lower) -%}
    {%- endfor -%}
    {%- for name, type in columns.items() -%}
        {%- do found.append(event_windows._names([name], alias) if name | lower in there
            else 'cast(null as ' ~ type ~ ') as ' ~ event_windows._name(name)) -%}
    {%- endfor -%}
    {{- return(found | join(', ')) -}}
{% endmacro %}


{# The values of a row as text that differs where a value does: any type can be compared then, and times are in full. #}
{% macro _values_text(columns) %}
    {{- return('to_json(struct(' ~ event_windows._names(columns) ~ "), map('timeZone', 'UTC', 'timestampFormat', "
        ~ "'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS'))") -}}
{% endmacro %}
