{#
    The spec of windows of one size at fixed places: its size, how far apart starts are (for cumulating: ends), the
    width of a pane, the stretch of time that lies in the same windows throughout, grace and origin, in microseconds.
    `texts` are the durations by option name. Windows are aligned to `align`: the origin, before which none starts, else
    the offset, else the epoch.
#}
{% macro _aligned_window(type, texts, advance, grace, origin, offset, allowed, unknown) %}
    {%- set problems = event_windows._unknown_options(allowed, unknown) -%}
    {%- set others = problems | length -%}
    {%- set size = event_windows._read_duration('size', texts.size, problems) -%}
    {%- set step = event_windows._read_duration(advance, texts[advance], problems) if advance != 'size' else size -%}
    {%- set are_read = problems | length == others -%}
    {%- set lateness = event_windows._read_grace(grace, problems) -%}
    {%- set first = event_windows._instant(origin, 'origin', problems) -%}
    {%- set limit = event_windows._count_var('max_windows_per_row') -%}
    {%- if are_read and type == 'hopping' and step > size -%}
        {%- do problems.append("advance_by is '" ~ texts.advance_by ~ "', longer than the size '" ~ texts.size
            ~ "', so that rows between windows would be lost: give at most the size") -%}
    {%- elif are_read and type == 'cumulating' and size % step != 0 -%}
        {%- do problems.append("step is '" ~ texts.step ~ "', which does not divide the size '" ~ texts.size
            ~ "': give a whole part of it") -%}
    {%- elif are_read and size // step > limit -%}
        {%- do problems.append("a row would be in " ~ size // step ~ " windows (size '" ~ texts.size ~ "' over "
            ~ advance ~ " '" ~ texts[advance] ~ "'): allowed are " ~ limit ~ '; give a shorter size or a longer '
            ~ advance ~ ', or raise the var event_windows__max_windows_per_row') -%}
    {%- endif -%}
    {{- return(event_windows._window(type, 'aligned', {
        'size': size, 'advance': step, 'pane': event_windows._greatest_common_divisor(size, step)
            if not problems else 1,
        'grace': lateness, 'origin': first, 'align': first if first is not none else offset or 0
    }, problems)) -}}
{% endmacro %}


{% macro _greatest_common_divisor(first, second) %}
    {{- return(first if second == 0 else event_windows._greatest_common_divisor(second, first % second)) -}}
{% endmacro %}
