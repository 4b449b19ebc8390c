{#
    What there is of a model that a refresh would go on from. A catalogue need not list views, and then a model in plain
    SQL has its windows alone.
#}
{% macro _existing(relation) %}
    {%- set shown = load_cached_relation(relation) -%}
    {%- if shown is not none or event_windows._setting('emit') == 'final' %}{{- return(shown) -}}{% endif -%}
    {{- return(load_cached_relation(event_windows._beside(relation, 'state'))) -}}
{% endmacro %}


{#
    Which of these tables are there though dbt has not found them, as a sentence; none if none is. dbt-spark takes a
    schema for empty where a table of it is dropped after Spark has listed the names, and before it has looked at that
    table: the run would build anew what is there, from the rows that the source has now.
#}
{% macro _unlisted(relations) %}
    {%- set sought, there = {}, [] -%}
    {%- for relation in relations if load_cached_relation(relation) is none -%}
        {%- do sought.update({relation.identifier | lower: relation}) -%}
    {%- endfor -%}
    {#- temporary views of the session are among them -#}
    {%- for row in run_query('show tables in ' ~ this.schema)
        if row['isTemporary'] | string | lower == 'false' and row['tableName'] | string | lower in sought -%}
        {%- do there.append(sought[row['tableName'] | string | lower]) -%}
    {%- endfor -%}
    {{- return(
        there | join(' and ') ~ (' are' if there | length > 1 else ' is') ~ ' there, and not in the list of the schema '
            ~ 'that dbt has read (something was dropped or made while it did so): run it again' if there else none
    ) -}}
{% endmacro %}
