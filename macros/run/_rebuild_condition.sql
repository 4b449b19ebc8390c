{#
    The condition of the var event_windows__rebuild, as SQL that ends where it ends: {'sql'}, or {'problem'}; none where
    the var is not given.
#}
{% macro _rebuild_condition(spec) %}
    {%- set given = event_windows._var('rebuild') -%}
    {%- if given is none %}{{- return(none) -}}{% endif -%}
    {%- set read = event_windows._one_expression(given) -%}
    {%- set why = read.problem or ('it is empty' if not read.text
        else event_windows._why_no_condition(spec, read.text)) -%}
    {%- if why -%}
        {%- set key = event_windows._known_key(spec.key) -%}
        {{- return({'problem': 'the var event_windows__rebuild is ' ~ tojson(given | string) ~ ', and ' ~ why
            ~ ': give a condition over the key columns ' ~ key | join(', ') ~ ', such as '
            ~ tojson((key or ['true'])[0] ~ ' is not null')}) -}}
    {%- endif -%}
    {{- return({'sql': read.text}) -}}
{% endmacro %}


{#
    Why an expression is no condition over key columns; none if it is one. What stands in a query of its own Spark alone
    can tell.
#}
{% macro _why_no_condition(spec, text) %}
    {%- set tokens = event_windows._tokens(text) -%}
    {%- set asks = 'select' in tokens | map('lower') -%}
    {%- set aggregates = event_windows._names_of_aggregates(event_windows._catalogue())
        + event_windows._holistic_functions() -%}
    {%- set several = ['explode', 'explode_outer', 'posexplode', 'posexplode_outer', 'inline', 'inline_outer',
        'stack'] -%}
    {%- set random = event_windows._functions_of_the_moment()['has another value each time'] -%}
    {%- if event_windows._called(tokens, ['over']) %}{{- return('OVER looks at other rows') -}}{% endif -%}
    {%- for names, what in [
        [several, 'makes several rows of one'], [random, 'has another value each time'],
        [[] if asks else aggregates, 'is an aggregate, over many rows']
    ] -%}
        {%- set called = event_windows._called(tokens, names) -%}
        {%- if called %}{{- return(called ~ '(...) ' ~ what) -}}{% endif -%}
    {%- endfor -%}
    {%- set no_key = none if asks else event_windows._names_no_key(spec, text) -%}
    {{- return(no_key or event_windows._is_no_condition(spec, text)) -}}
{% endmacro %}


{# A column that is not of the key, or has the name of a relation before it. #}
{% macro _names_no_key(spec, text) %}
    {%- set key = spec.key | map('lower') | list -%}
    {%- for name in event_windows._named_columns(text) | map('lower') if name not in key -%}
        {%- set qualifies = modules.re.search('(?i)\\b' ~ modules.re.escape(name) ~ '`?\\s*[.]', text) -%}
        {{- return("'" ~ name ~ "' is no key column" ~ (': write the column alone' if qualifies else '')) -}}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}


{# What Spark says against it. Of a relation that may not be there, as one is recorded, it is not asked. #}
{% macro _is_no_condition(spec, text) %}
    {%- if spec.recorded %}{{- return(none) -}}{% endif -%}
    {%- set why = event_windows._said_against('select * from (select ' ~ event_windows._names(spec.key) ~ ' from '
        ~ spec.relation ~ ' as source) as known where (' ~ text ~ '\n)') -%}
    {{- return(none if why is none else 'Spark does not take it' ~ (': ' ~ why if why)) -}}
{% endmacro %}
