{#
    Whether a token is read as a column: a word that is no function, no keyword, no field of a
    struct, no type and no name given here.
#}
{% macro _is_column(tokens, place, allowed) %}
    {{- return(
        event_windows._is_word(tokens[place]) and tokens[place] | lower not in allowed
        and event_windows._before(tokens, place) not in ('.', ':', 'as')
        and (tokens + [''])[event_windows._next(tokens, place + 1)] != '('
    ) -}}
{% endmacro %}


{# Names of the arguments of lambda functions, `v -> ...` and `(v, w) -> ...`. #}
{% macro _lambda_names(tokens) %}
    {%- set names = [] -%}
    {%- for before in modules.re.findall('(\\w+|\\([\\w\\s,]+\\))\\s*->', tokens | join) -%}
        {%- do names.extend(modules.re.findall('\\w+', before | lower)) -%}
    {%- endfor -%}
    {{- return(names) -}}
{% endmacro %}


{# Words of SQL that may stand over aggregates and are no columns: operators, keywords of functions, types, units. #}
{% macro _words_outside() %}
    {{- return((
        'and or not is in between like ilike rlike regexp escape null true false case when then else end div distinct '
            ~ 'from for as asc desc to both leading trailing any all some interval date timestamp timestamp_ntz '
            ~ 'timestamp_ltz tinyint smallint int integer bigint long float real double decimal dec numeric boolean '
            ~ 'string char varchar binary year years quarter quarters month months week weeks day days dayofyear hour '
            ~ 'hours minute minutes second seconds millisecond milliseconds microsecond microseconds'
    ).split(' ')) -}}
{% endmacro %}


{# The first column in an expression, or none. A word alone is one, though elsewhere it may be a unit or a type. #}
{% macro _first_column(text) %}
    {%- set tokens = event_windows._tokens(text) -%}
    {%- if tokens | length == 1 and event_windows._is_word(text) and text | lower not in ('null', 'true', 'false') -%}
        {{- return(text) -}}
    {%- endif -%}
    {%- for token in tokens -%}
        {%- if event_windows._is_column(tokens, loop.index0, event_windows._words_outside()) -%}
            {{- return(token) -}}
        {%- endif -%}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}
