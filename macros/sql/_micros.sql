{#
    A time as whole microseconds since the epoch, for exact arithmetic on bigints. A TIMESTAMP_NTZ is taken apart by its
    fields, because Spark's own ways from it to a number go through the session's time zone, which has no 02:30 on some
    day in spring.
#}
{% macro _micros(expression, type) %}
    {%- if type == 'timestamp_ntz' -%}
        {{- return(
            '(unix_date(cast(' ~ expression ~ ' as date)) * 86400000000L + hour(' ~ expression
                ~ ') * 3600000000L + minute(' ~ expression ~ ') * 60000000L + cast(extract(second from ' ~ expression
                ~ ') * 1000000 as bigint))'
        ) -}}
    {%- endif -%}
    {{- return('unix_micros(' ~ expression ~ ')') -}}
{% endmacro %}


{# Microseconds since the epoch back to a time. #}
{% macro _from_micros(micros, type) %}
    {%- if type == 'timestamp_ntz' -%}
        {{- return(
            "(timestamp_ntz '1970-01-01 00:00:00' + make_dt_interval(0, 0, 0, cast(cast(" ~ micros
                ~ ' as decimal(18, 0)) / 1000000 as decimal(18, 6))))'
        ) -}}
    {%- endif -%}
    {{- return('timestamp_micros(' ~ micros ~ ')') -}}
{% endmacro %}


{# The same for the times of a model. #}
{% macro _time_micros(expression, spec) %}
    {{- return(event_windows._micros(expression, event_windows._time_type(spec))) -}}
{% endmacro %}


{% macro _time_from_micros(micros, spec) %}
    {{- return(event_windows._from_micros(micros, event_windows._time_type(spec))) -}}
{% endmacro %}


{#
    Microseconds as an interval. A difference of two TIMESTAMPs is one of the session zone's wall clocks to Spark, an
    hour off where these were put forward or back in between.
#}
{% macro _interval(micros) %}
    {{- return('(' ~ micros ~ ") * interval '0.000001' second") -}}
{% endmacro %}
