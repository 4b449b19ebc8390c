{#
    The registered Python functions that a model of this kind may need are there, or one message that says how to get
    them. A query from scratch and a build ask before they begin; a refresh, before it writes anything, only where it is
    going to call one.
#}
{% macro _check_registered(spec) %}
    {%- set needed = event_windows._needed_functions(spec) -%}
    {%- if not needed %}{{- return('') -}}{% endif -%}
    {%- if event_windows._is_view() -%}
        {%- set in_sql = event_windows._without_functions(spec) -%}
        {%- do event_windows._refuse([
            event_windows._told_view() ~ ", and to tell late rows takes a Python function of the session, which Spark "
                ~ "does not allow in a view: " ~ (in_sql ~ ', or ' if in_sql)
                ~ 'use ' ~ event_windows._instead_of_view()
                ~ (", or give grace='unbounded', or leave out arrival_order" if model.resource_type != 'test')
        ]) -%}
    {%- endif -%}
    {%- do event_windows._refuse([event_windows._unregistered(spec, needed)]) -%}
{% endmacro %}


{# What to say where functions that the model calls are not there; none where they are. #}
{% macro _unregistered(spec, needed) %}
    {%- set in_sql = event_windows._without_functions(spec) -%}
    {%- set always = event_windows._trait('made_by_function', spec) -%}
    {{- return(event_windows._functions_not_there(
        needed, 'windows of this type are made by' if always else 'some rows may be late, and to tell which ones takes',
        ('; or ' ~ in_sql if in_sql else '') ~ (
            '' if always else "; without late rows (grace='unbounded' or no arrival_order) they are not needed"
        )
    )) -}}
{% endmacro %}


{# What to give so that none is needed, where there is such a way. #}
{% macro _without_functions(spec) %}
    {{- return("give replay='sql' (in the config or in the var event_windows__replay), which needs no function"
        if not event_windows._trait('functions', dict(spec, replay='sql')) else none) -}}
{% endmacro %}


{# What the registered reader of plain SQL says of a text. #}
{% macro _asked_planner(text, settings) %}
    {{- return(fromjson(run_query(
        'select event_windows_plan(' ~ event_windows._literal(text) ~ ', ' ~ event_windows._literal(tojson(settings))
            ~ ') as plan'
    ).rows[0]['plan'])) -}}
{% endmacro %}


{# What to say where that reader is not there, though something is to be read by it; none where it is. #}
{% macro _planner_not_there(what, ending='') %}
    {{- return(event_windows._functions_not_there(['event_windows_plan'], what ~ ' is read by', ending)) -}}
{% endmacro %}


{# What to say where functions are not there: `why` begins the sentence, `ending` ends it; none where they are. #}
{% macro _functions_not_there(needed, why, ending) %}
    {%- set found = run_query("show user functions like 'event_windows_*'").columns['function'].values() | list -%}
    {{- return(none if not (needed | reject('in', found) | list) else (
        why ~ ' the Python functions of dbt-event-windows (' ~ needed | join(', ')
            ~ '), which this Spark session does not have: '
            ~ "with dbt-spark's session method run `pip install dbt-event-windows` beside dbt, and dbt registers them "
            ~ "itself; in any other session run "
            ~ '`import dbt_event_windows; dbt_event_windows.register(spark)` first' ~ ending
    )) -}}
{% endmacro %}


{# Functions that the type makes its windows by, or replays rows by where some may be late. #}
{% macro _needed_functions(spec) %}
    {%- set always = event_windows._trait('made_by_function', spec) and not event_windows._is_view() -%}
    {%- set may_be_late = spec.arrival and event_windows._late_margin(spec) is not none
        and event_windows._trait('replays_stored', spec) -%}
    {{- return(event_windows._trait('functions', spec) if always or may_be_late else []) -}}
{% endmacro %}
