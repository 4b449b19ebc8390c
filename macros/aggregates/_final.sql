{#
    The value over the part columns: calls with their types, where these are known, in the SQL
    around them. None where the one part is the value.
#}
{% macro _final(aggregate) %}
    {%- if aggregate.pieces == [0] -%}
        {%- set call = aggregate.calls[0] if aggregate.calls else {'alone': true} -%}
        {{- return(none if call.alone else event_windows._of_known_type(call)) -}}
    {%- endif -%}
    {{- return(event_windows._around(aggregate, 'final')) -}}
{% endmacro %}


{# The SQL around calls, with the value of each over plain rows, or its final over the parts. #}
{% macro _around(aggregate, what) %}
    {%- set texts = [] -%}
    {%- for piece in aggregate.pieces -%}
        {%- if piece is string -%}
            {%- do texts.append(piece) -%}
        {%- elif piece < aggregate.calls | length -%}
            {%- set call = aggregate.calls[piece] -%}
            {%- do texts.append(call.value if what == 'value'
                else event_windows._typed('(' ~ event_windows._of_known_type(call) ~ ')', call.type)) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(texts | join) -}}
{% endmacro %}


{# A final in which the type of the value stands. Before Spark was asked for it, any type makes SQL that can be read. #}
{% macro _of_known_type(call) %}
    {{- return(call.final | replace('{type}', call.type or 'double')) -}}
{% endmacro %}


{# What is about to run, and needs the type of a value, from a relation that cannot be described. #}
{% macro _check_types_are_known(spec, problems) %}
    {%- if not spec.columns and not problems and event_windows._is_running()
        and config.get('materialized') != 'windowed' -%}
        {%- for aggregate in spec.aggregates if '{type}' in aggregate.calls | map(attribute='final') | join -%}
            {%- do problems.append("aggregate '" ~ aggregate.name ~ "' is \"" ~ aggregate.sql ~ '": its type must be '
                ~ 'known, and the relation is an ephemeral model, which cannot be asked for it: materialize that as a '
                ~ 'table or a view') -%}
        {%- endfor -%}
    {%- endif -%}
{% endmacro %}
