{#
    Spark's functions whose value is not by their arguments alone, by what is said of them. Of a text in plain SQL the
    planner knows the same ones (plain_sql/functions.py).
#}
{% macro _functions_of_the_moment() %}
    {{- return({
        'has another value each time': (
            'aes_encrypt input_file_block_length input_file_block_start input_file_name monotonically_increasing_id '
                ~ 'rand randn random randstr shuffle spark_partition_id uniform uuid'
        ).split(' '),
        'depends on when it runs': 'curdate current_date current_time current_timestamp localtimestamp now'.split(' '),
        'depends on who runs it and where': (
            'current_catalog current_database current_schema current_timezone current_user session_user user version'
        ).split(' ')
    }) -}}
{% endmacro %}


{# Those of them that need no brackets wherever no column has the name. #}
{% macro _moments_without_brackets() %}
    {{- return('current_date current_time current_timestamp current_user session_user user'.split(' ')) -}}
{% endmacro %}


{#
    What is to be said of an expression that calls one of them, or that has the words of a day or time ('now'); none
    where there is none.
#}
{% macro _of_the_moment(text, columns) %}
    {%- set moment = modules.re.search(event_windows._moment_in_words(columns), text) -%}
    {%- if moment %}{{- return(moment.group() ~ ' depends on when it runs') -}}{% endif -%}
    {%- set tokens = event_windows._tokens(text) -%}
    {%- set known = columns | map('lower') | list + event_windows._lambda_names(tokens) -%}
    {%- for what, names in event_windows._functions_of_the_moment().items() -%}
        {%- set called = event_windows._called(tokens, names) -%}
        {%- if called %}{{- return(called ~ '(...) ' ~ what) -}}{% endif -%}
        {%- for token in tokens -%}
            {%- set name = token | lower | replace('`', '') -%}
            {%- if name in names and name in event_windows._moments_without_brackets()
                and event_windows._is_column(tokens, loop.index0, known) and name not in known -%}
                {{- return(name ~ ' ' ~ what) -}}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}


{#
    How a time of the run is written: `unix_timestamp()`, and where it surely becomes a date or a time, 'now', or a time
    without a date, to which Spark gives the day of the run.
#}
{% macro _moment_in_words(columns) %}
    {%- set time = "(?:[01]?\\d|2[0-3])" -%}
    {%- set text = "r?(['\"])\\s*(?:(?:now|today|tomorrow|yesterday)\\b(?:\\s+[\\w/+:-]+|[+-][\\w:]+)?|(?-i:T)" ~ time
        ~ "|(?-i:T)?" ~ time ~ ":[0-5]?\\d(?::[0-5]?\\d(?:[.]\\d*)?(?:\\s*[\\w/+:-]+)?)?)\\s*" -%}
    {%- set times = [] -%}
    {%- for name, type in columns.items() if type.startswith('timestamp') or type == 'date' -%}
        {%- do times.append('`?' ~ modules.re.escape(name) ~ '`?') -%}
    {%- endfor -%}
    {%- set forms = [
        'unix_timestamp\\s*[(]\\s*[)]',
        '(?:timestamp(?:_ntz|_ltz)?|date)\\s*' ~ text ~ '\\1',
        '(?:timestamp|date|(?:try_)?to_(?:date|timestamp(?:_ntz|_ltz)?))\\s*[(]\\s*' ~ text ~ '\\2\\s*[)]',
        '(?:try_)?cast\\s*[(]\\s*' ~ text ~ '\\3\\s*as\\s+(?:timestamp|date)',
        text ~ '\\4\\s*::\\s*(?:timestamp|date)'
    ] -%}
    {%- if times -%}
        {%- set times = '(?:' ~ times | join('|') ~ ')' -%}
        {%- do forms.append(times ~ '\\s*(?:[<>=!]+|(?:not\\s+)?between(?:\\s[^()]*?\\band\\b)?'
            ~ '|(?:not\\s+)?in\\s*[(](?:[^()]*,)?)\\s*' ~ text ~ '\\5') -%}
        {%- do forms.append(text ~ '\\6\\s*[<>=!]+\\s*' ~ times ~ '(?![\\w.`(])') -%}
    {%- endif -%}
    {{- return("(?i)(?<![\\w.`])(?:" ~ forms | join('|') ~ ')') -}}
{% endmacro %}
