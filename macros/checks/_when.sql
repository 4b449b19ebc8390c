{# Whether what dbt makes of a model now is going to run. #}
{% macro _is_running() %}
    {{- return(execute and flags.WHICH not in ('compile', 'generate', 'parse', 'list')) -}}
{% endmacro %}


{#
    Whether this is the text of a windowed model for its materialization, which describes an ephemeral model below it
    and asks for functions by itself. What `dbt show` and `dbt compile` make of one is the query from scratch.
#}
{% macro _is_for_a_windowed_run() %}
    {{- return(config.get('materialized') == 'windowed' and flags.WHICH not in ('compile', 'generate', 'show')) -}}
{% endmacro %}


{#
    Whether the text of the model is another one in a refresh than in a build: it names is_windowed_run(), or a macro
    that it calls has asked it, which notes that in the graph: of all that macros see, it alone lasts from dbt's
    compiling to the run. Hooks in its config() stand in the text, too, and ask for themselves alone.
#}
{% macro _asks_is_windowed_run() %}
    {%- set texts = [model.raw_code or ''] -%}
    {%- for hook in model.config.get('pre-hook', []) + model.config.get('post-hook', []) -%}
        {%- do texts.append(texts.pop() | replace(hook.sql, '')) -%}
    {%- endfor -%}
    {{- return('is_windowed_run' in texts[0] or model.unique_id in graph.get('event_windows_asked', {})) -}}
{% endmacro %}


{#
    Whether it will be a permanent view, or a part of one: an ephemeral model that a view reads, a test whose failures
    are kept as a view, or a snapshot, whose second run dbt-spark makes by way of one. An ad hoc query has the default
    materialization, and is none.
#}
{% macro _is_view() %}
    {%- if model.resource_type == 'snapshot' %}{{- return(true) -}}{% endif -%}
    {%- if model.resource_type == 'test' %}{{- return(config.get('store_failures_as') == 'view') -}}{% endif -%}
    {%- if model.resource_type != 'model' %}{{- return(false) -}}{% endif -%}
    {{- return(config.get('materialized') == 'view' or event_windows._is_part_of_a_view()) -}}
{% endmacro %}


{% macro _is_part_of_a_view() %}
    {%- if not execute or config.get('materialized') != 'ephemeral' %}{{- return(false) -}}{% endif -%}
    {{- return(event_windows._is_read_by_view(model.unique_id)) -}}
{% endmacro %}


{# Whether what _is_view() tells reads this ephemeral model, by itself or through another one. #}
{% macro _is_read_by_view(unique_id) %}
    {%- for node in graph.nodes.values()
        if node.resource_type in ('model', 'test', 'snapshot') and unique_id in node.depends_on.nodes -%}
        {%- set kind = 'view' if node.resource_type == 'snapshot' else node.config.materialized
            if node.resource_type == 'model' else node.config.store_failures_as -%}
        {%- if kind == 'view' or (kind == 'ephemeral' and event_windows._is_read_by_view(node.unique_id)) -%}
            {{- return(true) -}}
        {%- endif -%}
    {%- endfor -%}
    {{- return(false) -}}
{% endmacro %}


{# An ephemeral model that a node reads; none if it reads none. #}
{% macro _ephemeral_below(node) %}
    {%- for id in node.depends_on.nodes if id in graph.nodes -%}
        {%- if graph.nodes[id].config.materialized == 'ephemeral' %}{{- return(graph.nodes[id]) -}}{% endif -%}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}


{# What a message says of it. #}
{% macro _told_view() %}
    {{- return("store_failures_as is 'view'" if model.resource_type == 'test'
        else 'dbt-spark makes a snapshot by way of a view' if model.resource_type == 'snapshot'
        else 'a view, a snapshot, or a test with store_failures_as=view, reads this ephemeral model'
            if event_windows._is_part_of_a_view()
        else "materialized is 'view'") -}}
{% endmacro %}


{# What it may be in place of a view. #}
{% macro _instead_of_view() %}
    {{- return("store_failures_as='table'" if model.resource_type == 'test'
        else "materialized='table' or 'windowed'"
            ~ (', in a model that the snapshot reads' if model.resource_type == 'snapshot')) -}}
{% endmacro %}


{# What a macro says that has a body for Spark only. #}
{% macro _needs_spark(where) %}
    {{ event_windows._raise(
        where, ["it needs Spark, this target is of type '" ~ target.type ~ "': use dbt-spark or dbt-databricks"]
    ) }}
{% endmacro %}
