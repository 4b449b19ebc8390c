{#
    One call that is taken apart already, as the planner of plain SQL hands it on, in the form of _expression:

    function      its name, in lower case             distinct  whether DISTINCT stands before its arguments
    arguments     each as SQL                         columns   the first column in each argument, or none
    filter        the condition of FILTER, or none    nulls     'ignore', 'respect' or none
    order         {'by', 'descending'} of WITHIN GROUP, or none
    text          the whole call as SQL
#}
{% macro _given_call(given, known, guess) %}
    {%- if guess is not none and given.function not in known + guess -%}
        {{- return({'unknown': given.function}) -}}
    {%- endif -%}
    {{- return({'pieces': [0], 'calls': [{
        'fn': given.function, 'distinct': given.distinct, 'arguments': given.arguments, 'columns': given.columns,
        'filter': given.filter, 'nulls': given.nulls, 'within': given.order, 'sql': given.text
    }]}) -}}
{% endmacro %}
