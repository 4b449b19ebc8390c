{# Whether what dbt makes of a model now is going to run. #}
{% macro _is_running() %}
    {{- return(execute and flags.WHICH not in ('compile', 'generate', 'parse', 'list')) -}}
{% endmacro %}


{# Whether it will be a permanent view. An ad hoc query has the default materialization, and is none. #}
{% macro _is_view() %}
    {{- return(model.resource_type == 'model' and config.get('materialized') == 'view') -}}
{% endmacro %}


{# What a macro says that has a body for Spark only. #}
{% macro _needs_spark(where) %}
    {{ event_windows._raise(
        where, ["it needs Spark, this target is of type '" ~ target.type ~ "': use dbt-spark or dbt-databricks"]
    ) }}
{% endmacro %}
