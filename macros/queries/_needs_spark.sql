{# What a macro says that has a body for Spark only. #}
{% macro _needs_spark(where) %}
    {{ event_windows._raise(where, ["it needs Spark, this target is of type '" ~ target.type ~ "': use dbt-spark or dbt-databricks"]) }}
{% endmacro %}
