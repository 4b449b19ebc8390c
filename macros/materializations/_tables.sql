{#
    The tables of a model: its windows, what stands beside them, and the schema's ledger; and what a refresh works with: the
    slices of the new rows and the clocks that they move (cached in the session) and, where rows may be late, two tables that are there while it runs.
    These are tables because a view that is used often, of views that are used often, takes Spark longer to plan than to run.
#}
{% macro _tables(relation, emit='updates') %}
    {%- set tables = {'model': relation, 'published': relation} -%}
    {%- for table in ['state', 'stream_time', 'dropped'] -%}
        {%- do tables.update({table: relation.incorporate(path={'identifier': relation.identifier ~ '__' ~ table})}) -%}
    {%- endfor -%}
    {#- windows that may still change: in the model's own table, or beside it until they have closed -#}
    {%- do tables.update({'windows': tables.state if emit == 'final' else relation}) -%}
    {%- do tables.update({'runs': relation.incorporate(path={'identifier': 'event_windows_runs'})}) -%}
    {%- for table in ['suspects', 'replayed'] -%}
        {%- do tables.update({table: relation.incorporate(path={'identifier': relation.identifier ~ '__ew_' ~ table})}) -%}
    {%- endfor -%}
    {%- for view in ['slices', 'clocks'] -%}
        {%- do tables.update({view: event_windows._name(relation.schema ~ '__' ~ relation.identifier ~ '__ew_' ~ view)}) -%}
    {%- endfor -%}
    {{- return(tables) -}}
{% endmacro %}


{# What is new since the last refresh must be known: from an arrival order, or from the versions of a source table. #}
{% macro _check_progress_can_be_told(spec) %}
    {%- if not spec.arrival and not spec.source_format -%}
        {{ event_windows._raise("model '" ~ model.name ~ "'", [
            "materialized='windowed' must know which rows are new, and there is no arrival_order: name the column that says in which "
            ~ "order rows came in, or give as relation a Delta table (not a view or a SELECT), whose versions tell it"
        ]) }}
    {%- endif -%}
{% endmacro %}


{# A relation that is an ephemeral model exists only as a CTE of the compiled SQL: take it along, and check it now. #}
{% macro _bring_in_ephemeral(spec) %}
    {%- if model.extra_ctes -%}
        {%- do spec.update({'relation': '(with ' ~ model.extra_ctes | map(attribute='sql') | join(', ') ~ ' select * from ' ~ spec.relation ~ ')'}) -%}
    {%- endif -%}
    {%- if not spec.columns -%}
        {%- set problems = [] -%}
        {%- do event_windows._describe(spec, problems) -%}
        {%- if problems -%}{{ event_windows._raise("windowed(...) in model '" ~ model.name ~ "'", problems) }}{%- endif -%}
    {%- endif -%}
{% endmacro %}
