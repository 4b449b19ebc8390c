{#
    A TIMESTAMP or TIMESTAMP_NTZ as whole microseconds since the epoch, for exact arithmetic on bigints. Which of the two
    it is, is a constant for Spark's optimizer; going through a time zone would not be exact for TIMESTAMP_NTZ.
#}
{% macro _micros(expression, spec) %}
    {%- set plain = 'unix_micros(' ~ expression ~ ')' -%}
    {%- set zoneless = "timestampdiff(microsecond, timestamp_ntz '1970-01-01 00:00:00', " ~ expression ~ ')' -%}
    {%- set type = event_windows._type_of(spec.event_time, spec) -%}
    {%- if type == 'timestamp' -%}
        {{- return(plain) -}}
    {%- elif type == 'timestamp_ntz' -%}
        {{- return(zoneless) -}}
    {%- endif -%}
    {{- return("if(typeof(" ~ expression ~ ") = 'timestamp_ntz', timestampdiff(microsecond, timestamp_ntz '1970-01-01 00:00:00', cast("
        ~ expression ~ ' as timestamp_ntz)), unix_micros(cast(' ~ expression ~ ' as timestamp)))') -}}
{% endmacro %}


{# The type of a column of the relation, or none where it is not known yet. #}
{% macro _type_of(column, spec) %}
    {%- for name, type in spec.columns.items() if name | lower == column | lower -%}
        {{- return(type) -}}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}
