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
            ~ 'from for as asc desc to both leading trailing any all some interval'
    ).split(' ') + event_windows._types_and_units()) -}}
{% endmacro %}


{# Words of SQL within an expression over rows besides: operators, and functions that are called without brackets. #}
{% macro _words_without_brackets() %}
    {{- return((
        'collate placing unknown at time zone without current_catalog current_database current_date current_schema '
            ~ 'current_time current_timestamp current_user localtimestamp session_user user'
    ).split(' ')) -}}
{% endmacro %}


{# Words of these that may be the name of a column where they stand by themselves. #}
{% macro _types_and_units() %}
    {{- return((
        'date timestamp timestamp_ntz timestamp_ltz tinyint smallint int integer bigint long float real double decimal '
            ~ 'dec numeric boolean string char varchar binary year years quarter quarters month months week weeks day '
            ~ 'days dayofyear hour hours minute minutes second seconds millisecond milliseconds microsecond '
            ~ 'microseconds'
    ).split(' ')) -}}
{% endmacro %}


{#
    The columns that an expression names, of a dotted path the first word, without backticks. Where a word may be
    something else it is passed over: what is left out here Spark itself refuses later.
#}
{% macro _named_columns(text) %}
    {%- set tokens = event_windows._tokens(text) -%}
    {%- if modules.re.search('(?i)\\b(select|(struct|array|map)\\s*<)|``', tokens | join) -%}
        {{- return([]) -}}
    {%- endif -%}
    {%- set allowed = event_windows._words_outside() + event_windows._words_without_brackets()
        + event_windows._lambda_names(tokens) -%}
    {%- set columns = [] -%}
    {%- for token in tokens -%}
        {%- set place = loop.index0 -%}
        {%- set next = event_windows._next(tokens, place + 1) -%}
        {%- set after = (tokens + [''])[next] | lower -%}
        {#- `epoch` from, `time` '10:00', the name of an argument, of a collation, and the schema of a function -#}
        {%- set is_other = after == 'from' or modules.re.match('[\'"]', after)
            or (after == '=' and tokens[next + 1:next + 2] == ['>'])
            or event_windows._before(tokens, place) == 'collate'
            or modules.re.match('(\\s*\\.\\s*(\\w+|`[^`]+`))+\\s*\\(', tokens[place + 1:] | join) -%}
        {%- if event_windows._is_word(token) and not is_other and event_windows._is_column(tokens, place, allowed) -%}
            {%- do columns.append(token[1:-1] if token.startswith('`') else token) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(columns | unique | list) -}}
{% endmacro %}


{#
    The first column in an expression, or none. A word alone is one, but for a literal. The name of a type or a unit is
    one too, but where such a word is meant: `cast(x as real)`, `array<real>`, `date '2024-01-01'`, `interval 1 day`,
    `extract(day from x)`.
#}
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
    {%- for token in tokens -%}
        {%- set before = event_windows._before(tokens, loop.index0) -%}
        {%- set after = (tokens + [''])[event_windows._next(tokens, loop.index0 + 1)] | lower -%}
        {%- set is_literal = modules.re.match('[\'"0-9]', before) or modules.re.match('[\'"]', after) -%}
        {%- if token | lower in event_windows._types_and_units() and before != '<' and after != 'from'
            and not is_literal and event_windows._is_column(tokens, loop.index0, []) -%}
            {{- return(token) -}}
        {%- endif -%}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}
