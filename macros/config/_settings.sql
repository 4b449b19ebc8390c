{#
    Config of a windowed model, checked. Segments of the windows table are as in KIP-94: segment = end div interval,
    with interval = max(retention / (segments - 1), segment_interval); without a retention it is segment_interval.
    `retention` is how long a window that has ended still takes part, `leaves_after` how long it stays in the table of
    windows (none: for ever).
#}
{% macro _settings(spec, problems) %}
    {%- do event_windows._check_spelling(problems) -%}
    {%- set settings = event_windows._choices(problems) -%}
    {%- set known = spec.window is not none -%}
    {%- set least = event_windows._least_retention(spec) if known else none -%}
    {%- set final = settings.emit == 'final' -%}
    {%- set retention = event_windows._setting('retention', 'unbounded') -%}
    {%- set before = problems | length -%}
    {%- set keep = event_windows._read_duration(
        'retention', retention, problems, allow_zero=true, allow_unbounded=true
    ) -%}
    {%- set minimum = event_windows._read_duration(
        'segment_interval', event_windows._setting('segment_interval', '1 day'), problems
    ) -%}
    {%- set segments = event_windows._setting('segments', 3) -%}
    {%- if segments is not integer or segments < 2 -%}
        {%- do problems.append("segments is '" ~ segments ~ "': give a whole number, 2 or more") -%}
        {%- set segments = 3 -%}
    {%- endif -%}
    {%- if known and problems | length == before -%}
        {%- do event_windows._check_leaving(spec, settings, retention, keep, least, problems) -%}
    {%- endif -%}
    {#-
        of windows that may still change; a final sliding window can be made one resolution
        after the others that hold its rows
    -#}
    {%- set final_keep = least + (spec.window.get('resolution') or 0) if known and least is not none else none -%}
    {%- set kept = [keep, final_keep] | reject('none') | list | max
        if final and (keep is not none or final_keep is not none) else keep -%}
    {%- do settings.update({
        'retention': final_keep if final else keep,
        'leaves_after': kept if final or settings.expire == 'delete' else none,
        'segment': [kept // (segments - 1), minimum] | max if kept is not none else minimum
    }) -%}
    {%- do settings.update(event_windows._ahead(problems)) -%}
    {{- return(settings) -}}
{% endmacro %}


{# Settings of which each takes one of a few words. #}
{% macro _choices(problems) %}
    {%- set allowed = {
        'emit': ['updates', 'final'], 'expire': ['keep', 'delete'], 'file_format': event_windows._formats(),
        'skipped_rows': ['tell', 'fail', 'rebuild'], 'source_changes': ['ignore', 'retract'],
        'replay': ['python', 'sql']
    } -%}
    {%- set settings = {} -%}
    {%- for name, values in allowed.items() -%}
        {%- do settings.update({name: event_windows._choice(name, values, problems)}) -%}
    {%- endfor -%}
    {{- return(settings) -}}
{% endmacro %}


{# One of a few words, the first of them where neither the config says one nor a var, if it may. #}
{% macro _choice(name, values, problems) %}
    {%- set by_vars = ['file_format', 'replay'] -%}
    {%- set by_var = event_windows._var(name) if name in by_vars else none -%}
    {#- Spark allows no function of the session in a view -#}
    {%- set default = 'sql' if name == 'replay' and event_windows._is_view() else by_var -%}
    {#- the format of a table, a snapshot, ... is dbt-spark's affair: it may be that of a whole project -#}
    {%- set ours = name != 'file_format' or config.get('materialized') in ('windowed', 'rollup') -%}
    {%- set given = event_windows._setting(name) if ours else none -%}
    {#- not `or`: an `off` or `no` in a yml is false -#}
    {%- set value = given if given is not none else values[0] if default is none else default -%}
    {%- if value not in values -%}
        {%- do problems.append(name ~ " is '" ~ value ~ "': allowed are " ~ (values | join(', '))
            ~ (' (formats with MERGE)' if name == 'file_format' else '')
            ~ (', in the config or in the var event_windows__' ~ name if name in by_vars else '')) -%}
    {%- endif -%}
    {{- return(value) -}}
{% endmacro %}


{# When windows leave the state, and the table. #}
{% macro _check_leaving(spec, settings, retention, keep, least, problems) %}
    {%- set final = settings.emit == 'final' -%}
    {%- set publishes = event_windows._trait('publishes', spec) -%}
    {%- if keep is not none and (least is none or keep < least) -%}
        {%- do problems.append("retention is '" ~ retention ~ "', which is too short: give at least grace plus the "
            ~ "window's gap, size or difference"
            ~ (' (grace is unbounded, so retention must be)' if least is none
                else ', ' ~ event_windows._told_length(least))) -%}
    {%- endif -%}
    {%- if final and least is none -%}
        {%- do problems.append("emit is 'final' and grace is 'unbounded', so that no window would ever be published: "
            ~ "give a grace, or emit='updates'") -%}
    {%- elif final and publishes is string -%}
        {%- do problems.append("emit is 'final', and " ~ publishes ~ "; or give emit='updates'") -%}
    {%- endif -%}
    {%- if settings.expire == 'delete' and (final or keep is none) -%}
        {%- do problems.append("expire is 'delete'" ~ (
            " and emit is 'final', which only ever adds rows: leave expire out, or give emit='updates'" if final
            else " and retention is 'unbounded', so that nothing would ever expire: give a retention"
        )) -%}
    {%- endif -%}
    {%- set asks = keep is not none and event_windows._trait('replays_stored', spec) -%}
    {%- if event_windows._partition_beside_key(spec) and (final or settings.expire == 'delete' or asks) -%}
        {%- do problems.append((
            "emit is 'final'" if final else "expire is 'delete'" if settings.expire == 'delete'
            else "retention is '" ~ retention ~ "'"
        ) ~ " and partition '" ~ spec.partition ~ "' is no key column: rows of several partitions may come into one "
            ~ "window, each measured by a clock of its own, so that no single clock "
            ~ ("closes it" if final or settings.expire == 'delete' else "says when it leaves the state")
            ~ "; add the partition to key, or leave partition out if the numbers are unique and ascending over all "
            ~ "rows") -%}
    {%- endif -%}
{% endmacro %}


{# Rows from the future: how far ahead of its arrival a row's event time may be. #}
{% macro _ahead(problems) %}
    {%- set given = {
        'max_ahead': event_windows._setting('max_ahead'), 'arrived_at': event_windows._setting('arrived_at')
    } -%}
    {%- set length = event_windows._read_duration('max_ahead', given.max_ahead, problems, allow_zero=true)
        if given.max_ahead is not none else none -%}
    {%- if (given.max_ahead is none) != (given.arrived_at is none) -%}
        {%- do problems.append(('max_ahead' if given.max_ahead is none else 'arrived_at') ~ ' is missing: give both '
            ~ 'max_ahead (a duration) and arrived_at (the TIMESTAMP column that says when a row arrived), '
            ~ 'or neither') -%}
    {%- elif given.arrived_at is not none and given.arrived_at is not string -%}
        {%- do problems.append("arrived_at is '" ~ given.arrived_at ~ "': give the name of a TIMESTAMP column") -%}
    {%- endif -%}
    {{- return({'max_ahead': length, 'arrived_at': given.arrived_at}) -}}
{% endmacro %}
