{#
    An analyst's own SELECT as a spec, the same that windowed() makes. The registered function event_windows_plan reads
    the text with sqlglot and says what is below the windows (the relation), what the windows are, and what the text
    makes of them; or why it cannot be kept up to date. What names mean, and which columns the text has, it asks of
    Spark. All of it before anything is written.
#}
{% macro _plain_spec(sql) %}
    {%- set plan = event_windows._plan_of(sql) -%}
    {%- do event_windows._raise_about_text(plan.problems or []) -%}
    {%- set window = event_windows._plain_window(plan.window, event_windows._setting('grace')) -%}
    {%- set spec = event_windows._spec(
        relation=plan.relation, key=plan.key, event_time=plan.event_time, window=window, aggregates=plan.aggregates,
        arrival_order=plan.arrival_order, partition=plan.partition | first | default(none),
        stream_time=event_windows._setting('stream_time', 'key'), problems=[],
        written='the SQL of'
    ) -%}
    {%- set columns = [] -%}
    {%- for column in plan.columns %}{% do columns.append([column.name, column.sql]) %}{% endfor -%}
    {%- do spec.update({
        'null_keys': true,
        'plain': {'columns': columns, 'having': plan.having, 'check': plan.check},
        'text': {'sql': event_windows._whole_relation(sql), 'settings': plan.settings}
    }) -%}
    {%- do event_windows._check_shown(spec, plan.columns) -%}
    {%- for note in plan.notes %}{{ event_windows._say(note) }}{% endfor -%}
    {{- return(spec) -}}
{% endmacro %}


{#
    What the planner says of the text; settings that it reads are the model's config. What it asks is answered until it
    asks no more: first the columns of what the text reads, then those of the text.
#}
{% macro _plan_of(sql) %}
    {%- set settings = {} -%}
    {%- for name in ['arrival_order', 'arrived_at', 'partition', 'joins']
        if event_windows._setting(name) is not none -%}
        {%- do settings.update({name: event_windows._setting(name)}) -%}
    {%- endfor -%}
    {%- do event_windows._check_plain_config(settings) -%}
    {%- do event_windows._refuse([event_windows._planner_of_models_not_there()]) -%}
    {%- set plan = event_windows._answered_plan(sql, settings) -%}
    {{- return(dict(plan, settings=settings)) -}}
{% endmacro %}


{# What to say where nothing reads models in plain SQL; none where that is there. #}
{% macro _planner_of_models_not_there() %}
    {{- return(event_windows._planner_not_there(
        'a model in plain SQL', '; or write the model as a call of event_windows.windowed(...)'
    )) -}}
{% endmacro %}


{# The plan of a text; what the planner asks is answered until it asks no more. #}
{% macro _answered_plan(sql, settings) %}
    {%- set answers = {} -%}
    {%- set plans = [{'questions': []}] -%}
    {%- for _ in range(9) if plans[-1].questions is defined -%}
        {%- for query in plans[-1].questions -%}
            {%- do answers.update({query: event_windows._answered(query)}) -%}
        {%- endfor -%}
        {%- set text = "select event_windows_plan(" ~ event_windows._literal(sql) ~ ', '
            ~ event_windows._literal(tojson(dict(settings, answers=answers))) ~ ') as plan, '
            ~ event_windows._session_asked(reads=true) -%}
        {%- set row = run_query(text).rows[0] -%}
        {%- do event_windows._check_session(row) -%}
        {%- do plans.append(fromjson(row['plan'])) -%}
    {%- endfor -%}
    {{- return(plans[-1]) -}}
{% endmacro %}


{# What of the config concerns such a text alone: all that is wrong at once. #}
{% macro _check_plain_config(settings) %}
    {%- set problems = [] -%}
    {%- do event_windows._read_grace(event_windows._setting('grace'), problems, 'grace (in the config)') -%}
    {%- if settings.joins not in (undefined, 'as_of_refresh', 'refuse') -%}
        {%- do problems.append("joins is '" ~ settings.joins ~ "': allowed are as_of_refresh, refuse") -%}
    {%- endif -%}
    {%- if settings.arrival_order is not defined -%}
        {%- do problems.append("arrival_order is missing: name in the config the column that says in which order rows "
            ~ 'came in (an offset, a sequence number), which the SELECT need not show; without it nothing tells which '
            ~ 'rows are new') -%}
    {%- endif -%}
    {%- if settings.arrived_at is defined and settings.arrived_at is not string -%}
        {%- do problems.append("arrived_at is '" ~ settings.arrived_at ~ "': give the name of a TIMESTAMP column") -%}
    {%- endif -%}
    {%- if settings.partition is defined and settings.partition is not string -%}
        {%- do problems.append("partition is '" ~ settings.partition ~ "': give the name of a column") -%}
    {%- endif -%}
    {%- do event_windows._refuse(problems) -%}
{% endmacro %}


{# [[name, type]] of a query's columns; or, which is no query, of the user's aggregates, which have no type here. #}
{% macro _answered(question) %}
    {%- if question != 'show user functions' %}{{- return(event_windows._described(question)) -}}{% endif -%}
    {%- set names = [] -%}
    {%- for name in (event_windows._session_functions() or {'python': []}).python %}
        {%- do names.append([name, '']) -%}
    {%- endfor -%}
    {{- return(names) -}}
{% endmacro %}


{# Each place of the text that cannot be kept up to date, as the user wrote it. #}
{% macro _raise_about_text(found) %}
    {%- set problems = [] -%}
    {%- for problem in found -%}
        {%- do problems.append(('' if problem.clause == 'config' else 'line ' ~ problem.line ~ ', ') ~ problem.clause
            ~ (': ' ~ problem.text if problem.text) ~ ': ' ~ problem.problem ~ ': ' ~ problem.mend) -%}
    {%- endfor -%}
    {%- if problems %}{{ event_windows._raise("the SQL of model '" ~ model.name ~ "'", problems) }}{% endif -%}
{% endmacro %}


{# The plan's window, made by the constructor of its type. #}
{% macro _plain_window(plan, grace) %}
    {%- set options = {'grace': grace} -%}
    {%- for option, value in plan.items() if option not in ('type', 'offset') -%}
        {%- do options.update({option: value | int if option == 'every' else value}) -%}
    {%- endfor -%}
    {%- if plan.offset is defined -%}
        {%- set length = event_windows._duration('offset', plan.offset | replace('-', ''), allow_zero=true).micros -%}
        {%- do options.update({
            'offset': -length if plan.offset.startswith('-') else length, 'origin': none, 'unknown': [{}, []]
        }) -%}
        {{- return(context['event_windows']['default__' ~ plan.type](**options)) -}}
    {%- endif -%}
    {{- return(context['event_windows'][plan.type](**options)) -}}
{% endmacro %}
