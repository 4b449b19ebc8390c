{#
    One aggregate call among tokens, from the place of its name, whose bracket is closed where `closes` says: {'fn',
    'distinct', 'arguments', 'columns', 'nulls', 'within', 'filter', 'ends', 'sql'}, or {'problem'}; `columns` has the
    first column in each argument, or none. What may follow the brackets:

    within group (order by expression [asc | desc])     -> within: {'by', 'descending'}
    filter (where condition)                            -> filter
    ignore nulls | respect nulls                        -> nulls: 'ignore' | 'respect'; also inside the brackets
#}
{% macro _call(tokens, start, closes) %}
    {%- set opens = event_windows._next(tokens, start + 1) -%}
    {%- set call = {
        'fn': tokens[start] | lower, 'distinct': false, 'nulls': none, 'within': none, 'filter': none, 'problem': none
    } -%}
    {%- do call.update({'arguments': event_windows._arguments(tokens[opens + 1:closes[opens]])}) -%}
    {%- if call.arguments -%}
        {%- set first = modules.re.fullmatch('(?is)(distinct|all)\\b(?!\\s*\\.)\\s*(.+)', call.arguments[0]) -%}
        {%- if first -%}
            {%- do call.update({
                'distinct': first.group(1) | lower == 'distinct', 'arguments': [first.group(2)] + call.arguments[1:]
            }) -%}
        {%- endif -%}
        {%- set last = modules.re.fullmatch('(?is)(.*\\S)\\s*\\b(ignore|respect)\\s+nulls', call.arguments[-1]) -%}
        {%- if last -%}
            {%- do call.update({'nulls': last.group(2) | lower, 'arguments': call.arguments[:-1] + [last.group(1)]}) -%}
        {%- endif -%}
    {%- endif -%}
    {%- for argument in call.arguments if modules.re.match('[\\w`]+\\s*=>', argument) -%}
        {%- do call.update({'problem': 'an argument by its name (' ~ argument ~ ') is not understood: give it by its '
            ~ 'place'}) -%}
    {%- endfor -%}
    {%- set read = namespace(ends=closes[opens] + 1, more=true) -%}
    {%- for _ in range(4) if read.more -%}
        {%- set clause = event_windows._clause(tokens, event_windows._next(tokens, read.ends), closes) -%}
        {%- set read.more = clause.name is defined -%}
        {%- if read.more -%}
            {%- if call.get(clause.name) is not none -%}
                {%- do call.update({'problem': clause.name ~ ' is given twice'}) -%}
            {%- endif -%}
            {%- do call.update({clause.name: clause.value, 'problem': call.problem or clause.problem}) -%}
            {%- set read.ends = clause.ends -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set columns = [] -%}
    {%- for argument in call.arguments %}{% do columns.append(event_windows._first_column(argument)) %}{% endfor -%}
    {%- do call.update({
        'columns': columns, 'ends': read.ends, 'sql': tokens[start:read.ends] | join | trim
    }) -%}
    {{- return(call) -}}
{% endmacro %}


{#
    What follows a call's brackets at `place`: {'name', 'value', 'ends', 'problem'}, or nothing
    that belongs to the call.
#}
{% macro _clause(tokens, place, closes) %}
    {%- set word = (tokens + [''])[place] | lower -%}
    {%- set second = event_windows._next(tokens, place + 1) -%}
    {%- set third = event_windows._next(tokens, second + 1) -%}
    {%- set after = (tokens + ['', ''])[second] | lower -%}
    {%- if word in ('ignore', 'respect') and after == 'nulls' -%}
        {{- return({'name': 'nulls', 'value': word, 'ends': second + 1, 'problem': none}) -}}
    {%- elif word == 'filter' -%}
        {%- set inside = tokens[second + 1:closes[second]] | join | trim if second in closes else '' -%}
        {%- set where = modules.re.fullmatch('(?is)where\\b\\s*(.+)', inside) -%}
        {{- return({'name': 'filter', 'value': where.group(1) if where else '', 'ends': closes.get(second, place) + 1,
            'problem': none if where else "'filter' is not understood: write filter (where condition)"}) -}}
    {%- elif word == 'within' -%}
        {%- set inside = tokens[third + 1:closes[third]] if third in closes and after == 'group' else [] -%}
        {%- set by = modules.re.fullmatch(
            '(?is)order\\s+by\\b\\s*(.+?)(?:\\s*(?<![.\\w`])(asc|desc))?', inside | join | trim
        ) -%}
        {%- set one = by and event_windows._arguments(inside) | length == 1
            and not modules.re.search('(?i)\\bnulls\\s+(first|last)$', by.group(1)) -%}
        {{- return({'name': 'within',
            'value': {'by': by.group(1), 'descending': by.group(2) | lower == 'desc'} if one else '',
            'ends': closes.get(third, place) + 1,
            'problem': none if one
                else "'within' is not understood: write within group (order by expression [asc | desc])"}) -}}
    {%- elif word == 'over' -%}
        {{- return({'name': 'over', 'value': '', 'ends': place + 1,
            'problem': "'over' is not understood: only filter (where ...), within group (order by ...) or ignore "
                ~ "nulls may follow a call"}) -}}
    {%- endif -%}
    {{- return({}) -}}
{% endmacro %}


{# The arguments between a call's brackets, each as text. #}
{% macro _arguments(tokens) %}
    {%- set read = namespace(depth=0, from=0) -%}
    {%- set arguments = [] -%}
    {%- for token in tokens + [','] -%}
        {%- if token == ',' and read.depth == 0 -%}
            {%- do arguments.append(tokens[read.from:loop.index0] | join | trim) -%}
            {%- set read.from = loop.index -%}
        {%- elif token in ('(', '[') -%}
            {%- set read.depth = read.depth + 1 -%}
        {%- elif token in (')', ']') -%}
            {%- set read.depth = read.depth - 1 -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return([] if arguments == [''] else arguments) -}}
{% endmacro %}
