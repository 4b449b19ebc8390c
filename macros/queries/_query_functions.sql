{#
    The queries as SQL table functions beside the table, for clients that know no Jinja: <m>_fetch, <m>_fetch_all and,
    for sessions, <m>_find_sessions. Made anew after each refresh, so that they always have the table's columns. Spark
    puts the arguments into the body before it plans, so they prune segments as the macros do.
#}
{% macro _create_query_functions(spec, tables) %}
    {%- if not event_windows._setting('query_functions', false) %}{{- return('') -}}{% endif -%}
    {%- set table = event_windows._functions_table(spec, tables) -%}
    {%- set lengths = event_windows._lengths(table) -%}
    {%- set key = event_windows._known_key(spec.key) -%}
    {%- set range = [['from_time', 'window_start', '>=', lengths[0]], ['to_time', 'window_start', '<=', lengths[1]]] -%}
    {%- do event_windows._create_query_function(table, 'fetch', key, range, []) -%}
    {%- do event_windows._create_query_function(table, 'fetch_all', [], range, spec.key) -%}
    {%- if event_windows._trait('absorbs', spec) -%}
        {%- do event_windows._create_query_function(table, 'find_sessions', key,
            [['earliest_end', 'window_end', '>=', none], ['latest_start', 'window_start', '<=', none]], []) -%}
    {%- else -%}
        {#- of a model that had session windows before -#}
        {%- do run_query('drop function if exists ' ~ event_windows._query_function(tables.model, 'find_sessions')) -%}
    {%- endif -%}
{% endmacro %}


{#
    The table that they ask, as _windows_table describes one, with the columns that the spec says it has: of a model
    in plain SQL the windows behind what it shows.
#}
{% macro _functions_table(spec, tables) %}
    {%- set windows = event_windows._as_spark_has_them(spec, tables.windows) -%}
    {%- set table = {
        'model': tables.model, 'sql': windows if event_windows._shows_state(spec) else tables.model,
        'spec': spec, 'columns': {}, 'shown': none
    } -%}
    {%- set time = event_windows._type_of(spec.event_time, spec) -%}
    {%- set own = dict(event_windows._types_of(spec.key, spec), window_start=time, window_end=time) -%}
    {%- if spec.plain is none or event_windows._shows_state(spec) -%}
        {%- do table.columns.update(own) -%}
        {%- for aggregate in spec.aggregates %}{% do table.columns.update({aggregate.name: aggregate.type}) %}
        {%- endfor -%}
    {%- else -%}
        {%- for name, _ in spec.plain.columns %}{% do table.columns.update({name: none}) %}{% endfor -%}
    {%- endif -%}
    {%- if spec.plain is not none -%}
        {%- do table.update({
            'shown': {'columns': spec.plain.columns, 'having': spec.plain.having, 'hidden': []}
        }) -%}
        {%- if spec.emit == 'final' %}{% do event_windows._as_stored(table, time) %}{% endif -%}
    {%- endif -%}
    {%- do table.columns.update(own) -%}
    {{- return(table) -}}
{% endmacro %}


{# A function beside a table, as a relation: where dbt quotes the table's name it quotes that one too. #}
{% macro _query_function(relation, query) %}
    {{- return(relation.incorporate(path={'identifier': relation.identifier ~ '_' ~ query})) -}}
{% endmacro %}


{# One function. Its arguments are qualified by its name, since a plain name in the body is a column first. #}
{% macro _create_query_function(table, query, key, bounds, order) %}
    {%- set function = event_windows._query_function(table.model, query) -%}
    {%- set name = function.identifier -%}
    {%- set arguments = [] -%}
    {%- set conditions = [] -%}
    {%- for column in key -%}
        {%- do arguments.append(event_windows._name(column) ~ ' ' ~ table.columns[column]) -%}
        {%- do conditions.append(event_windows._has_key(
            table, column, event_windows._name(name) ~ '.' ~ event_windows._name(column)
        )) -%}
    {%- endfor -%}
    {%- for argument, column, operator, to_end in bounds -%}
        {%- do arguments.append(argument ~ ' ' ~ table.columns.window_start ~ ' default null') -%}
        {%- set time = event_windows._name(name) ~ '.' ~ argument -%}
        {%- do conditions.extend(
            event_windows._ends_from(table, time, nullable=true) if column == 'window_end'
            else event_windows._bound(table, column, operator, time, to_end, nullable=true)
        ) -%}
    {%- endfor -%}
    {%- do run_query('create or replace function ' ~ function ~ ' (' ~ arguments | join(', ')
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
    {%- if given is sameas true -%}
        {%- do event_windows._check_is_shown(
            event_windows._functions_table(spec, {'model': 'm', 'windows': 'm'}),
            spec.key + ['window_start'] + (['window_end'] if event_windows._trait('absorbs', spec) else []), problems
        ) -%}
    {%- endif -%}
    {%- set elsewhere = given is sameas true and spec.home.catalogue != 'spark_catalog' -%}
    {%- if elsewhere -%}
        {%- do problems.append('query_functions is true, and the tables are in catalogue ' ~ spec.home.catalogue
            ~ ", which holds no SQL functions as only the session's own does: leave query_functions out, and ask by "
            ~ 'macros (event_windows.fetch)') -%}
    {%- endif -%}
    {%- set problem = event_windows._functions_problem() if given is sameas true and not elsewhere else none -%}
    {%- if problem %}{% do problems.append('query_functions is true, and ' ~ problem) %}{% endif -%}
    {%- do event_windows._refuse(problems) -%}
{% endmacro %}
