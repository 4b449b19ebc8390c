{#
    A duration in text as whole microseconds, or a problem that says what is wrong with it.
    Spark's day-time units only: a month or a year has no fixed length. Returns {'micros': ..} or {'problem': ..}.
#}
{% macro _duration(option, text, allow_zero=false, allow_unbounded=false) %}
    {%- set allowed -%}
        a day-time interval in text such as '30 minutes' or '1 hour 30 minutes'
        {%- if allow_unbounded %}, or 'unbounded'{% endif %}
    {%- endset -%}
    {%- set units = {
        'week': 604800000000, 'day': 86400000000, 'hour': 3600000000, 'minute': 60000000,
        'second': 1000000, 'millisecond': 1000, 'microsecond': 1
    } -%}
    {%- if text is none -%}
        {{- return({'problem': option ~ ' is missing: give ' ~ allowed}) -}}
    {%- endif -%}
    {%- set given = (text | string | lower | trim) -%}
    {%- if allow_unbounded and given == 'unbounded' -%}
        {{- return({'micros': none}) -}}
    {%- endif -%}
    {%- set number = '(\\d+)(?:\\.(\\d{1,6}))?\\s*([a-z]+)' -%}
    {%- if text is not string
        or not modules.re.fullmatch('(?:interval\\s+)?(?:-?\\d+(?:\\.\\d{1,6})?\\s*[a-z]+\\s*)+', given) -%}
        {{- return({'problem': option ~ " is '" ~ text ~ "': give " ~ allowed}) -}}
    {%- elif '-' in given -%}
        {{- return({'problem': option ~ " is '" ~ text ~ "', which is negative: give " ~ allowed}) -}}
    {%- endif -%}
    {%- set total = namespace(micros=0, problem=none) -%}
    {%- for whole, fraction, word in modules.re.findall(number, given) -%}
        {%- set unit = word[:-1] if word.endswith('s') else word -%}
        {%- if unit in ('month', 'year', 'quarter') -%}
            {%- set total.problem = option ~ " is '" ~ text ~ "': a " ~ unit ~ ' has no fixed length; give '
                ~ allowed -%}
        {%- elif unit not in units or (fraction and unit != 'second') -%}
            {%- set total.problem = option ~ " is '" ~ text ~ "': '"
                ~ (word if unit not in units else whole ~ '.' ~ fraction ~ ' ' ~ word)
                ~ "' is not a unit with a whole number (weeks, days, hours, minutes, seconds, "
                ~ "milliseconds, microseconds)" -%}
        {%- else -%}
            {%- set total.micros = total.micros + (whole | int) * units[unit] -%}
            {%- if fraction -%}
                {%- set total.micros = total.micros + ((fraction ~ '000000')[:6] | int) -%}
            {%- endif -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if total.problem -%}
        {{- return({'problem': total.problem}) -}}
    {%- elif total.micros > 315576000000000000 -%}
        {#- so that sums of a few times and durations stay within a bigint -#}
        {{- return({'problem': option ~ " is '" ~ text ~ "', longer than 10,000 years: give " ~ allowed}) -}}
    {%- elif total.micros == 0 and not allow_zero -%}
        {{- return({'problem': option ~ " is '" ~ text ~ "', which is zero: give " ~ allowed}) -}}
    {%- endif -%}
    {{- return({'micros': total.micros}) -}}
{% endmacro %}


{# The same as microseconds alone; what is wrong is added to `problems`, and then it stands as 1. #}
{% macro _read_duration(option, text, problems, allow_zero=false, allow_unbounded=false) %}
    {%- set read = event_windows._duration(option, text, allow_zero=allow_zero, allow_unbounded=allow_unbounded) -%}
    {%- if read.problem %}{% do problems.append(read.problem) %}{% endif -%}
    {{- return(1 if read.problem else read.micros) -}}
{% endmacro %}


{# A grace in the same way. #}
{% macro _read_grace(text, problems, option='grace') %}
    {{- return(event_windows._read_duration(option, text, problems, allow_zero=true, allow_unbounded=true)) -}}
{% endmacro %}


{# Microseconds as such a text. #}
{% macro _told_length(micros) %}
    {%- set left = namespace(micros=micros | abs) -%}
    {%- set words = [] -%}
    {%- for unit, length in {
        'day': 86400000000, 'hour': 3600000000, 'minute': 60000000, 'second': 1000000, 'microsecond': 1
    }.items() if left.micros >= length -%}
        {%- do words.append(left.micros // length ~ ' ' ~ unit ~ ('s' if left.micros // length != 1)) -%}
        {%- set left.micros = left.micros % length -%}
    {%- endfor -%}
    {{- return(('-' if micros < 0) ~ (words | join(' ') or '0 seconds')) -}}
{% endmacro %}
