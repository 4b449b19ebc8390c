{# The registered Python functions are there, or one message that says how to get them. #}
{% macro _check_registered() %}
    {%- set found = run_query("show user functions like 'event_windows_replay_sessions'") -%}
    {%- if not found.rows -%}
        {{ event_windows._raise("model '" ~ model.name ~ "'", [
            'some rows may be late, and to tell which ones takes the Python functions of dbt-event-windows, which this Spark session does not have: '
            ~ "with dbt-spark's session method run `pip install dbt-event-windows` beside dbt, and dbt registers them itself; in any other session run "
            ~ '`import dbt_event_windows; dbt_event_windows.register(spark)` first; without late rows (grace=\'unbounded\' or no arrival_order) they are not needed'
        ]) }}
    {%- endif -%}
{% endmacro %}
