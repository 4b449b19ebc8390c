{#
    What dbt's persist_docs asks for. dbt-spark's own takes the format of the table from the config, which need not say
    it, and writes each comment at every run; each is a commit, and an idle run is to make none.
#}
{% macro _persist_docs(relation, run) %}
    {%- for column, comment in event_windows._other_comments(relation) -%}
        {%- do event_windows._statement(run, 'comments', (
            'comment on table ' ~ relation ~ ' is ' if column is none
            else 'alter table ' ~ relation ~ ' alter column ' ~ event_windows._name(column) ~ ' comment '
        ) ~ event_windows._literal(comment)) -%}
    {%- endfor -%}
{% endmacro %}


{# [[column, or none for the relation itself, its description]] where the catalogue has another comment. #}
{% macro _other_comments(relation) %}
    {%- set others = [] -%}
    {%- if not config.persist_column_docs() and not config.persist_relation_docs() %}{{- return(others) -}}{% endif -%}
    {%- set there = event_windows._described_in_full(relation) -%}
    {%- if config.persist_column_docs() and model.columns -%}
        {%- for name, column in validate_doc_columns(relation, model.columns, there.columns.keys() | list).items() -%}
            {%- for own, comment in there.columns.items()
                if own | lower == name | lower and comment != column.description -%}
                {%- do others.append([own, column.description]) -%}
            {%- endfor -%}
        {%- endfor -%}
    {%- endif -%}
    {%- if config.persist_relation_docs() and (there.said.get('Comment') or '') != model.description -%}
        {%- do others.append([none, model.description]) -%}
    {%- endif -%}
    {{- return(others) -}}
{% endmacro %}


{# What stands after the name of a view that is made: of its columns Spark lets nobody change a comment later. #}
{% macro _comments_of_view(spec) %}
    {%- set described, columns = {}, [] -%}
    {#- one without a description has none: a view has the comments of what it reads, where it says nothing -#}
    {%- for name, column in model.columns.items() if config.persist_column_docs() -%}
        {%- do described.update({name | lower: column.description or ''}) -%}
    {%- endfor -%}
    {%- for name, _ in spec.plain.columns if described -%}
        {%- do columns.append(event_windows._name(name) ~ (
            ' comment ' ~ event_windows._literal(described[name | lower]) if name | lower in described
        )) -%}
    {%- endfor -%}
    {{- return((' (' ~ columns | join(', ') ~ ')' if columns) ~ (
        ' comment ' ~ event_windows._literal(model.description)
        if config.persist_relation_docs() and model.description
    )) -}}
{% endmacro %}
