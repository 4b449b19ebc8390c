{# Whether windows from scratch take a registered Python function: the type makes all of its windows by one, or rows may be late and are replayed. #}
{% macro _needs_functions(spec) %}
    {%- set traits = event_windows._of_type('traits', spec) -%}
    {%- set may_be_late = spec.arrival and event_windows._doubt_margin(spec) is not none and traits.replays_stored -%}
    {{- return(may_be_late or (traits.made_by_function and not event_windows._is_view())) -}}
{% endmacro %}


{# An ad hoc query has the default materialization, and is no view. #}
{% macro _is_view() %}
    {{- return(model.resource_type == 'model' and config.get('materialized') == 'view') -}}
{% endmacro %}


{# The registered Python functions are there, or one message that says how to get them. #}
{% macro _check_registered(spec) %}
    {%- if event_windows._is_view() -%}
        {{ event_windows._raise("model '" ~ model.name ~ "'", [
            "materialized is 'view', and to tell late rows takes a Python function of the session, which Spark does not allow in a view: "
            ~ "use materialized='table' or 'windowed', or give grace='unbounded', or leave out arrival_order"
        ]) }}
    {%- endif -%}
    {%- set found = run_query("show user functions like 'event_windows_*'").columns['function'].values() | list -%}
    {%- set needed = event_windows._of_type('traits', spec).functions -%}
    {%- if needed | reject('in', found) | list -%}
        {{ event_windows._raise("model '" ~ model.name ~ "'", [
            ('windows of this type are made by' if event_windows._of_type('traits', spec).made_by_function else 'some rows may be late, and to tell which ones takes')
            ~ ' the Python functions of dbt-event-windows (' ~ needed | join(', ') ~ '), which this Spark session does not have: '
            ~ "with dbt-spark's session method run `pip install dbt-event-windows` beside dbt, and dbt registers them itself; in any other session run "
            ~ '`import dbt_event_windows; dbt_event_windows.register(spark)` first'
            ~ ('' if event_windows._of_type('traits', spec).made_by_function
                else '; without late rows (grace=\'unbounded\' or no arrival_order) they are not needed')
        ]) }}
    {%- endif -%}
{% endmacro %}
