{#
    SQL over aggregate calls, such as `sum(a) / nullif(count(*), 0)`, taken apart: {'pieces', 'calls'}, {'problem'}, or
    {'unknown'}: a function over columns that is no aggregate. Pieces are text and, where a call stands, its number in
    `calls`; equal calls have one number. `known` are the names of aggregates; of others, those in `guess` are one
    where they stand over columns, or all where nobody knows the functions of the session (none).
    Outside of calls stands only what can stand over aggregates: functions, operators, constants, no column.
#}
{% macro _expression(text, known, guess) %}
    {%- set one = event_windows._one_expression(text) -%}
    {%- set problem = one.problem or event_windows._subquery_problem(one.tokens) -%}
    {%- if problem %}{{- return({'problem': problem}) -}}{% endif -%}
    {%- set tokens, closes = one.tokens, one.closes -%}
    {%- set allowed = event_windows._words_outside() + event_windows._lambda_names(tokens) -%}
    {%- set calls = [] -%}
    {%- set read = namespace(pieces=[], text='', skip=0) -%}
    {%- for token in tokens -%}
        {%- set place = loop.index0 -%}
        {%- set word = token | lower if event_windows._is_word(token) else none -%}
        {%- set opens = event_windows._next(tokens, place + 1) -%}
        {%- set is_called = word and opens in closes
            and event_windows._before(tokens, place) not in ('like', 'ilike') -%}
        {%- set inside = tokens[opens + 1:closes[opens]] if is_called else none -%}
        {%- set over_columns = inside is not none and word not in allowed
            and event_windows._over_columns(inside, known, allowed) -%}
        {%- if place < read.skip -%}{# part of a call #}
        {%- elif inside is not none and (word in known or (over_columns and (guess is none or word in guess))) -%}
            {%- set call = event_windows._call(tokens, place, closes) -%}
            {%- set inner = event_windows._called(inside, known) -%}
            {%- if inner -%}
                {{- return({'problem': "'" ~ inner ~ "' stands inside '" ~ word ~ "': an aggregate takes "
                    ~ "columns, not aggregates"}) -}}
            {%- elif call.problem -%}
                {{- return({'problem': call.problem}) -}}
            {%- endif -%}
            {%- set texts = calls | map(attribute='sql') | list -%}
            {%- if call.sql not in texts %}{% do calls.append(call) %}{% endif -%}
            {%- do read.pieces.extend([
                read.text if read.pieces else read.text.lstrip(), (texts + [call.sql]).index(call.sql)
            ]) -%}
            {%- set read.text = '' -%}
            {%- set read.skip = call.ends -%}
        {%- elif over_columns -%}
            {{- return({'unknown': word}) -}}
        {%- elif word and inside is none and event_windows._is_column(tokens, place, allowed) -%}
            {{- return({'problem': "'" ~ token ~ "' stands outside of every aggregate"}) -}}
        {%- else -%}
            {%- set read.text = read.text ~ token -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if not calls %}{{- return({'problem': 'it calls no aggregate'}) -}}{% endif -%}
    {{- return({'pieces': (read.pieces + [read.text.rstrip()]) | reject('equalto', '') | list, 'calls': calls}) -}}
{% endmacro %}


{# The first of the names in `known` that is called among tokens, or none; `like any (...)` calls nothing. #}
{% macro _called(tokens, known) %}
    {%- for token in tokens -%}
        {%- if token | lower in known and (tokens + [''])[event_windows._next(tokens, loop.index)] == '('
            and event_windows._before(tokens, loop.index0) not in ('like', 'ilike') -%}
            {{- return(token | lower) -}}
        {%- endif -%}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}


{# Whether the arguments of a function are columns, or expressions of columns, and not aggregates. #}
{% macro _over_columns(tokens, known, allowed) %}
    {%- if event_windows._called(tokens, known) %}{{- return(false) -}}{% endif -%}
    {%- for token in tokens -%}
        {%- if event_windows._is_column(tokens, loop.index0, allowed) %}{{- return(true) -}}{% endif -%}
    {%- endfor -%}
    {{- return(tokens | join | trim == '*') -}}
{% endmacro %}
