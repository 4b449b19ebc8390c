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
    {%- set moment = modules.re.search(
        "(?i)(?<![\\w.`])(unix_timestamp\\s*[(]\\s*[)]|(?:(?:timestamp(?:_ntz|_ltz)?|date)\\s*|cast\\s*[(]\\s*)"
            ~ "'\\s*(?:now|today|tomorrow|yesterday)\\b)", text
    ) -%}
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
