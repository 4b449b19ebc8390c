{#
    Every aggregate of a model as a plan: a list of {'name', 'sql', 'columns', 'pieces', 'calls', 'parts', 'final'}.

    columns  the arguments that are a column's name and nothing else
    pieces   the SQL around calls, see _expression; calls: [{'value', 'final'}], a call over plain rows and over the
             parts
    parts    [{'column', 'partial', 'merge', 'running', 'plain'}], what is kept of a window; `running` is the merge with
             {over} after each aggregate call in it, `plain` the partial where it is no bigint, see _catalogue
    final    SQL over the part columns, or none where the one part is the value and bears the output name

    `order` is the list of columns that order rows in the same instant (arrival, then partition): it makes first, min_by
    and their like the same however rows are cut into refreshes. Problems are added to `problems`. With
    `wide` calls have the entries for values of 38 digits, where there are such.
#}
{% macro _plan_aggregates(aggregates, event_time, order, problems, wide=false) %}
    {%- set catalogue = event_windows._catalogue() -%}
    {%- set names = [] -%}
    {%- for name in catalogue.keys() | list + event_windows._aliases().keys() | list if '(' not in name -%}
        {%- do names.append(name) -%}
    {%- endfor -%}
    {%- set known = names + event_windows._holistic_functions() -%}
    {%- set plan = [] -%}
    {%- for name, sql in aggregates.items() -%}
        {%- set where = "aggregate '" ~ name ~ "' is \"" ~ sql ~ '": ' -%}
        {%- set read = event_windows._expression(sql, known) -%}
        {%- set strange = (read.calls or []) | map(attribute='fn') | reject('in', known) | list -%}
        {%- set session = event_windows._session_functions() if strange else none -%}
        {%- if session is not none -%}
            {%- set read = event_windows._expression(sql, known + session.python, session.others) -%}
        {%- endif -%}
        {%- if read.problem -%}
            {%- do problems.append(where ~ read.problem ~ '; write a call, fn(arguments) [filter (where condition)], '
                ~ 'or an expression over such calls') -%}
        {%- elif read.unknown -%}
            {%- do problems.append(where ~ "it calls '" ~ read.unknown ~ "', which is not known as an aggregate: "
                ~ "allowed are " ~ names | sort | join(', ') ~ '; Python aggregates registered in this session: '
                ~ (session.python | sort | join(', ') or 'none') ~ '; other functions of this session: '
                ~ (session.others | sort | join(', ') or 'none')
                ~ '; write one in udfs/ of your dbt project, or register it with '
                ~ 'dbt_event_windows.register(spark, udfs=...)') -%}
        {%- else -%}
            {%- do plan.append(event_windows._plan_aggregate(
                name, sql, read, catalogue, session, event_time, order, where, problems, wide
            )) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(plan) -}}
{% endmacro %}


{% macro _plan_aggregate(name, sql, read, catalogue, session, event_time, order, where, problems, wide) %}
    {%- set aggregate = {
        'name': name, 'sql': sql, 'columns': [], 'pieces': read.pieces, 'calls': [], 'parts': [], 'wide': wide
    } -%}
    {%- for call in read.calls -%}
        {%- set entry = event_windows._entry(call, catalogue, session) -%}
        {%- set entry = entry.wide if wide and entry.wide else entry -%}
        {%- set problem = event_windows._call_problem(call, entry) -%}
        {%- if entry.fn and execute and event_windows._is_view() -%}
            {%- set problem = problem or "materialized is 'view', which cannot call " ~ call.fn
                ~ ", a Python function of the session: use materialized='table' or 'windowed'" -%}
        {%- endif -%}
        {%- if problem -%}
            {%- do problems.append(where ~ problem) -%}
        {%- else -%}
            {%- do event_windows._plan_call(
                aggregate, call, entry, event_time, order, number='' if read.pieces == [0] else loop.index
            ) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do aggregate.update({'final': event_windows._final(aggregate)}) -%}
    {{- return(aggregate) -}}
{% endmacro %}


{#
    What the catalogue has of a call. A function that it does not have is one of the session:
    in Python as long as nothing else is known.
#}
{% macro _entry(call, catalogue, session) %}
    {%- set aliases = event_windows._aliases() -%}
    {%- set name = call.fn ~ ('(distinct)' if call.distinct else '') -%}
    {%- set direct = aliases.get(name, name) -%}
    {%- set renamed = aliases.get(call.fn, call.fn) ~ ('(distinct)' if call.distinct else '') -%}
    {%- set entry = catalogue.get(direct) or catalogue.get(renamed) -%}
    {%- if entry %}{{- return(entry) -}}{% endif -%}
    {%- set holistic = call.fn in event_windows._holistic_functions() + (session.others if session else []) -%}
    {{- return(event_windows._holistic_entry(call.fn) if holistic else event_windows._python_entry(call.fn)) -}}
{% endmacro %}


{# What is wrong with a call, or none. #}
{% macro _call_problem(call, entry) %}
    {%- set least, most = entry.arguments[0], entry.arguments[1] -%}
    {%- set given = call.arguments | length -%}
    {%- if call.distinct and entry.fn -%}
        {{- return('distinct is not understood in ' ~ call.fn ~ ': allowed are count(distinct ...), '
            ~ 'sum(distinct ...), collect_set(...) and, where it makes no difference, min, max, bool_and, bool_or, '
            ~ 'bit_and, bit_or') -}}
    {%- elif '' in call.arguments -%}
        {{- return('an argument of ' ~ call.fn ~ ' is empty') -}}
    {%- elif given < least or given > most -%}
        {{- return(call.fn ~ ' takes ' ~ (least if least == most else least ~ ' to ' ~ most) ~ ' argument(s), ' ~ given
            ~ ' given') -}}
    {%- endif -%}
    {%- for clause, text in {'nulls': 'ignore nulls', 'within': 'within group (order by ...)'}.items() -%}
        {%- if call[clause] and clause not in (entry.clauses or []) -%}
            {{- return("'" ~ text ~ "' is not understood after " ~ call.fn) -}}
        {%- endif -%}
    {%- endfor -%}
    {%- if '{within}' in tojson(entry) and not call.within -%}
        {{- return(call.fn ~ ' is written ' ~ call.fn ~ '(percentage) within group (order by expression)') -}}
    {%- elif 'nulls' in (entry.clauses or []) and given == 2
        and (call.arguments[1] | lower not in ('true', 'false') or call.nulls) -%}
        {{- return('the second argument of ' ~ call.fn ~ ' is true (leave nulls out) or false, given '
            ~ call.arguments[1]) -}}
    {%- endif -%}
    {%- for place in entry.constants or [] if place < given -%}
        {%- set column = event_windows._first_column(call.arguments[place]) -%}
        {%- if column -%}
            {{- return('argument ' ~ (place + 1) ~ ' of ' ~ call.fn ~ " is a constant, '" ~ column
                ~ "' is a column") -}}
        {%- endif -%}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}
