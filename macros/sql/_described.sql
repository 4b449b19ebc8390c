{# The columns of a query as Spark has them, [[name, type]], in order; a type as it can be written in SQL. #}
{% macro _described(query) %}
    {%- set columns, cut, asked = [], [], [] -%}
    {%- for row in run_query('describe query ' ~ query) -%}
        {%- do columns.append([row['col_name'], row['data_type']]) -%}
    {%- endfor -%}
    {%- set names = columns | map('first') | map('lower') | list -%}
    {#- of a struct with many fields DESCRIBE names the first 25; of two columns of one name none can be asked for -#}
    {%- for column in columns if ' more fields' in column[1] and names.count(column[0] | lower) == 1 -%}
        {%- do cut.append(column) -%}
        {%- do asked.append('typeof(any_value(' ~ event_windows._name(column[0]) ~ '))') -%}
    {%- endfor -%}
    {%- if cut -%}
        {%- set types = run_query(
            'select ' ~ asked | join(', ') ~ ' from (' ~ query ~ '\n) as described where false'
        ).rows[0].values() | list -%}
        {%- for column in cut %}{% do column.append(types[loop.index0]) %}{% endfor -%}
    {%- endif -%}
    {%- set described = [] -%}
    {%- for column in columns -%}
        {%- do described.append([column[0], event_windows._written_type(column | last)]) -%}
    {%- endfor -%}
    {{- return(described) -}}
{% endmacro %}


{# The names of the columns of a relation, in lower case. #}
{% macro _columns_there(relation) %}
    {{- return(event_windows._described('select * from ' ~ relation) | map('first') | map('lower') | list) -}}
{% endmacro %}


{#
    What DESCRIBE TABLE EXTENDED has of a relation: {'columns': {name: comment}, 'said': {'Provider', 'Comment', 'View
    Text', ...}, which stand behind the columns}.
#}
{% macro _described_in_full(relation) %}
    {%- set columns, said = {}, {} -%}
    {%- for row in run_query('describe table extended ' ~ relation) -%}
        {%- if not said and row['col_name'] and not row['col_name'].startswith('# ') -%}
            {%- do columns.update({row['col_name']: row['comment'] or ''}) -%}
        {%- else -%}
            {%- do said.update({row['col_name'] or '': row['data_type']}) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return({'columns': columns, 'said': said}) -}}
{% endmacro %}


{#
    What Spark has against a query, without its class and state; none if nothing. Asked to explain it, Spark tells as a
    text what any other statement would fail with.
#}
{% macro _said_against(sql) %}
    {%- set said = [] -%}
    {%- for row in run_query('explain ' ~ sql) %}{% do said.append(row[0]) %}{% endfor -%}
    {%- set error = modules.re.search(
        '(?m)^(?:(?:Error occurred[^:]*|[\\w.]+Exception):\\s*(?:\\[[\\w.]+\\])?|\\[[A-Z_.]+\\] )([^\\n]*)',
        said | join('\n')
    ) -%}
    {{- return(error.group(1).split('SQLSTATE:')[0] | trim if error else none) -}}
{% endmacro %}


{# Nulls of such types, with these names: a list of SQL. #}
{% macro _nulls(columns) %}
    {%- set nulls = [] -%}
    {%- for name, type in columns -%}
        {%- do nulls.append('cast(null as ' ~ type ~ ') as ' ~ event_windows._name(name)) -%}
    {%- endfor -%}
    {{- return(nulls) -}}
{% endmacro %}


{# [[name, type]] of what a query gives, but for the package's own columns. #}
{% macro _columns_of(sql) %}
    {%- set columns = [] -%}
    {%- for name, type in event_windows._described(sql) if not name.lower().startswith('_ew_') -%}
        {%- do columns.append([name, type]) -%}
    {%- endfor -%}
    {{- return(columns) -}}
{% endmacro %}


{# A number that a query returned, none for null. #}
{% macro _number(value) %}
    {{- return(value | int if value is not none else none) -}}
{% endmacro %}
