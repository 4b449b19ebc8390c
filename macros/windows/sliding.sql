{#
    Sliding windows (KIP-450): [start, start + difference], both inclusive, one for every distinct set of a key's rows that
    such a window can hold: [t - difference, t] for each event time t, and [t + resolution, ...] where rows are in it.
    With an origin no window starts before it. `resolution` is the smallest step of time.
#}
{% macro sliding(difference=none, grace=none, resolution='1 microsecond', origin=none) %}
    {{ return(adapter.dispatch('sliding', 'event_windows')(difference=difference, grace=grace, resolution=resolution, origin=origin, unknown=[kwargs, varargs])) }}
{% endmacro %}


{% macro default__sliding(difference, grace, resolution, origin, unknown) %}
    {%- set problems = event_windows._unknown_options('difference, grace, resolution, origin', unknown) -%}
    {%- set lengths = {
        'difference': event_windows._duration('difference', difference),
        'resolution': event_windows._duration('resolution', resolution),
        'grace': event_windows._duration('grace', grace, allow_zero=true, allow_unbounded=true)
    } -%}
    {%- for length in lengths.values() if length.problem %}{% do problems.append(length.problem) %}{% endfor -%}
    {%- if lengths.difference.micros and lengths.resolution.micros and lengths.difference.micros % lengths.resolution.micros != 0 -%}
        {%- do problems.append("resolution is '" ~ resolution ~ "', which does not divide the difference '" ~ difference ~ "': give a whole part of it, the smallest step of the event times") -%}
    {%- endif -%}
    {%- set start = event_windows._instant(origin, 'origin', problems) -%}
    {%- if problems -%}{{ event_windows._raise('sliding(...)', problems) }}{%- endif -%}
    {{ return({
        'type': 'sliding', 'difference': lengths.difference.micros, 'resolution': lengths.resolution.micros,
        'grace': lengths.grace.micros, 'origin': start
    }) }}
{% endmacro %}
