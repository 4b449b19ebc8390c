{# Makes the ledger where there is none. Runs that do so at the same time may meet: the statement is sent again then. #}
{% macro _create_ledger(spec, tables, done) %}
    {%- if load_cached_relation(tables.runs) is none -%}
        {%- do event_windows._statement(done, 'ledger', event_windows._of_format(
            spec.file_format, 'create_if_absent', tables.runs, event_windows._ledger_columns()
        )) -%}
        {%- do event_windows._made(tables.runs) -%}
    {%- endif -%}
{% endmacro %}


{#
    The ledger of an older version of the package lacks columns. After an upgrade of the layout there is a build. Of
    builds at once one adds them, and the others look whether they are there.
#}
{% macro _widen_ledger(tables, done) %}
    {%- set there = event_windows._columns_there(tables.runs) -%}
    {%- set missing, names = [], [] -%}
    {%- for name, type in event_windows._ledger_columns().items() if name not in there -%}
        {%- do missing.append(name ~ ' ' ~ type) -%}
        {%- do names.append(name) -%}
    {%- endfor -%}
    {%- if missing -%}
        {%- do event_windows._statement(
            done, 'ledger', 'alter table ' ~ tables.runs ~ ' add columns (' ~ missing | join(', ') ~ ')'
                ~ '\n/* event_windows at last select ' ~ names | join(', ') ~ ' from ' ~ tables.runs ~ ' limit 0 */'
        ) -%}
    {%- endif -%}
{% endmacro %}
