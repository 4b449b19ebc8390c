{#
    Every aggregate of a model as a plan: a list of {'name', 'given', 'sql', 'columns', 'pieces', 'calls', 'parts',
    'final', 'instead'}.

    given    what was asked for: SQL, or one call that is taken apart already, see _given_call; sql: its text
    columns  the columns that it names, see _columns_of_call
    pieces   the SQL around calls, see _expression; calls: [{'value', 'final'}], a call over plain rows and over the
             parts
    parts    [{'column', 'partial', 'guarded', 'merge', 'running', 'plain', 'type'}], what is kept of a window;
             `guarded` is the partial where rows are read, too, that no window can count: they may hold what the
             aggregate cannot take, or be too many for it. `running` is the merge with {over} after each aggregate call
             in it, `plain` (and `plain_guarded`) the partial where it is no bigint, see _catalogue, `type` none until
             Spark was asked
    final    SQL over the part columns, or none where the one part is the value and bears the output name
    instead  names of entries that were taken for the types of arguments

    `order` is the list of columns that order rows in the same instant (arrival, then partition): it makes first, min_by
    and their like the same however rows are cut into refreshes. Problems are added to `problems`. `types` are those of
    what calls aggregate, by their SQL, as soon as Spark was asked; none where it cannot be.
#}
{% macro _plan_aggregates(aggregates, event_time, order, problems, types={}) %}
    {%- set catalogue = event_windows._catalogue() -%}
    {%- set names = event_windows._names_of_aggregates(catalogue) -%}
    {%- set known = names + event_windows._holistic_functions() -%}
    {%- set plan = [] -%}
    {%- for name, given in aggregates.items() -%}
        {%- set sql = given.text if given is mapping else given -%}
        {%- set where = "aggregate '" ~ name ~ "' is \"" ~ sql ~ '": ' -%}
        {%- set read = event_windows._read_aggregate(given, known) -%}
        {%- set strange = (read.calls or []) | map(attribute='fn') | reject('in', known) | list -%}
        {%- set session = event_windows._session_functions() if strange else none -%}
        {%- if session is not none -%}
            {%- set read = event_windows._read_aggregate(given, known + session.python, session.others) -%}
        {%- endif -%}
        {%- if read.problem -%}
            {%- do problems.append(where ~ read.problem ~ '; write a call, fn(arguments) [filter (where condition)], '
                ~ 'or an expression over such calls') -%}
        {%- elif read.unknown -%}
            {%- do problems.append(where ~ event_windows._is_unknown(read.unknown, names, session)) -%}
        {%- else -%}
            {%- set aggregate = {
                'name': name, 'given': given, 'sql': sql, 'columns': [], 'pieces': read.pieces, 'calls': [],
                'parts': [], 'instead': []
            } -%}
            {%- do event_windows._plan_calls(
                aggregate, read.calls, catalogue, session, event_time, order, where, problems, types
            ) -%}
            {%- do plan.append(aggregate) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(plan) -}}
{% endmacro %}


{# The names of all functions in the catalogue, other names too. #}
{% macro _names_of_aggregates(catalogue) %}
    {%- set names = [] -%}
    {%- for name in catalogue.keys() | list + event_windows._aliases().keys() | list if '(' not in name -%}
        {%- do names.append(name) -%}
    {%- endfor -%}
    {{- return(names) -}}
{% endmacro %}


{% macro _read_aggregate(given, known, guess=none) %}
    {{- return(event_windows._given_call(given, known, guess) if given is mapping
        else event_windows._expression(given, known, guess)) -}}
{% endmacro %}


{% macro _is_unknown(fn, names, session) %}
    {{- return("it calls '" ~ fn ~ "', which is not known as an aggregate: allowed are " ~ names | sort | join(', ')
        ~ '; Python aggregates registered in this session: ' ~ (session.python | sort | join(', ') or 'none')
        ~ '; other functions of this session: ' ~ (session.others | sort | join(', ') or 'none')
        ~ '; write one in udfs/ of your dbt project, or register it with '
        ~ 'dbt_event_windows.register(spark, udfs=...)') -}}
{% endmacro %}


{# The calls of an aggregate, planned one by one. #}
{% macro _plan_calls(aggregate, calls, catalogue, session, event_time, order, where, problems, types) %}
    {%- for call in calls -%}
        {%- set found = event_windows._entry(call, catalogue, session) -%}
        {%- set other = event_windows._entry_by_type(found, types.get(call.sql)) if types is not none else none -%}
        {%- set entry = event_windows._entry_of_any_type(call, found, order) if types is none
            else found.instead[other] if other else found -%}
        {%- if other %}{% do aggregate.instead.append(other) %}{% endif -%}
        {%- set problem = event_windows._call_problem(call, entry) -%}
        {%- if entry.fn and execute and event_windows._is_view() -%}
            {%- set problem = problem or event_windows._told_view() ~ ", which cannot call " ~ call.fn
                ~ ', a Python function of the session: use ' ~ event_windows._instead_of_view() -%}
        {%- endif -%}
        {%- if problem -%}
            {%- do problems.append(where ~ problem) -%}
        {%- else -%}
            {%- do event_windows._plan_call(
                aggregate, call, entry, event_time, order, number='' if aggregate.pieces == [0] else loop.index
            ) -%}
            {%- if session and call.fn in session.others -%}
                {%- do aggregate.calls[-1].update({'of_session': call.fn ~ '(' ~ call.arguments | join(', ') ~ ')'}) -%}
            {%- endif -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do aggregate.update({'final': event_windows._final(aggregate)}) -%}
{% endmacro %}
