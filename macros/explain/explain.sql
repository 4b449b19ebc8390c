{#
    What the next `dbt run` of windowed models will do, and why: `dbt run-operation event_windows.explain --args
    '{model: visits}'`. Asks the tables and writes nothing. `model` is a name or a list of names, without it all
    windowed models and rollups of the project and its packages; `output` is table or json.
#}
{% macro explain(model=none, output='table') %}
    {{ return(adapter.dispatch('explain', 'event_windows')(
        names=model, output=output, unknown=[kwargs, varargs]
    )) }}
{% endmacro %}


{% macro default__explain(names, output, unknown) %}
    {{ event_windows._needs_spark('explain') }}
{% endmacro %}


{% macro spark__explain(names, output, unknown) %}
    {%- if not execute %}{{- return('') -}}{% endif -%}
    {%- set problems = event_windows._unknown_options('model, output', unknown) -%}
    {%- if output not in ('table', 'json') -%}
        {%- do problems.append("output is '" ~ output ~ "': allowed are table, json") -%}
    {%- endif -%}
    {%- set nodes = event_windows._asked_nodes(names, problems) -%}
    {%- if problems %}{{ event_windows._raise('explain', problems) }}{% endif -%}
    {%- set explained = [] -%}
    {%- for node in nodes -%}
        {%- set before = event_windows._stand_in(node) -%}
        {%- do explained.append(event_windows._explained_rollup(node) if node.config.materialized == 'rollup'
            else event_windows._explained(node)) -%}
        {%- do context.update(before) -%}
    {%- endfor -%}
    {%- do print(tojson(explained) if output == 'json' else event_windows._told_models(explained)) -%}
    {{- return(explained) -}}
{% endmacro %}


{# Models that are asked about, in the order of their names. #}
{% macro _asked_nodes(names, problems) %}
    {%- set wanted = [names] if names is string else names -%}
    {%- set windowed, found = [], [] -%}
    {%- for node in graph.nodes.values() | sort(attribute='name')
        if node.resource_type == 'model' and node.config.materialized in ('windowed', 'rollup') -%}
        {%- do windowed.append(node) -%}
    {%- endfor -%}
    {%- if wanted is none %}{{- return(windowed) -}}{% endif -%}
    {%- if wanted is mapping or wanted is not sequence -%}
        {%- do problems.append("model is '" ~ names ~ "': give the name of a model, or a list of names") -%}
        {{- return([]) -}}
    {%- endif -%}
    {%- for name in wanted -%}
        {%- set of_name = windowed | selectattr('name', 'equalto', name) | list -%}
        {%- if not of_name -%}
            {%- do problems.append("model '" ~ name ~ "' is no model with materialized='windowed' or 'rollup': there "
                ~ 'are ' ~ (windowed | map(attribute='name') | join(', ') or 'none')) -%}
        {%- endif -%}
        {%- do found.extend(of_name) -%}
    {%- endfor -%}
    {{- return(found) -}}
{% endmacro %}
