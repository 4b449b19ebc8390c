{#
    What of the session decides values of the same text over the same rows, as columns of a query about it: by what
    settings do, since a store need not tell them. A view keeps its own for ever: those of the session that made it.
#}
{% macro _session_columns() %}
    {{- return("current_timezone() as zone, typeof(coalesce(1, '1')) as mixed, "
        ~ "if(size(cast(null as array<int>)) is null, 'null', 'minus one') as size, "
        ~ "to_json(named_struct('a', cast(null as int))) as json") -}}
{% endmacro %}


{#
    The same as a view keeps it: {setting: value} of those that it names, the others have Spark's defaults. None where
    it does not name its zone: then Spark takes that of the machine.
#}
{% macro _kept_session(kept) %}
    {%- set ansi = kept.get('spark.sql.ansi.enabled', 'true') | lower == 'true' -%}
    {%- set legacy = not ansi and kept.get('spark.sql.legacy.sizeOfNull', 'true') | lower == 'true' -%}
    {{- return(event_windows._told_session({
        'zone': kept.get('spark.sql.session.timeZone'), 'mixed': 'bigint' if ansi else 'string',
        'size': 'minus one' if legacy else 'null',
        'json': '{}' if kept.get('spark.sql.jsonGenerator.ignoreNullFields', 'true') | lower == 'true' else '{"a":null}'
    })) -}}
{% endmacro %}


{# How two of them differ, each as a clause of a sentence. #}
{% macro _other_session(before, now) %}
    {%- set differ = [] -%}
    {%- for what, value in now.settings.items() if before.settings[what] != value -%}
        {%- do differ.append(what ~ ' was ' ~ before.settings[what] ~ ' and is ' ~ value) -%}
    {%- endfor -%}
    {%- if before.zone != now.zone -%}
        {%- do differ.append('the time zone was ' ~ before.zone ~ ' and is ' ~ now.zone) -%}
    {%- endif -%}
    {{- return(differ) -}}
{% endmacro %}


{# The same from the row that it gives: {'zone', 'settings': {what: how it is}}. #}
{% macro _told_session(row) %}
    {{- return({'zone': row['zone'], 'settings': {
        'a number beside a text (spark.sql.ansi.enabled)': row['mixed'],
        'size(null) (spark.sql.ansi.enabled, spark.sql.legacy.sizeOfNull)': row['size'],
        'null in JSON (spark.sql.jsonGenerator.ignoreNullFields)': row['json']
    }}) -}}
{% endmacro %}
