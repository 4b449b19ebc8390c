{#
    Sends one statement of a run, with the label by which logs and the Python package know it. It is written to
    target/run before, so that a failed run leaves what it did and tried. Every labelled statement can be sent again,
    but those of `reshape`, which write what was seen of the table: it replaces, it looks for its own number first, or
    once more makes no difference.
#}
{% macro _statement(run, step, sql) %}
    {%- set labelled = '/* event_windows ' ~ model.name ~ ' ' ~ step ~ ' */\n' ~ sql | trim -%}
    {%- do run.statements.append(labelled) -%}
    {%- do write(run.statements | join(';\n\n') ~ ';\n') -%}
    {{- return(run_query(labelled)) -}}
{% endmacro %}


{# Tells dbt's cache what a run has made: as dbt's own, which it finds again whatever the case of the name. #}
{% macro _made(relation, type='table') %}
    {#- what dbt knew of one that was there is of another table now -#}
    {%- do adapter.cache_dropped(relation) -%}
    {%- do adapter.cache_added(relation.incorporate(type=type, dbt_created=true)) -%}
{% endmacro %}


{# The only row of a query, as a mapping. #}
{% macro _row(run, step, sql) %}
    {{- return(event_windows._statement(run, step, sql).rows[0]) -}}
{% endmacro %}
