{#
    Settings under which Spark takes the SQL that this package writes for other SQL: its texts are written with
    escapes, its TIMESTAMP is the type that DESCRIBE calls so, and it compares names without their case. `asked` is a
    row with the columns of _session_asked.
#}
{% macro _check_session(asked) %}
    {%- set problems = [] -%}
    {%- if asked['_ew_letters'] | int != 1 -%}
        {%- do problems.append('spark.sql.parser.escapedStringLiterals is true: with it Spark reads a backslash in a '
            ~ 'text as two, so that no text here means what it says: leave it false, which is the default') -%}
    {%- endif -%}
    {%- if asked['_ew_time'] != 'timestamp' -%}
        {%- do problems.append('spark.sql.timestampType is TIMESTAMP_NTZ: with it a cast to TIMESTAMP gives the wall '
            ~ "clock of the session's zone: leave it TIMESTAMP_LTZ, which is the default, and write TIMESTAMP_NTZ "
            ~ 'where that is meant') -%}
    {%- endif -%}
    {%- if asked['_ew_names'] | int != 1 -%}
        {%- do problems.append('spark.sql.caseSensitive is true: with it names that differ in upper and lower case '
            ~ 'alone are two columns, or fields, and they are one here: leave it false, which is the default') -%}
    {%- endif -%}
    {%- if problems %}{{ event_windows._raise("the session's settings for model '" ~ model.name ~ "'", problems) }}
    {%- endif -%}
{% endmacro %}


{#
    What tells them, as columns of a query: what settings do, since not every store tells them. Of two variables of
    functions the inner one is meant, if the two are one name.
#}
{% macro _session_asked() %}
    {{- return("length('\\\\') as _ew_letters, typeof(cast(null as timestamp)) as _ew_time, "
        ~ 'transform(array(2), N -> transform(array(1), n -> N)[0])[0] as _ew_names') -}}
{% endmacro %}
