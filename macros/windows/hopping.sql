{#
    Hopping windows: [start, end) of one size, a new one every `advance_by`, which need not divide the size.
    Aligned to the epoch, or to `origin`, before which no window starts.
#}
{% macro hopping(size=none, advance_by=none, grace=none, origin=none) %}
    {{ return(adapter.dispatch('hopping', 'event_windows')(
        size=size, advance_by=advance_by, grace=grace, origin=origin, unknown=[kwargs, varargs]
    )) }}
{% endmacro %}


{% macro default__hopping(size, advance_by, grace, origin, unknown, offset=none) %}
    {{ return(event_windows._aligned_window(
        'hopping', {'size': size, 'advance_by': advance_by}, 'advance_by', grace, origin, offset,
        'size, advance_by, grace, origin', unknown
    )) }}
{% endmacro %}


{#
    Starts from the last one that is not after the instant back to the first whose window still
    holds it, none before the origin.
#}
{% macro _hopping_windows_of(spec, time) %}
    {%- set window = spec.window -%}
    {%- set last = '(' ~ event_windows._time_bucket(time, window.advance, window.align) ~ ')' -%}
    {%- set first = last ~ ' - ' ~ window.advance ~ ' * ((' ~ last ~ ' + ' ~ window.size ~ ' - 1 - ' ~ time ~ ') div '
        ~ window.advance ~ ')' -%}
    {%- if window.origin is not none %}{% set first = 'greatest(' ~ first ~ ', ' ~ window.origin ~ ')' %}{% endif -%}
    {{- return('transform(sequence(' ~ first ~ ', ' ~ last ~ ', ' ~ window.advance
        ~ "), _ew_starts -> named_struct('starts', _ew_starts, 'ends', _ew_starts + " ~ window.size ~ '))') -}}
{% endmacro %}
