{# An instant in text, an ISO timestamp (UTC unless it says otherwise), as microseconds since the epoch; none stays none. #}
{% macro _instant(text, option, problems) %}
    {%- if text is none %}{{- return(none) -}}{% endif -%}
    {%- set iso = text | string | trim | replace(' UTC', '+00:00') | replace('Z', '+00:00') -%}
    {%- if not modules.re.fullmatch('\\d{4}-\\d{2}-\\d{2}([ T]\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,6})?)?([+-]\\d{2}:\\d{2})?)?', iso) -%}
        {%- do problems.append(option ~ " is '" ~ text ~ "': give a timestamp in text such as '2024-01-01 00:00:00 UTC', or leave it out") -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- set moment = modules.datetime.datetime.fromisoformat(iso) -%}
    {%- if moment.tzinfo is none %}{% set moment = moment.replace(tzinfo=modules.pytz.utc) %}{% endif -%}
    {%- set since = moment - modules.datetime.datetime(1970, 1, 1, tzinfo=modules.pytz.utc) -%}
    {{- return((since.days * 86400 + since.seconds) * 1000000 + since.microseconds) -}}
{% endmacro %}
