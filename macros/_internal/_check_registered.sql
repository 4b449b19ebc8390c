{# Whether windows from scratch take a registered Python function: rows may be late, and the type replays them. #}
{% macro _needs_functions(spec) %}
    {{- return(spec.arrival and event_windows._doubt_margin(spec) is not none and event_windows._of_type('replays_stored', spec)) -}}
{% endmacro %}


{# The registered Python functions are there, or one message that says how to get them. #}
{% macro _check_registered() %}
    {#- an ad hoc query has the default materialization, and is no view -#}
    {%- if model.resource_type == 'model' and config.get('materialized') == 'view' -%}
        {{ event_windows._raise("model '" ~ model.name ~ "'", [
            "materialized is 'view', and to tell late rows takes a Python function of the session, which Spark does not allow in a view: "
            ~ "use materialized='table' or 'windowed', or give grace='unbounded', or leave out arrival_order"
        ]) }}
    {%- endif -%}
    {%- set found = run_query("show user functions like 'event_windows_replay_sessions'") -%}
    {%- if not found.rows -%}
        {{ event_windows._raise("model '" ~ model.name ~ "'", [
            'some rows may be late, and to tell which ones takes the Python functions of dbt-event-windows, which this Spark session does not have: '
            ~ "with dbt-spark's session method run `pip install dbt-event-windows` beside dbt, and dbt registers them itself; in any other session run "
            ~ '`import dbt_event_windows; dbt_event_windows.register(spark)` first; without late rows (grace=\'unbounded\' or no arrival_order) they are not needed'
        ]) }}
    {%- endif -%}
{% endmacro %}
