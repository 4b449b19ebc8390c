{#
    What of the session decides values of the same text over the same rows, as columns of a query about it: by what
    settings do, since a store need not tell them. A view keeps its own for ever, those of the session that made it; one
    of Iceberg's keeps none, and has those of the session that reads it.
#}
{% macro _session_columns() %}
    {{- return("current_timezone() as zone, typeof(coalesce(1, '1')) as mixed, "
        ~ "if(size(cast(null as array<int>)) is null, 'null', 'minus one') as size, "
        ~ "to_json(named_struct('a', cast(null as int))) as json, "
        ~ "typeof(cast(1 as decimal(38, 6)) / cast(1 as decimal(20, 0))) as quotient, "
        ~ "if(date_format(timestamp '2000-01-01 00:00:00.000001', 'SSSSSS') = '000001', 'one', 'none') as micros, "
        ~ "cast(array(cast(null as int)) as string) as listed, "
        ~ '(select string("a") from (select 1 as a)) as quoted') -}}
{% endmacro %}


{#
    The same as a view keeps it: {setting: value} of those that it names, the others have Spark's defaults. None where
    it does not name its zone: then Spark takes that of the machine. What Spark asks of the session that reads the view
    is not here.
#}
{% macro _kept_session(kept) %}
    {%- set ansi = kept.get('spark.sql.ansi.enabled', 'true') | lower == 'true' -%}
    {%- set legacy = not ansi and kept.get('spark.sql.legacy.sizeOfNull', 'true') | lower == 'true' -%}
    {%- set loss = kept.get('spark.sql.decimalOperations.allowPrecisionLoss', 'true') | lower == 'true' -%}
    {{- return(event_windows._told_session({
        'zone': kept.get('spark.sql.session.timeZone'), 'mixed': 'bigint' if ansi else 'string',
        'size': 'minus one' if legacy else 'null',
        'json': '{}' if kept.get('spark.sql.jsonGenerator.ignoreNullFields', 'true') | lower == 'true'
            else '{"a":null}',
        'quotient': 'decimal(38,6)' if loss else 'decimal(38,16)'
    })) -}}
{% endmacro %}


{# What has been set in this session: {setting: value}. #}
{% macro _session_settings() %}
    {%- set session = {} -%}
    {%- for row in run_query('set') %}{% do session.update({row['key']: row['value']}) %}{% endfor -%}
    {{- return(session) -}}
{% endmacro %}


{# What a setting is in this session; none where nobody has set it. #}
{% macro _session_setting(name) %}
    {%- set value = run_query('set ' ~ name).rows[0]['value'] -%}
    {{- return(value if value != '<undefined>' else none) -}}
{% endmacro %}


{# How two of them differ, each as a clause of a sentence. What only one says, as records of before do, is not told. #}
{% macro _other_session(before, now) %}
    {%- set differ = [] -%}
    {%- for what, value in now.settings.items() if before.settings.get(what, value) != value -%}
        {%- do differ.append(what ~ ' was ' ~ before.settings[what] ~ ' and is ' ~ value) -%}
    {%- endfor -%}
    {%- if before.zone != now.zone -%}
        {%- do differ.append('the time zone was ' ~ before.zone ~ ' and is ' ~ now.zone) -%}
    {%- endif -%}
    {{- return(differ) -}}
{% endmacro %}


{# The same from the row that it gives: {'zone', 'settings': {what: how it is}}, of what the row has. #}
{% macro _told_session(row) %}
    {%- set settings = {} -%}
    {%- for column, what in {
        'mixed': 'a number beside a text (spark.sql.ansi.enabled)',
        'size': 'size(null) (spark.sql.ansi.enabled, spark.sql.legacy.sizeOfNull)',
        'json': 'null in JSON (spark.sql.jsonGenerator.ignoreNullFields)',
        'quotient': 'a quotient of decimals (spark.sql.decimalOperations.allowPrecisionLoss)',
        'micros': 'the microsecond of a time by a pattern (spark.sql.legacy.timeParserPolicy)',
        'listed': 'null in the text of an array (spark.sql.legacy.castComplexTypesToString.enabled)',
        'quoted': 'what double quotes hold (spark.sql.ansi.doubleQuotedIdentifiers)'
    }.items() if column in row.keys() -%}
        {%- do settings.update({what: row[column]}) -%}
    {%- endfor -%}
    {{- return({'zone': row['zone'], 'settings': settings}) -}}
{% endmacro %}
