{#
    Settings under which Spark takes the SQL that this package writes for other SQL, or gives other values where the
    package merges values of its own. `asked` is a row with the columns of _session_asked.
#}
{% macro _check_session(asked) %}
    {%- set problems = [] -%}
    {%- for column, setting in event_windows._settings_to_leave().items()
        if column in asked.keys() and asked[column] | string != setting.default -%}
        {%- do problems.append(setting.problem) -%}
    {%- endfor -%}
    {%- if problems %}{{ event_windows._raise("the session's settings for model '" ~ model.name ~ "'", problems) }}
    {%- endif -%}
{% endmacro %}


{# What tells them, as columns of a query; where a text is only read, those by which it is read. #}
{% macro _session_asked(reads=false) %}
    {%- set columns = [] -%}
    {%- for column, setting in event_windows._settings_to_leave().items() if not (reads and setting.of_values) -%}
        {%- do columns.append(setting.sql ~ ' as ' ~ column) -%}
    {%- endfor -%}
    {{- return(columns | join(', ')) -}}
{% endmacro %}


{#
    Each with what tells it, how that is by default, what to say where it is otherwise, and whether it decides values
    alone: what settings do, since not every store tells them. Of two variables of functions the inner one is meant, if
    the two are one name. A range in one part is read without an exchange.
#}
{% macro _settings_to_leave() %}
    {{- return({
        '_ew_letters': {
            'sql': "length('\\\\')", 'default': '1',
            'problem': 'spark.sql.parser.escapedStringLiterals is true: with it Spark reads a backslash in a text as '
                ~ 'two, so that no text here means what it says: leave it false, which is the default'
        },
        '_ew_time': {
            'sql': 'typeof(cast(null as timestamp))', 'default': 'timestamp',
            'problem': 'spark.sql.timestampType is TIMESTAMP_NTZ: with it a cast to TIMESTAMP gives the wall clock of '
                ~ "the session's zone: leave it TIMESTAMP_LTZ, which is the default, and write TIMESTAMP_NTZ where "
                ~ 'that is meant'
        },
        '_ew_names': {
            'sql': 'transform(array(2), N -> transform(array(1), n -> N)[0])[0]', 'default': '1',
            'problem': 'spark.sql.caseSensitive is true: with it names that differ in upper and lower case alone are '
                ~ 'two columns, or fields, and they are one here: leave it false, which is the default'
        },
        '_ew_quoted': {
            'sql': '(select `a+` from (select 1 as `a+`, 2 as aa))', 'default': '1',
            'problem': 'spark.sql.parser.quotedRegexColumnNames is true: with it a name in backticks means all columns '
                ~ 'that fit it as a regular expression, and it is one column here: leave it false, which is the default'
        },
        '_ew_inner': {
            'sql': '(with t as (select 1 as n), u as (with t as (select 2 as n) select n from t) select n from u)',
            'default': '2',
            'problem': 'spark.sql.legacy.ctePrecedencePolicy is LEGACY: with it of two CTEs of one name the outer one '
                ~ 'is meant within the inner query, too: leave it CORRECTED, which is the default'
        },
        '_ew_alone': {
            'of_values': true,
            'sql': '(select int(var_samp(id) is null) from range(0, 1, 1, 1))', 'default': '1',
            'problem': 'spark.sql.legacy.statisticalAggregate is true: with it the spread of a single value is NaN '
                ~ 'and no null, and NaN is what it makes of any values beside: leave it false, which is the default'
        },
        '_ew_disc': {
            'of_values': true,
            'sql': '(select int(percentile_disc(0.9) within group (order by id)) from range(1, 3, 1, 1))',
            'default': '2',
            'problem': 'spark.sql.legacy.percentileDiscCalculation is true: with it percentile_disc gives a value '
                ~ 'before the one that it is here: leave it false, which is the default'
        }
    }) -}}
{% endmacro %}
