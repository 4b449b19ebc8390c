{#
    What a Python aggregate keeps: its state, and when its first row was, so that states are merged in the order of their rows.
    Three functions of the session stand behind one: plain functions, because Spark takes no Python aggregate beside its own.
#}
{% macro _python_entry(fn) %}
    {{- return({
        'fn': fn,
        'arguments': [1, 99],
        'parts': {
            'state': [
                fn ~ "__reduce(collect_list(named_struct('at', {when}, 'row', {fields})){filter})",
                fn ~ "__merge(collect_list(named_struct('at', {at}, 'state', {part})){over})"
            ],
            'at': ['min({when}){filter}', 'min({part}){over}']
        },
        'final': fn ~ '__finish({state})'
    }) -}}
{% endmacro %}


{# The names of the Python aggregates of this session, or none where nothing runs now, as while dbt parses or compiles. #}
{% macro _registered() %}
    {%- if not execute or flags.WHICH in ('compile', 'generate', 'parse', 'list') -%}{{- return(none) -}}{%- endif -%}
    {%- set names = [] -%}
    {%- for row in run_query("show user functions like '*__merge'") -%}
        {%- do names.append(row['function'].split('.')[-1][:-7]) -%}
    {%- endfor -%}
    {{- return(names) -}}
{% endmacro %}
