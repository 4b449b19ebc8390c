{#
    SQL text as tokens: strings, quoted names, numbers, words, single characters. Brackets and commas inside a string or
    a quoted name mean nothing then. A doubled quote is one of its letters, other than in a raw string, which it ends. A
    comment becomes a space, so that text can be cut out after it; to Spark one of -- goes on in the next line behind a
    backslash.
#}
{% macro _tokens(text) %}
    {%- set string = "[rR]'[^']*'|[rR]\"[^\"]*\"|[xX]'[^']*'"
        ~ "|'(?:[^'\\\\]|\\\\[\\s\\S]|'')*'|\"(?:[^\"\\\\]|\\\\[\\s\\S]|\"\")*\"" -%}
    {%- set pattern = string
        ~ "|`(?:[^`]|``)*`"
        ~ "|--(?:\\\\\\n|[^\\r\\n])*|/\\*[\\s\\S]*?\\*/|\\d+[A-Za-z]*_\\w*"
        ~ "|\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?[A-Za-z]*|[^\\W\\d]\\w*|[\\s\\S]" -%}
    {%- set tokens = [] -%}
    {%- for token in modules.re.findall(pattern, text | string | trim) -%}
        {%- do tokens.append(' ' if token.startswith('--') or token.startswith('/*') else token) -%}
    {%- endfor -%}
    {{- return(tokens) -}}
{% endmacro %}


{# Where each '(' among tokens is closed: {'closes': {place: place}}, or {'problem'}. #}
{% macro _brackets(tokens) %}
    {%- set read = namespace(open=[], problem=none) -%}
    {%- set closes = {} -%}
    {%- for token in tokens -%}
        {%- if token == '(' -%}
            {%- do read.open.append(loop.index0) -%}
        {%- elif token == ')' and not read.open -%}
            {%- set read.problem = "there is a ')' too many" -%}
        {%- elif token == ')' -%}
            {%- do closes.update({read.open.pop(): loop.index0}) -%}
        {%- elif token in ("'", '"', '`') -%}
            {%- set read.problem = 'a ' ~ token ~ ' is not closed' -%}
        {%- elif token == '/' and tokens[loop.index] == '*' -%}
            {%- set read.problem = 'a comment is not closed' -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if read.open %}{% set read.problem = read.problem or "a '(' is not closed" %}{% endif -%}
    {{- return({'problem': read.problem} if read.problem else {'closes': closes}) -}}
{% endmacro %}


{# The place of the first token at `place` or after it that is not blank; the number of tokens if there is none. #}
{% macro _next(tokens, place) %}
    {%- for token in tokens[place:] if token | trim -%}
        {{- return(place + tokens[place:].index(token)) -}}
    {%- endfor -%}
    {{- return(tokens | length) -}}
{% endmacro %}


{# The last token before `place` that is not blank, in lower case; nothing if there is none. #}
{% macro _before(tokens, place) %}
    {{- return(([''] + (tokens[:place] | map('trim') | select | list))[-1] | lower) -}}
{% endmacro %}


{# Tokens as words that SQL may read as the name of a column; one may begin with a digit: 2nd_amount. #}
{% macro _is_word(token) %}
    {{- return(modules.re.fullmatch('(?:[^\\W\\d]|\\d+[A-Za-z]*_)\\w*|`(?:[^`]|``)*`', token) is not none) -}}
{% endmacro %}


{#
    Whether AS gives a name, or ASC and DESC a direction; none of them is a column's name, or a field's. A direction
    follows an expression that is whole: behind an operator the word is a column.
#}
{% macro _names_or_sorts(tokens, place) %}
    {%- set before = event_windows._before(tokens, place) -%}
    {%- set after = (tokens + [''])[event_windows._next(tokens, place + 1)] | lower -%}
    {%- if tokens[place] | lower == 'as' -%}
        {{- return(before not in ('', '.') and after not in ('of', '')) -}}
    {%- endif -%}
    {%- set is_whole = modules.re.search('[\\w)\\]`\'"]$', before) is not none
        and before not in ('and', 'or', 'not', 'between', 'like', 'ilike', 'rlike', 'regexp', 'div') -%}
    {{- return(is_whole and not after) -}}
{% endmacro %}


{#
    Text that is to stand where one expression stands: {'text', 'problem'}, and its 'tokens' with what _brackets says of
    them. Whatever would end the expression early, and so begin something else, is a problem: a name after AS (a version
    of a table has one too) and a direction among them; comments, which could hide what follows, are left out.
#}
{% macro _one_expression(text) %}
    {%- set tokens = event_windows._tokens(text) -%}
    {%- set brackets = event_windows._brackets(tokens) -%}
    {%- set read = namespace(problem=brackets.problem, depth=0) -%}
    {%- for token in tokens if not read.problem -%}
        {%- set read.depth = read.depth + (1 if token in '([' else -1 if token in ')]' else 0) -%}
        {%- if token in ';{}' or (read.depth == 0 and (
            token == ','
            or (token | lower in ('as', 'asc', 'desc') and event_windows._names_or_sorts(tokens, loop.index0))
        )) -%}
            {%- set read.problem = "there is a '" ~ token ~ "' where one expression is meant" -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(dict(brackets, text=tokens | join | trim, problem=read.problem, tokens=tokens)) -}}
{% endmacro %}


{#
    What is wrong with an expression in which a query stands; none where there is none. As Spark reads them, queries
    begin behind a bracket: `(select`, `exists (from`, `in (table t)`. A column of such a name is alone there, or is
    followed by what begins no expression.
#}
{% macro _subquery_problem(tokens) %}
    {%- for token in tokens -%}
        {%- if token | lower in ('select', 'with', 'from', 'table', 'values')
            and event_windows._before(tokens, loop.index0) == '('
            and not modules.re.match(
                '\\s*(?:[),\\[=<>/%|&^:]|!=|[.]\\s*(?![\\s\\d]))', tokens[loop.index:] | join
            ) -%}
            {{- return("'(" ~ token ~ "' begins a subquery, which reads rows again at each refresh, so that rows that "
                ~ 'were read before keep what it said then: join its table in the relation, and name the column here '
                ~ "(a column called '" ~ token ~ "' is written in backticks)") -}}
        {%- endif -%}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}
