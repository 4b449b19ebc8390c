{# The package's settings in a model's config: meta first, then config itself. While dbt parses, config.get answers ''. #}
{% macro _setting(name, default=none) %}
    {%- set meta = config.get('meta', {}) or {} -%}
    {%- set value = meta[name] if name in meta else config.get(name) -%}
    {{- return(default if value in (none, '') else value) -}}
{% endmacro %}


{#
    Config of a windowed model, checked. Segments of the windows table are as in KIP-94: segment = end div interval, with
    interval = max(retention / (segments - 1), segment_interval); without a retention it is segment_interval.
    `retention` is how long a window that has ended still takes part, `leaves_after` how long it stays in the table of windows
    (none: for ever).
#}
{% macro _settings(window, problems) %}
    {%- set allowed = {'emit': ['updates', 'final'], 'expire': ['keep', 'delete'], 'file_format': event_windows._formats()} -%}
    {%- set settings = {} -%}
    {%- for name, values in allowed.items() -%}
        {%- set value = event_windows._setting(name) or values[0] -%}
        {%- if value not in values -%}
            {%- do problems.append(name ~ " is '" ~ value ~ "': allowed are " ~ (values | join(', '))
                ~ (' (formats with MERGE)' if name == 'file_format' else '')) -%}
        {%- endif -%}
        {%- do settings.update({name: value}) -%}
    {%- endfor -%}
    {%- set least = event_windows._least_retention(window) -%}
    {%- set final = settings.emit == 'final' -%}
    {%- set retention = event_windows._setting('retention', 'unbounded') -%}
    {%- set length = event_windows._duration('retention', retention, allow_zero=true, allow_unbounded=true) -%}
    {%- set interval = event_windows._duration('segment_interval', event_windows._setting('segment_interval', '1 day')) -%}
    {%- set segments = event_windows._setting('segments', 3) -%}
    {%- for problem in [length.problem, interval.problem] if problem %}{% do problems.append(problem) %}{% endfor -%}
    {%- if segments is not integer or segments < 2 -%}
        {%- do problems.append("segments is '" ~ segments ~ "': give a whole number, 2 or more") -%}
        {%- set segments = 3 -%}
    {%- endif -%}
    {%- if not length.problem and length.micros is not none and (least is none or length.micros < least) -%}
        {%- do problems.append("retention is '" ~ retention ~ "', which is too short: give at least grace plus the "
            ~ "window's gap, size or difference" ~ (' (grace is unbounded, so retention must be)' if least is none else ', ' ~ least ~ ' microseconds')) -%}
    {%- endif -%}
    {%- if final and window.type is defined and least is none -%}
        {%- do problems.append("emit is 'final' and grace is 'unbounded', so that no window would ever be published: give a grace, or emit='updates'") -%}
    {%- elif final and window.gap_by -%}
        {%- do problems.append("emit is 'final' and the session has gap_by: allowed is one gap for all rows; give gap, or emit='updates'") -%}
    {%- endif -%}
    {%- if settings.expire == 'delete' and (final or (not length.problem and length.micros is none)) -%}
        {%- do problems.append("expire is 'delete'" ~ (" and emit is 'final', which only ever adds rows: leave expire out, or give emit='updates'" if final
            else " and retention is 'unbounded', so that nothing would ever expire: give a retention")) -%}
    {%- endif -%}
    {%- set minimum = interval.micros or 86400000000 -%}
    {%- set keep = length.get('micros') if length.get('micros') is not none or not final else least -%}
    {%- do settings.update({
        'retention': least if final else keep,
        'leaves_after': keep if final or settings.expire == 'delete' else none,
        'segment': [keep // (segments - 1), minimum] | max if keep is not none else minimum
    }) -%}
    {{- return(settings) -}}
{% endmacro %}


{# The shortest legal retention of a window, in microseconds; none where grace is unbounded. #}
{% macro _least_retention(window) %}
    {%- if window.type is undefined %}{{- return(none) -}}{% endif -%}
    {{- return(context['event_windows']['_' ~ window.type ~ '_least_retention'](window)) -}}
{% endmacro %}
