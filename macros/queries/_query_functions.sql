{#
    The queries as SQL table functions beside the table, for clients that know no Jinja: <m>_fetch, <m>_fetch_all and,
    for sessions, <m>_find_sessions. Made anew after each refresh, so that they always have the table's columns. Spark
    puts the arguments into the body before it plans, so they prune segments as the macros do.
#}
{% macro _create_query_functions(spec, tables) %}
    {%- if not event_windows._setting('query_functions', false) %}{{- return('') -}}{% endif -%}
    {%- set table = {'sql': tables.model, 'spec': spec, 'columns': {}} -%}
    {%- for column in spec.key -%}
        {%- do table.columns.update({column: event_windows._type_of(column, spec)}) -%}
    {%- endfor -%}
    {%- set time = event_windows._type_of(spec.event_time, spec) -%}
    {%- do table.columns.update({'window_start': time, 'window_end': time}) -%}
    {%- for aggregate in spec.aggregates %}{% do table.columns.update({aggregate.name: aggregate.type}) %}{% endfor -%}
    {%- set lengths = event_windows._lengths(table) -%}
    {%- set range = [['from_time', 'window_start', '>=', lengths[0]], ['to_time', 'window_start', '<=', lengths[1]]] -%}
    {%- do event_windows._create_query_function(table, 'fetch', spec.key, range, []) -%}
    {%- do event_windows._create_query_function(table, 'fetch_all', [], range, spec.key) -%}
    {%- if event_windows._trait('absorbs', spec) -%}
        {%- do event_windows._create_query_function(table, 'find_sessions', spec.key,
            [['earliest_end', 'window_end', '>=', 0], ['latest_start', 'window_start', '<=', none]], []) -%}
    {%- else -%}
        {#- of a model that had session windows before -#}
        {%- do run_query('drop function if exists ' ~ tables.model ~ '_find_sessions') -%}
    {%- endif -%}
{% endmacro %}


{# One function. Its arguments are qualified by its name, since a plain name in the body is a column first. #}
{% macro _create_query_function(table, query, key, bounds, order) %}
    {%- set name = table.sql.identifier ~ '_' ~ query -%}
    {%- set arguments = [] -%}
    {%- set conditions = [] -%}
    {%- for column in key -%}
        {%- do arguments.append(event_windows._name(column) ~ ' ' ~ table.columns[column]) -%}
        {%- do conditions.append('stored.' ~ event_windows._name(column) ~ ' = ' ~ event_windows._name(name) ~ '.'
            ~ event_windows._name(column)) -%}
    {%- endfor -%}
    {%- for argument, column, operator, to_end in bounds -%}
        {%- do arguments.append(argument ~ ' ' ~ table.columns.window_start ~ ' default null') -%}
        {%- do conditions.extend(event_windows._bound(
            table, column, operator, event_windows._name(name) ~ '.' ~ argument, to_end, nullable=true
        )) -%}
    {%- endfor -%}
    {%- do run_query('create or replace function ' ~ table.sql ~ '_' ~ query ~ ' (' ~ arguments | join(', ')
        ~ ')\nreturns table\nreturn\n' ~ event_windows._select_windows(table, conditions, order, false)) -%}
{% endmacro %}


{# What query_functions may be, and that no key column is called as an argument is; before anything is written. #}
{% macro _check_query_functions(spec) %}
    {%- set given = event_windows._setting('query_functions', false) -%}
    {%- set problems = [] -%}
    {%- if given is not boolean -%}
        {%- do problems.append("query_functions is '" ~ given ~ "': allowed are true and false") -%}
    {%- endif -%}
    {%- for column in spec.key
        if given and column | lower in ('from_time', 'to_time', 'earliest_end', 'latest_start') -%}
        {%- do problems.append("query_functions is true, and key column '" ~ column ~ "' is called as an argument of "
            ~ "these functions is: rename it in the relation, or leave query_functions out") -%}
    {%- endfor -%}
    {%- set problem = event_windows._functions_problem() if given is sameas true else none -%}
    {%- if problem %}{% do problems.append('query_functions is true, and ' ~ problem) %}{% endif -%}
    {%- if problems %}{{ event_windows._raise("model '" ~ model.name ~ "'", problems) }}{% endif -%}
{% endmacro %}
