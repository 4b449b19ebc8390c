{#
    Calendar windows: [start, end) of `every` days, weeks, months, quarters or years of the civil calendar of a time
    zone, counted from 1970 (weeks: from the week of 1970-01-01), as Beam's CalendarWindows. A day has 23 or 25 hours
    where the clocks change. A TIMESTAMP_NTZ is the wall clock as it is, in no zone.
#}
{% macro calendar(unit=none, grace=none, every=1, time_zone='UTC', week_start='monday') %}
    {{ return(adapter.dispatch('calendar', 'event_windows')(
        unit=unit, grace=grace, every=every, time_zone=time_zone, week_start=week_start, unknown=[kwargs, varargs]
    )) }}
{% endmacro %}


{% macro default__calendar(unit, grace, every, time_zone, week_start, unknown) %}
    {%- set problems = event_windows._unknown_options('unit, grace, every, time_zone, week_start', unknown) -%}
    {%- set units = {'day': 1, 'week': 7, 'month': 31, 'quarter': 92, 'year': 366} -%}
    {%- set days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] -%}
    {%- set lateness = event_windows._read_grace(grace, problems) -%}
    {%- if unit is not string or unit not in units -%}
        {%- do problems.append("unit is '" ~ unit ~ "': allowed are " ~ units | join(', ')) -%}
    {%- endif -%}
    {%- if every is not integer or every is boolean or not 0 < every <= 10000 -%}
        {%- do problems.append("every is '" ~ every ~ "': give a whole number of units, 1 to 10000") -%}
    {%- endif -%}
    {%- if week_start is not string or week_start not in days -%}
        {%- do problems.append("week_start is '" ~ week_start ~ "': allowed are " ~ days | join(', ')) -%}
    {%- endif -%}
    {%- if time_zone is not string or time_zone not in modules.pytz.all_timezones -%}
        {%- do problems.append(event_windows._no_time_zone(time_zone)) -%}
    {%- endif -%}
    {%- set options = {'unit': unit, 'every': every, 'time_zone': time_zone, 'grace': lateness, 'origin': none} -%}
    {%- if not problems -%}
        {#- the longest, and a day more where a zone may have moved by that much -#}
        {%- do options.update({
            'size': (units[unit] * every + (time_zone != 'UTC') | int) * 86400000000,
            'week_offset': (3 - days.index(week_start)) % 7 if unit == 'week' else 0
        }) -%}
    {%- endif -%}
    {{ return(event_windows._window('calendar', 'aligned', options, problems)) }}
{% endmacro %}


{# A window can be shorter than its size says, which is only how long it is at most. #}
{% macro _calendar_traits(spec) %}
    {{- return(dict(event_windows._aligned_traits(spec), **{'lengths': [0, spec.window.size]})) -}}
{% endmacro %}


{# Each window is one pane. #}
{% macro _calendar_slice(spec) %}
    {{- return(event_windows._calendar_windows_of(spec, '_ew_time') ~ '[0].starts') -}}
{% endmacro %}


{#
    The one window that holds an instant. The civil date of the instant names a period; where clocks went back over
    midnight an instant can lie after the start of the next date while its own date is still the one before, so that the
    next period is looked at too.
#}
{% macro _calendar_windows_of(spec, time) %}
    {%- set day = 'date_from_unix_date(cast((' ~ event_windows._time_bucket('_ew_local', 86400000000)
        ~ ') div 86400000000 as int))' -%}
    {%- set midnights = 'transform(array(0, 1, 2), _ew_step -> '
        ~ event_windows._calendar_midnight(spec, event_windows._calendar_period(spec, '_ew_day'), '_ew_step') ~ ')' -%}
    {%- set starts = event_windows._calendar_starts(spec, midnights) -%}
    {%- set periods = 'transform(transform(array(' ~ event_windows._calendar_local(spec, time) ~ '), _ew_local -> '
        ~ day ~ '), _ew_day -> ' ~ starts ~ ')[0]' -%}
    {%- set pick = 'if(' ~ time ~ ' < _ew_at[1], 0, 1)' -%}
    {{- return('transform(array(' ~ periods ~ "), _ew_at -> named_struct('starts', _ew_at[" ~ pick
        ~ "], 'ends', _ew_at[" ~ pick ~ ' + 1]))') -}}
{% endmacro %}


{# The wall clock at an instant, as microseconds since 1970-01-01 00:00 of that clock. #}
{% macro _calendar_local(spec, time) %}
    {%- if event_windows._calendar_is_local(spec) %}{{- return(time) -}}{% endif -%}
    {{- return("unix_micros(from_utc_timestamp(timestamp_micros(" ~ time ~ '), '
        ~ event_windows._literal(spec.window.time_zone) ~ '))') -}}
{% endmacro %}


{% macro _calendar_is_local(spec) %}
    {{- return(spec.window.time_zone == 'UTC' or event_windows._time_type(spec) == 'timestamp_ntz') -}}
{% endmacro %}


{# The number of the period that a date is in, a multiple of `every`: of days, of weeks in days, or of months. #}
{% macro _calendar_period(spec, day) %}
    {%- set window = spec.window -%}
    {%- if window.unit in ('day', 'week') -%}
        {%- set width = window.every * (7 if window.unit == 'week' else 1) -%}
        {%- set number = '(unix_date(' ~ day ~ ') + ' ~ window.week_offset ~ ')' -%}
    {%- else -%}
        {%- set width = window.every * {'month': 1, 'quarter': 3, 'year': 12}[window.unit] -%}
        {%- set number = '((year(' ~ day ~ ') - 1970) * 12 + month(' ~ day ~ ') - 1)' -%}
    {%- endif -%}
    {{- return({'number': '(' ~ event_windows._time_bucket(number, width) ~ ')', 'width': width}) -}}
{% endmacro %}


{# The midnight with which the period so many steps on begins, on the wall clock. #}
{% macro _calendar_midnight(spec, period, step) %}
    {%- set number = '(' ~ period.number ~ ' + ' ~ step ~ ' * ' ~ period.width ~ ')' -%}
    {%- if spec.window.unit in ('day', 'week') -%}
        {%- set date = '(' ~ number ~ ' - ' ~ spec.window.week_offset ~ ')' -%}
    {%- else -%}
        {%- set date = "unix_date(add_months(date '1970-01-01', " ~ number ~ '))' -%}
    {%- endif -%}
    {{- return(date ~ ' * 86400000000L') -}}
{% endmacro %}


{#
    The instants of midnights: of each the first, or the first instant after it where there is none. Spark moves a
    midnight that was left out on by as much as the clock was: too far by half an hour where that was from 23:30 on
    (Toronto, 1919-03-31). Any other midnight has the day before half an hour before it. No clock did that since, and
    later midnights are not asked.
#}
{% macro _calendar_starts(spec, midnights) %}
    {%- if event_windows._calendar_is_local(spec) %}{{- return(midnights) -}}{% endif -%}
    {%- set start = 'unix_micros(to_utc_timestamp(timestamp_micros(_ew_midnight), '
        ~ event_windows._literal(spec.window.time_zone) ~ '))' -%}
    {%- set before = '_ew_start - 1800000000L' -%}
    {{- return('transform(' ~ midnights ~ ', _ew_midnight -> transform(array(' ~ start ~ '), _ew_start -> if('
        ~ '_ew_midnight >= -1577923200000000L or ' ~ event_windows._calendar_local(spec, before)
        ~ ' < _ew_midnight, _ew_start, ' ~ before ~ '))[0])') -}}
{% endmacro %}
