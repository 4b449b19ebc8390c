{#
    What a report must know of a windowed model: the table of its windows with what that records of itself, the spec to
    read its source by, and the tables beside it. spec is none while dbt parses.
#}
{% macro _reported_model(relation) %}
    {%- set problems = [] -%}
    {%- set found = none if not execute else adapter.get_relation(
        database=relation.database, schema=relation.schema, identifier=relation.identifier
    ) -%}
    {%- if not execute %}{{- return({'spec': none}) -}}{% endif -%}
    {%- if not found -%}
        {{ event_windows._raise('the report', [relation ~ ' is not there: run the model first']) }}
    {%- endif -%}
    {#- of final windows and of plain SQL the windows stand beside what the model shows -#}
    {%- set state = load_cached_relation(event_windows._beside(found, 'state')) -%}
    {%- set table = event_windows._windowed_table('the report', state if state is not none else found, problems) -%}
    {%- set spec = event_windows._recorded_spec(table) -%}
    {%- do spec.update({'relation': table.spec.relation}) -%}
    {%- set counts = [] -%}
    {%- for name, sql in table.spec.aggregates.items()
        if modules.re.fullmatch('count\\((\\*|1)\\)', sql | string | replace(' ', '') | lower) -%}
        {%- do counts.append(name) -%}
    {%- endfor -%}
    {{- return({
        'table': table, 'spec': spec, 'tables': event_windows._tables(found, spec.emit, spec.plain is not none),
        'count': counts | first | default(none), 'published': spec.emit == 'final' and spec.plain is none
    }) -}}
{% endmacro %}


{# Answers come as lines of JSON, each with the part of the answer that it is of: any adapter hands on text as it is. #}
{% macro _report_line(part, fields) %}
    {%- set pairs = [] -%}
    {%- for name, sql in fields.items() %}{% do pairs.append("'" ~ name ~ "', " ~ sql) %}{% endfor -%}
    {{- return("select '" ~ part ~ "' as part, to_json(named_struct(" ~ pairs | join(', ') ~ ')) as line') -}}
{% endmacro %}


{% macro _report_nothing() %}
    {{- return("select '' as part, '' as line where false") -}}
{% endmacro %}


{# The values of columns as an array of texts. #}
{% macro _report_texts(columns, alias=none) %}
    {%- set texts = [] -%}
    {%- for column in columns -%}
        {%- do texts.append('cast(' ~ event_windows._names([column], alias) ~ ' as string)') -%}
    {%- endfor -%}
    {{- return('array(' ~ texts | join(', ') ~ ')') -}}
{% endmacro %}


{# The condition that columns have values given as text: {column: text}. #}
{% macro _report_where(values) %}
    {%- set conditions = [] -%}
    {%- for column, text in values.items() -%}
        {%- do conditions.append('cast(' ~ event_windows._name(column) ~ ' as string) = '
            ~ event_windows._literal(text)) -%}
    {%- endfor -%}
    {{- return(conditions | join(' and ') or 'true') -}}
{% endmacro %}


{# {name: type} of the columns of what follows FROM; those of `wanted` that are not there go to `problems`. #}
{% macro _report_columns(sql, wanted, problems) %}
    {%- set columns = {} -%}
    {%- for row in run_query('describe query select * from ' ~ sql) -%}
        {%- do columns.update({row['col_name']: row['data_type']}) -%}
    {%- endfor -%}
    {%- set names = columns.keys() | map('lower') | list -%}
    {%- for column in wanted if column is not none and column | lower not in names -%}
        {%- do problems.append("column '" ~ column ~ "' does not exist: the rows have "
            ~ columns.keys() | join(', ')) -%}
    {%- endfor -%}
    {{- return(columns) -}}
{% endmacro %}
