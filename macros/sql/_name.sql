{# A column name as SQL: plain where SQL takes it plain, in backticks otherwise. #}
{% macro _name(column) %}
    {%- if modules.re.fullmatch('[A-Za-z_][A-Za-z0-9_]*', column)
        and column | lower not in event_windows._reserved() -%}
        {{- return(column) -}}
    {%- endif -%}
    {{- return('`' ~ column | replace('`', '``') ~ '`') -}}
{% endmacro %}


{# Words that Spark, Databricks or a parser of their SQL does not take for a column without backticks. #}
{% macro _reserved() %}
    {{- return((
        'all alter and anti any array as asc at between both by case cast check collate column constraint create '
            ~ 'cross cube current current_date current_time current_timestamp current_user default delete desc '
            ~ 'describe distinct drop else end escape except exists explain false fetch filter for foreign from full '
            ~ 'function global grant group grouping having if in inner insert intersect interval into is join lateral '
            ~ 'leading left like limit local map merge minus natural not null of offset on only or order out outer '
            ~ 'over overlaps partition primary range references revoke right rollup row rows select semi session_user '
            ~ 'set some start struct table tablesample then time to trailing true truncate union unique unknown '
            ~ 'update user using values when where window with'
    ).split(' ')) -}}
{% endmacro %}


{# Column names as one list, each with an optional table alias before it. #}
{% macro _names(columns, alias=none) %}
    {%- set names = [] -%}
    {%- for column in columns -%}
        {%- do names.append((alias ~ '.' if alias else '') ~ event_windows._name(column)) -%}
    {%- endfor -%}
    {{- return(names | join(', ')) -}}
{% endmacro %}


{# The same with a comma after it, or nothing for no column: what stands before more columns. #}
{% macro _names_before(columns, alias=none) %}
    {{- return(event_windows._names(columns, alias) ~ (', ' if columns else '')) -}}
{% endmacro %}


{# The condition that two aliases agree on every column, true for no column; null_safe where a column may be null. #}
{% macro _equal(columns, left, right, null_safe=false) %}
    {%- set pairs = [] -%}
    {%- for column in columns -%}
        {%- set name = event_windows._name(column) -%}
        {%- do pairs.append(left ~ '.' ~ name ~ (' <=> ' if null_safe else ' = ') ~ right ~ '.' ~ name) -%}
    {%- endfor -%}
    {{- return(pairs | join(' and ') or 'true') -}}
{% endmacro %}


{# Whether a column is one of some: names are compared as Spark does, without case. #}
{% macro _is_among(column, columns) %}
    {{- return(column | lower in columns | map('lower') | list) -}}
{% endmacro %}
