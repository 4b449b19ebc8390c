{#
    An instant that a query is asked for, as SQL of the type of the windows; none, an open side, stays none. An ISO
    timestamp in text (UTC unless it says otherwise), or a datetime of Jinja's, becomes a literal. Any other text is SQL
    already, but for text in quotes: Spark would silently make a null of one that it cannot read.
#}
{% macro _time(option, given, type, problems) %}
    {%- if given is none %}{{- return(none) -}}{% endif -%}
    {%- set text = (given.isoformat() if given is not string and given.isoformat is defined else given)
        | string | trim -%}
    {%- set is_sql = given is string and not modules.re.match("$|[-+.\\d]|'[^']*'$", text) -%}
    {%- set moment = modules.re.fullmatch(
        "'?((\\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01]))"
            ~ "(?:[ T]((?:[01]\\d|2[0-3]):[0-5]\\d)(:[0-5]\\d(?:\\.\\d{1,6})?)?"
            ~ "(?: ?(Z|UTC|[+-](?:(?:0\\d|1[0-7]):[0-5]\\d|18:00)))?)?'?",
        text
    ) -%}
    {%- set sql = event_windows._one_expression(text) if is_sql else {'problem': none} -%}
    {%- if is_sql and not sql.problem -%}
        {{- return('cast(' ~ sql.text ~ ' as ' ~ type ~ ')' if type in ('timestamp', 'timestamp_ntz') else sql.text) -}}
    {%- elif not moment
        or not event_windows._is_a_day(moment.group(2) | int, moment.group(3) | int, moment.group(4) | int) -%}
        {%- do problems.append(option ~ " is '" ~ given ~ "': " ~ (sql.problem ~ '; ' if sql.problem else '')
            ~ "give a timestamp in text such as '2024-01-01 00:00:00' "
            ~ '(UTC unless it says otherwise), or a SQL expression such as "current_timestamp() - interval 1 day", or '
            ~ 'none for an open side') -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- set clock = moment.group(1) ~ ' ' ~ (moment.group(5) or '00:00') ~ (moment.group(6) or ':00') -%}
    {%- set zone = moment.group(7) if moment.group(7) not in (none, 'Z', 'UTC') else '+00:00' -%}
    {%- if type == 'timestamp_ntz' and zone == '+00:00' -%}
        {{- return("timestamp_ntz '" ~ clock ~ "'") -}}
    {%- elif type == 'timestamp_ntz' -%}
        {{- return(event_windows._from_micros("unix_micros(timestamp '" ~ clock ~ zone ~ "')", type)) -}}
    {%- endif -%}
    {{- return("timestamp '" ~ clock ~ zone ~ "'") -}}
{% endmacro %}
