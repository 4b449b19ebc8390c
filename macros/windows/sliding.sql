{#
    Sliding windows (KIP-450): [start, start + difference], both inclusive, one for every distinct set of a key's rows
    that such a window can hold: [t - difference, t] for each event time t, and [t + resolution, ...] where rows are in
    it. With an origin no window starts before it. `resolution` is the smallest step of time.
#}
{% macro sliding(difference=none, grace=none, resolution='1 microsecond', origin=none) %}
    {{ return(adapter.dispatch('sliding', 'event_windows')(
        difference=difference, grace=grace, resolution=resolution, origin=origin, unknown=[kwargs, varargs]
    )) }}
{% endmacro %}


{% macro default__sliding(difference, grace, resolution, origin, unknown) %}
    {%- set problems = event_windows._unknown_options('difference, grace, resolution, origin', unknown) -%}
    {%- set others = problems | length -%}
    {%- set length = event_windows._read_duration('difference', difference, problems) -%}
    {%- set least = event_windows._read_duration('resolution', resolution, problems) -%}
    {%- set are_read = problems | length == others -%}
    {%- set lateness = event_windows._read_grace(grace, problems) -%}
    {%- if are_read and length % least != 0 -%}
        {%- do problems.append("resolution is '" ~ resolution ~ "', which does not divide the difference '" ~ difference
            ~ "': give a whole part of it, the smallest step of the event times") -%}
    {%- endif -%}
    {%- set first = event_windows._instant(origin, 'origin', problems) -%}
    {{ return(event_windows._window('sliding', 'sliding', {
        'difference': length, 'resolution': least, 'grace': lateness, 'origin': first
    }, problems)) }}
{% endmacro %}
