{#
    Cumulating windows: from the start of each size to the end of each of its steps, as Flink's CUMULATE.
    Aligned to the epoch, or to `origin`, before which no window starts.
#}
{% macro cumulating(size=none, step=none, grace=none, origin=none) %}
    {{ return(adapter.dispatch('cumulating', 'event_windows')(
        size=size, step=step, grace=grace, origin=origin, unknown=[kwargs, varargs]
    )) }}
{% endmacro %}


{% macro default__cumulating(size, step, grace, origin, unknown, offset=none) %}
    {{ return(event_windows._aligned_window(
        'cumulating', {'size': size, 'step': step}, 'step', grace, origin, offset, 'size, step, grace, origin', unknown
    )) }}
{% endmacro %}


{# Windows begin together and end a step apart. #}
{% macro _cumulating_traits(spec) %}
    {{- return(dict(event_windows._aligned_traits(spec), **{'lengths': [spec.window.advance, spec.window.size]})) -}}
{% endmacro %}


{# Every end of the instant's size after it. #}
{% macro _cumulating_windows_of(spec, time) %}
    {%- set window = spec.window -%}
    {%- set last = '(' ~ event_windows._time_bucket(time, window.advance, window.align) ~ ')' -%}
    {%- set start = '(' ~ event_windows._time_bucket(time, window.size, window.align) ~ ')' -%}
    {{- return('transform(sequence(' ~ last ~ ' + ' ~ window.advance ~ ', ' ~ start ~ ' + ' ~ window.size ~ ', '
        ~ window.advance ~ "), _ew_ends -> named_struct('starts', " ~ start ~ ", 'ends', _ew_ends))") -}}
{% endmacro %}
