{#
    Tumbling windows: [start, end) of one size after the other.
    Aligned to the epoch, or to `origin`, before which no window starts.
#}
{% macro tumbling(size=none, grace=none, origin=none) %}
    {{ return(adapter.dispatch('tumbling', 'event_windows')(
        size=size, grace=grace, origin=origin, unknown=[kwargs, varargs]
    )) }}
{% endmacro %}


{% macro default__tumbling(size, grace, origin, unknown, offset=none) %}
    {{ return(event_windows._aligned_window(
        'tumbling', {'size': size}, 'size', grace, origin, offset, 'size, grace, origin', unknown
    )) }}
{% endmacro %}


{# The one window that holds an instant. #}
{% macro _tumbling_windows_of(spec, time) %}
    {%- set start = '(' ~ event_windows._time_bucket(time, spec.window.size, spec.window.align) ~ ')' -%}
    {{- return("array(named_struct('starts', " ~ start ~ ", 'ends', " ~ start ~ ' + ' ~ spec.window.size ~ '))') -}}
{% endmacro %}
