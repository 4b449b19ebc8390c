{#
    `dbt compile` makes SQL that nobody may run, perhaps before the models below it are built: it asks what is there for
    its columns, a SELECT where Spark can plan it.
#}
{% macro _has_columns_to_compile(relation) %}
    {%- if not execute or flags.WHICH != 'compile' or flags.INTROSPECT == false or event_windows._is_cte(relation) -%}
        {{- return(false) -}}
    {%- endif -%}
    {%- if relation is string -%}
        {{- return(event_windows._said_against('select * from ' ~ relation) is none) -}}
    {%- endif -%}
    {{- return(event_windows._found(relation) is not none) -}}
{% endmacro %}


{# Whether a relation is a CTE of this query, or reads one: an ephemeral model, the input of a unit test. #}
{% macro _is_cte(relation) %}
    {{- return('__dbt__cte__' in relation if relation is string else relation.is_cte) -}}
{% endmacro %}


{#
    What dbt's --sample shows of what a model reads, or of what is below a view that it reads, is a part of the rows,
    after which a refresh could not tell the others as new.
#}
{% macro _check_reads_all() %}
    {%- if invocation_args_dict.get('sample') -%}
        {%- do event_windows._refuse([
            "dbt's --sample shows it only some rows of what it reads, and a later refresh could not tell that the "
                ~ 'others were not read: run it without --sample'
        ]) -%}
    {%- endif -%}
{% endmacro %}


{# A relation as the database has it, with its type; none where it is not there. #}
{% macro _found(relation) %}
    {{- return(adapter.get_relation(
        database=relation.database, schema=relation.schema, identifier=relation.identifier
    )) -}}
{% endmacro %}


{#
    Of a relation that is a table in a format that knows versions: {'format', 'empty'}; `empty` where dbt shows none of
    its rows (--empty). None for anything else.
#}
{% macro _source(relation) %}
    {%- if not execute or relation is string or relation.is_cte %}{{- return(none) -}}{% endif -%}
    {%- set found = event_windows._found(relation) -%}
    {#-
        nor does dbt find a table in a schema with its catalogue before it, or one that is named by its format and path;
        of files in another format Spark has no description
    -#}
    {%- set unlisted = '.' in (relation.schema or '')
        or ('/' in (relation.identifier or '') and (relation.schema or '') | lower in event_windows._formats()) -%}
    {%- if (not found and not unlisted) or found.is_view %}{{- return(none) -}}{% endif -%}
    {%- set empty = relation.limit is not none -%}
    {%- for format in event_windows._formats() if ('Provider: ' ~ format) in (found.information or '') -%}
        {{- return({'format': format, 'empty': empty}) -}}
    {%- endfor -%}
    {#- dbt's cache does not know the format of a table of this same command, and takes Iceberg's for Hive's -#}
    {%- set provider = event_windows._described_in_full(relation.render()).said.get('Provider') -%}
    {{- return({'format': provider, 'empty': empty} if provider in event_windows._formats() else none) -}}
{% endmacro %}


{# A relation as it is recorded: without comments, on one line. #}
{% macro _plain_relation(text) %}
    {%- set words = [] -%}
    {%- for token in event_windows._tokens(event_windows._whole_relation(text)) -%}
        {%- set word = token if token | trim else ' ' -%}
        {%- if word != ' ' or words[-1:] not in ([], [' ']) %}{% do words.append(word) %}{% endif -%}
    {%- endfor -%}
    {{- return(words | join | trim) -}}
{% endmacro %}


{# The text of a relation without the subquery that dbt's --empty puts around it, which is not part of the model. #}
{% macro _whole_relation(text) %}
    {{- return(modules.re.sub(
        '\\(select \\* from ((?:`[^`]*`|[^\\s`])+) where false limit 0\\)( _dbt_limit_subq_\\w+)?', '\\1', text
    )) -}}
{% endmacro %}


{#
    A relation that is an ephemeral model exists only as a CTE of the compiled SQL: take it along, and check it now. A
    text may name one beside it, as in `-- depends_on`. That of plain SQL has the CTEs of its text.
#}
{% macro _bring_in_ephemeral(spec) %}
    {%- if spec.plain is none -%}
        {%- set ctes = event_windows._ephemeral_in(spec.relation) -%}
        {%- do spec.update({'relation': event_windows._with_ctes(ctes, spec.relation)}) -%}
    {%- endif -%}
    {%- if not spec.columns -%}
        {%- set problems = [] -%}
        {%- do event_windows._describe(spec, problems) -%}
        {%- if problems -%}
            {{- event_windows._raise("windowed(...) in model '" ~ model.name ~ "'", problems) -}}
        {%- endif -%}
        {%- do spec.update({'partition_parts': event_windows._partition_parts(spec)}) -%}
    {%- endif -%}
{% endmacro %}


{#
    The ephemeral models that a text names, as the CTEs that dbt makes of them: each behind those that it names itself,
    and otherwise by name, whatever else the text of this run reads.
#}
{% macro _ephemeral_in(text) %}
    {%- set found = [] -%}
    {%- for cte in (model.extra_ctes or []) | sort(attribute='sql') -%}
        {%- if modules.re.search('\\b' ~ modules.re.escape(cte.sql.split()[0]) ~ '\\b', text) -%}
            {%- for one in event_windows._ephemeral_in(cte.sql.split('(', 1)[1]) + [cte.sql] if one not in found -%}
                {%- do found.append(one) -%}
            {%- endfor -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(found) -}}
{% endmacro %}


{# A relation with the CTEs that it reads. #}
{% macro _with_ctes(ctes, relation) %}
    {{- return('(with ' ~ ctes | join(', ') ~ ' select * from ' ~ relation ~ ')' if ctes else relation) -}}
{% endmacro %}
