{#
    An instant in text, an ISO timestamp (UTC unless it says otherwise), as microseconds since 1970; none stays none.
    Digits are 0 to 9: others Python's own reading does not take.
#}
{% macro _instant(text, option, problems) %}
    {%- if text is none %}{{- return(none) -}}{% endif -%}
    {%- set iso = text | string | trim | replace(' UTC', '+00:00') | replace('Z', '+00:00') -%}
    {%- set day = '(?a)(\\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])' -%}
    {%- set time = '([ T]([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,6})?)?([+-](0\\d|1[0-8]):[0-5]\\d)?)?' -%}
    {%- set found = modules.re.fullmatch(day ~ time, iso) -%}
    {%- if not found
        or not event_windows._is_a_day(found.group(1) | int, found.group(2) | int, found.group(3) | int) -%}
        {%- do problems.append(option ~ " is '" ~ text ~ "': give a timestamp in text such as '2024-01-01 "
            ~ "00:00:00 UTC', or leave it out") -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- set moment = modules.datetime.datetime.fromisoformat(iso) -%}
    {%- if moment.tzinfo is none %}{% set moment = moment.replace(tzinfo=modules.pytz.utc) %}{% endif -%}
    {{- return(event_windows._micros_since_1970(moment)) -}}
{% endmacro %}


{# Of a datetime with its zone. #}
{% macro _micros_since_1970(moment) %}
    {%- set since = moment - modules.datetime.datetime(1970, 1, 1, tzinfo=modules.pytz.utc) -%}
    {{- return((since.days * 86400 + since.seconds) * 1000000 + since.microseconds) -}}
{% endmacro %}


{# Python's own check is an error that no macro can catch. #}
{% macro _is_a_day(year, month, day) %}
    {%- set leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) -%}
    {{- return(year > 0 and day <= [31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]) -}}
{% endmacro %}


{# What is said of a text that names no time zone. #}
{% macro _no_time_zone(given) %}
    {{- return("time_zone is '" ~ given ~ "': give the name of a time zone, such as 'UTC' or 'Europe/Berlin'") -}}
{% endmacro %}
