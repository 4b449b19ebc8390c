{#
    One aggregate call, `fn(args) [filter (where condition)]`, taken apart: {'fn', 'arguments', 'filter'}, or {'problem'}.
    Text is read token by token, so that brackets and commas inside strings, quoted names and comments mean nothing.
#}
{% macro _call(text) %}
    {%- set token = "'(?:[^'\\\\]|\\\\.)*'|\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`|--[^\\n]*|/\\*[\\s\\S]*?\\*/|[A-Za-z_][A-Za-z0-9_]*|[\\s\\S]" -%}
    {%- set tokens = modules.re.findall(token, text | string | trim) -%}
    {%- set read = namespace(depth=0, groups=[], words=[], argument='', arguments=[], problem=none) -%}
    {%- for part in tokens -%}
        {%- if part == '(' -%}
            {%- set read.depth = read.depth + 1 -%}
            {%- if read.depth > 1 %}{% set read.argument = read.argument ~ part %}{% endif -%}
        {%- elif part == ')' -%}
            {%- set read.depth = read.depth - 1 -%}
            {%- if read.depth == 0 -%}
                {%- set read.groups = read.groups + [read.arguments + [read.argument | trim]] -%}
                {%- set read.argument = '' -%}{%- set read.arguments = [] -%}
            {%- elif read.depth < 0 -%}
                {%- set read.problem = "there is a ')' too many" -%}
            {%- else -%}
                {%- set read.argument = read.argument ~ part -%}
            {%- endif -%}
        {%- elif part == ',' and read.depth == 1 -%}
            {%- set read.arguments = read.arguments + [read.argument | trim] -%}
            {%- set read.argument = '' -%}
        {%- elif read.depth > 0 -%}
            {%- set read.argument = read.argument ~ part -%}
        {%- elif part | trim -%}
            {%- set read.words = read.words + [[read.groups | length, part | lower]] -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if read.depth > 0 %}{% set read.problem = "a '(' is not closed" %}{% endif -%}
    {%- set words = read.words | map('last') | list -%}
    {%- if not read.problem -%}
        {%- if read.groups | length not in (1, 2) or not words or read.words[0][0] != 0 -%}
            {%- set read.problem = 'it is not one call of an aggregate' -%}
        {%- elif read.groups | length == 1 and words | length > 1 -%}
            {%- set read.problem = "'" ~ words[1:] | join(' ') ~ "' is not understood: nothing but filter (where ...) may follow the call" -%}
        {%- elif read.groups | length == 2 and (read.words != [[0, words[0]], [1, 'filter']] or not modules.re.match('(?is)where\\s', read.groups[1] | join(', '))) -%}
            {%- set read.problem = "'" ~ words[1:] | join(' ') ~ "' is not understood: only filter (where ...) may follow the call" -%}
        {%- elif not modules.re.fullmatch('[a-z_][a-z0-9_]*', words[0]) -%}
            {%- set read.problem = "'" ~ words[0] ~ "' is not the name of a function" -%}
        {%- endif -%}
    {%- endif -%}
    {%- if read.problem -%}{{- return({'problem': read.problem}) -}}{%- endif -%}
    {%- set arguments = read.groups[0] if read.groups[0] != [''] else [] -%}
    {%- set filter = (read.groups[1] | join(', '))[5:] | trim if read.groups | length == 2 else none -%}
    {{- return({'fn': words[0], 'arguments': arguments, 'filter': filter}) -}}
{% endmacro %}
