{#
    Rollups over a model, and over these, that have been run: how many rows above each has not followed, none where that
    cannot be told, and since when.
#}
{% macro _report_followers(relation) %}
    {%- if not execute %}{{- return(event_windows._report_nothing()) -}}{% endif -%}
    {%- set lines = [] -%}
    {%- for node in event_windows._rollups_over(relation) -%}
        {%- set rollup = event_windows._found_rollup(api.Relation.create(schema=node.schema, identifier=node.alias)) -%}
        {%- if rollup -%}
            {%- set record = event_windows._recorded_rollup(rollup) -%}
            {%- set behind = event_windows._changes_behind(record) -%}
            {%- do lines.append(event_windows._report_line('follower', {
                'model': event_windows._literal(node.name),
                'behind': behind.rows,
                'why': event_windows._literal(behind.why) if behind.why else 'cast(null as string)',
                'followed': event_windows._bigint(record.at)
            })) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(lines | join('\nunion all\n') or event_windows._report_nothing()) -}}
{% endmacro %}


{# Nodes of rollups that read a relation, those that read these, and so on, the nearest first. #}
{% macro _rollups_over(relation) %}
    {%- set known, found = [], [] -%}
    {%- for node in graph.nodes.values() if node.resource_type == 'model'
        and node.schema | lower == relation.schema | lower and node.alias | lower == relation.identifier | lower -%}
        {%- do known.append(node.unique_id) -%}
    {%- endfor -%}
    {%- for _ in range(20) -%}
        {%- for node in graph.nodes.values() | sort(attribute='name') if node.unique_id not in known
            and node.config.materialized == 'rollup'
            and node.depends_on.nodes | select('in', known) | list -%}
            {%- do known.append(node.unique_id) -%}
            {%- do found.append(node) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{- return(found) -}}
{% endmacro %}
