{# The spec of a call of windowed(); all that is wrong with it makes one message. #}
{% macro _spec_of_call(
    relation, key, event_time, window, aggregates, arrival_order=none, partition=none, stream_time='key', unknown=none
) %}
    {%- set problems = event_windows._unknown_options(
        'relation, key, event_time, window, aggregates, arrival_order, partition, stream_time', unknown
    ) -%}
    {%- set given = event_windows._given_arguments({
        'relation': relation, 'key': key, 'event_time': event_time, 'window': window, 'aggregates': aggregates,
        'arrival_order': arrival_order, 'partition': partition, 'stream_time': stream_time
    }, problems) -%}
    {{- return(event_windows._spec(problems=problems, **given)) -}}
{% endmacro %}


{#
    The arguments of windowed(), each of the kind that it must be, so that what follows can read them: what is of
    another kind is a problem, and left out.
#}
{% macro _given_arguments(given, problems) %}
    {%- set key = [given.key] if given.key is string else given.key -%}
    {%- if key in (none, [], ()) -%}
        {%- do problems.append("key is missing: give a column name or a list of them") -%}
    {%- elif key is mapping or key is not sequence -%}
        {%- do problems.append("key is '" ~ key ~ "': give a column name or a list of them") -%}
        {%- set key = [] -%}
    {%- endif -%}
    {%- set keys = [] -%}
    {%- for column in key or [] -%}
        {%- if event_windows._is_text(column) -%}
            {%- do keys.append(column) -%}
        {%- else -%}
            {%- do problems.append("key has '" ~ column ~ "': give names of columns") -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if not event_windows._is_text(given.event_time) -%}
        {%- do problems.append('event_time is ' ~ ('missing' if given.event_time is none
            else "'" ~ given.event_time ~ "'") ~ ': give the name of a TIMESTAMP or TIMESTAMP_NTZ column') -%}
    {%- endif -%}
    {%- for option in ['arrival_order', 'partition']
        if given[option] is not none and not event_windows._is_text(given[option]) -%}
        {%- do problems.append(option ~ " is '" ~ given[option] ~ "': give the name of a column") -%}
    {%- endfor -%}
    {%- set is_window = given.window is mapping and 'type' in given.window and 'grace' in given.window -%}
    {%- if not is_window -%}
        {%- do problems.append("window is '" ~ given.window ~ "': give what a window constructor returns, such as "
            ~ "event_windows.session(gap='30 minutes', grace='1 day')") -%}
    {%- endif -%}
    {%- set checked = dict(given, key=keys, window=given.window if is_window else none,
        aggregates=event_windows._given_aggregates(given.aggregates, problems)) -%}
    {%- for option in ['event_time', 'arrival_order', 'partition'] if not event_windows._is_text(given[option]) -%}
        {%- do checked.update({option: none}) -%}
    {%- endfor -%}
    {%- do event_windows._check_given_names(checked, problems) -%}
    {%- set why = event_windows._why_no_relation(given.relation) -%}
    {%- if why -%}
        {%- do problems.append(why) -%}
        {%- do checked.update({'relation': none}) -%}
    {%- endif -%}
    {%- do event_windows._check_config_beside(given, is_window, problems) -%}
    {{- return(checked) -}}
{% endmacro %}


{#
    Columns with a name of the package's own would stand twice in its SQL and its tables: so has a final table
    _ew_refresh, by which it may be followed. Not of what the planner of plain SQL names.
#}
{% macro _check_given_names(given, problems) %}
    {%- for column in (given.key + [given.event_time, given.arrival_order, given.partition]) | reject('none') | unique
        if (column | lower).startswith('_ew_') -%}
        {%- do problems.append("column '" ~ column ~ "' begins with '_ew_', which is kept for the package: give it "
            ~ 'another name in the relation, such as (select *, ' ~ event_windows._name(column) ~ ' as '
            ~ event_windows._name(column[4:] or 'c') ~ ' from ...)') -%}
    {%- endfor -%}
{% endmacro %}


{# The aggregates that have a name. #}
{% macro _given_aggregates(given, problems) %}
    {%- set aggregates = {} -%}
    {%- if given is not mapping or not given -%}
        {%- do problems.append('aggregates is ' ~ ("missing" if given in (none, [], {}) else "'" ~ given ~ "'")
            ~ ": give a mapping from output name to aggregate call, such as {'page_views': 'count(*)'}") -%}
        {{- return(aggregates) -}}
    {%- endif -%}
    {%- for name, call in given.items() -%}
        {%- if event_windows._is_text(name) -%}
            {%- do aggregates.update({name: call}) -%}
        {%- else -%}
            {%- do problems.append("aggregates has the output name '" ~ name ~ "': give the name of a column, in text")
            -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(aggregates) -}}
{% endmacro %}


{# Why something is no relation that can follow FROM; none if it may be one. #}
{% macro _why_no_relation(relation) %}
    {%- set instead = ': give ref(...), source(...), or a SELECT in brackets' -%}
    {%- if relation is not string -%}
        {{- return(none if relation is not none and relation.render is defined
            else 'relation is ' ~ ('missing' if relation is none else "'" ~ relation ~ "'") ~ instead) -}}
    {%- endif -%}
    {%- set one = event_windows._one_expression(relation) -%}
    {%- set problem = one.problem -%}
    {%- set begins = relation | lower | trim | replace('\n', ' ') ~ ' ' -%}
    {%- if begins == ' ' -%}
        {%- set problem = 'it is empty' -%}
    {%- elif begins.startswith('select ') or begins.startswith('with ') -%}
        {%- set problem = 'a SELECT has no brackets around it' -%}
    {%- elif not problem and one.text.startswith('(')
        and event_windows._next(one.tokens, one.closes[event_windows._next(one.tokens, 0)] + 1)
            < one.tokens | length -%}
        {%- set problem = 'its brackets end before the text does' -%}
    {%- elif not problem and modules.re.match('(ref|source)\\s*[(]', one.text) -%}
        {%- set problem = 'it is a text, and only outside of quotes a call' -%}
    {%- elif not problem and not one.text.startswith('(') and event_windows._has_where(one) -%}
        {%- set problem = 'a condition needs a SELECT around it' -%}
    {%- endif -%}
    {{- return("relation is '" ~ relation ~ "': " ~ problem ~ instead if problem else none) -}}
{% endmacro %}


{# Whether there is a condition outside of brackets, and not a name. #}
{% macro _has_where(one) %}
    {%- set inside = namespace(until=-1) -%}
    {%- for token in one.tokens -%}
        {%- set place = loop.index0 -%}
        {%- if place > inside.until and place in one.closes -%}
            {%- set inside.until = one.closes[place] -%}
        {%- elif place > inside.until and token | lower == 'where'
            and event_windows._before(one.tokens, place) not in ('', '.') -%}
            {{- return(true) -}}
        {%- endif -%}
    {%- endfor -%}
    {{- return(false) -}}
{% endmacro %}


{# What the config says of models in plain SQL does not hold for a call, which must say so itself. #}
{% macro _check_config_beside(given, is_window, problems) %}
    {%- if config.get('materialized') == 'windowed' -%}
        {%- for option in ['arrival_order', 'partition', 'stream_time'] -%}
            {%- set configured = event_windows._setting(option) -%}
            {%- if configured is not none and given[option] in (none, 'key') and configured != given[option] -%}
                {%- do problems.append(option ~ " is '" ~ configured ~ "' in the config, which says it of models in "
                    ~ 'plain SQL alone: give it to windowed(...)') -%}
            {%- endif -%}
        {%- endfor -%}
        {%- set grace = event_windows._setting('grace') -%}
        {%- set read = event_windows._duration('grace', grace, allow_zero=true, allow_unbounded=true) -%}
        {#- it may be that of a folder, for the models in plain SQL in it -#}
        {%- if grace is not none and is_window and ('problem' in read or read.micros != given.window.grace) -%}
            {%- do event_windows._warn_if("grace is '" ~ grace ~ "' in the config, "
                ~ 'for models in plain SQL alone, and the window has another one, which counts: give it to the window, '
                ~ "as in event_windows.session(gap='30 minutes', grace='1 day')") -%}
        {%- endif -%}
    {%- endif -%}
{% endmacro %}
