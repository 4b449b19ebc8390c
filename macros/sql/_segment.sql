{# Segments by the last instant of a window, as in KIP-94: instant div interval, rounded down. #}
{% macro _segment(micros, interval) %}
    {{- return('(' ~ event_windows._time_bucket(micros, interval) ~ ') div ' ~ interval) -}}
{% endmacro %}


{# The segment of windows that end so long before an instant; below all of them where one of the two is not known. #}
{% macro _segment_before(instant, back, interval) %}
    {{- return(-9223372036854775807 if instant is none or back is none else (instant - back) // interval) -}}
{% endmacro %}
