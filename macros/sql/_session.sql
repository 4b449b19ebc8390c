{#
    What of the session decides values of the same text over the same rows, as columns of a query about it: by what
    settings do, since a store need not tell them. A view keeps its own for ever: those of the session that made it.
#}
{% macro _session_columns() %}
    {{- return("current_timezone() as zone, typeof(coalesce(1, '1')) as mixed, "
        ~ "if(size(cast(null as array<int>)) is null, 'null', 'minus one') as size, "
        ~ "to_json(named_struct('a', cast(null as int))) as json") -}}
{% endmacro %}


{# The same from the row that it gives: {'zone', 'settings': {what: how it is}}. #}
{% macro _told_session(row) %}
    {{- return({'zone': row['zone'], 'settings': {
        'a number beside a text (spark.sql.ansi.enabled)': row['mixed'],
        'size(null) (spark.sql.ansi.enabled, spark.sql.legacy.sizeOfNull)': row['size'],
        'null in JSON (spark.sql.jsonGenerator.ignoreNullFields)': row['json']
    }}) -}}
{% endmacro %}
