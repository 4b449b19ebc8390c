{#
    A value as text that differs where values differ, and does not depend on the session's time zone: what a partition's
    progress is written down under, and what tells keys apart in Python. Spark's own text of a time is cut to
    milliseconds in JSON and is in the session's zone; -0.0 and 0.0 are one key to GROUP BY and two texts.
#}
{% macro _exact_value(expression, type) %}
    {%- if type == 'timestamp' -%}
        {{- return('unix_micros(' ~ expression ~ ')') -}}
    {%- elif type in ('float', 'double') -%}
        {{- return('(' ~ expression ~ ' + 0.0D)') -}}
    {%- endif -%}
    {{- return(expression) -}}
{% endmacro %}


{% macro _exact_text(column, spec, alias=none) %}
    {{- return(event_windows._exact_text_of(
        event_windows._names([column], alias), event_windows._type_of(column, spec)
    )) -}}
{% endmacro %}


{# Of a decimal a cast writes 0E-10 or 0.0000000000, as spark.sql.ansi.enabled says. #}
{% macro _exact_text_of(expression, type) %}
    {{- return('if(' ~ expression ~ " is null, null, format_string('%s', " ~ expression ~ '))'
        if (type or '').startswith('decimal')
        else 'cast(' ~ event_windows._exact_value(expression, type) ~ ' as string)') -}}
{% endmacro %}


{#
    What JSON does not tell of a value with text in it, null where it tells all: each byte that is no UTF-8 it writes as
    the same sign, as to Spark's cast(key as string) of Kafka's bytes may be one, while GROUP BY compares bytes. none
    where there is no text.
#}
{% macro _bytes_beside_json(expression, type) %}
    {%- if type and 'string' not in type and 'char' not in type %}{{ return(none) }}{% endif -%}
    {%- set text = expression if type == 'string' else 'cast(' ~ expression ~ ' as string)' -%}
    {{- return('if(is_valid_utf8(' ~ text ~ '), null, hex(' ~ text ~ '))') -}}
{% endmacro %}


{# A whole key as one exact text. Times inside arrays and structs are written in full. #}
{% macro _key_text(spec, alias=none) %}
    {%- set fields, types = [], [] -%}
    {%- for column in spec.key -%}
        {%- set type, name = event_windows._type_of(column, spec), event_windows._names([column], alias) -%}
        {%- set bytes = event_windows._bytes_beside_json(name, type) -%}
        {%- do fields.append("'k" ~ loop.index ~ "', " ~ event_windows._exact_value(name, type)) -%}
        {%- if bytes %}{% do fields.append("'b" ~ loop.index ~ "', " ~ bytes) %}{% endif -%}
        {%- do types.append(type or 'timestamp') -%}
    {%- endfor -%}
    {%- set key = 'named_struct(' ~ fields | join(', ') ~ ')' -%}
    {%- if 'timestamp' not in types | join %}{{ return('to_json(' ~ key ~ ')') }}{% endif -%}
    {{- return('to_json(' ~ key ~ ", map('timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', "
        ~ "'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS'))") -}}
{% endmacro %}
