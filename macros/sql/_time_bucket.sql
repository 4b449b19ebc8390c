{#
    The last multiple of `width`, counted from `offset`, that is not after `time`: all in microseconds, before 1970 too.
    As SQL without brackets around it.
#}
{% macro _time_bucket(time, width, offset=0) %}
    {{- return(time ~ ' - pmod(' ~ time ~ (' - ' ~ offset if offset else '') ~ ', ' ~ width ~ ')') -}}
{% endmacro %}
