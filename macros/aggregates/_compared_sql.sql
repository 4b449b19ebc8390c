{#
    SQL text as it is compared with another: comments and layout mean nothing, and neither does the case of keywords and
    of names of functions. That of other words may: a field of a struct or of a VARIANT, or the key of a map, is called
    as it is written.
#}
{% macro _compared_sql(text) %}
    {{- return(event_windows._compared_words(text) | join(' ')) -}}
{% endmacro %}


{% macro _is_same_sql(one, other) %}
    {{- return(one == other or event_windows._compared_sql(one) == event_windows._compared_sql(other)) -}}
{% endmacro %}


{# The same as a list of words. #}
{% macro _compared_words(text) %}
    {%- set tokens = [] -%}
    {%- for token in event_windows._tokens(text) if token | trim %}{% do tokens.append(token) %}{% endfor -%}
    {%- set keywords = event_windows._keywords() -%}
    {%- set words = [] -%}
    {#- brackets that are open, <> of types among them, and what of each says where names stand in it -#}
    {%- set levels = [{'in': '', 'cases': 0, 'sorts': false}] -%}
    {%- for token in tokens -%}
        {%- set before, after = words[-1] if words else '', loop.nextitem or '' -%}
        {%- set level, word = levels[-1], token | lower -%}
        {%- set is_path = before == ':' and words[-2:-1] != [':'] -%}
        {%- set is_typed = tokens[loop.index0 + 1:loop.index0 + 3] == [':', ':'] -%}
        {%- set is_field = (after == ':' and not is_typed) or (level['in'] == 'struct' and before in ('<', ',')) -%}
        {%- set is_name = before in ('.', 'as') or is_path or is_field
            or (before in ('(', ',') and after in (',', ')'))
            or (word in keywords and event_windows._is_last_name(word, before, after, level)) -%}
        {%- set is_called = after == '(' and event_windows._is_word(token) and not token.startswith('`') -%}
        {%- do words.append(word if not is_name and (is_called or word in keywords) else token) -%}
        {%- if token == '(' or (token == '<' and before | lower in ('struct', 'array', 'map')) -%}
            {%- do levels.append({'in': '(' if token == '(' else before | lower, 'cases': 0, 'sorts': false}) -%}
        {%- elif token in (')', '>') and level['in'] -%}
            {#- a column may be called map, and be less than another -#}
            {%- if token == ')' and level['in'] != '(' %}{% do levels.pop() %}{% endif -%}
            {%- if levels[1:] and (token == ')' or level['in'] != '(') %}{% do levels.pop() %}{% endif -%}
        {%- elif not is_name -%}
            {%- do level.update({
                'cases': level.cases + {'case': 1, 'end': -1}.get(word, 0),
                'sorts': word == 'by' or (level.sorts and word != 'select')
            }) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(words) -}}
{% endmacro %}


{#
    Whether a keyword that ends an item is a name: a column, or an alias without AS. A field of a struct, and a column,
    is called as it is written. Few keywords end an item: END of a CASE, ASC and DESC of a sort, and what stands in the
    place of a value, as NULL, or behind another keyword, as in IS DISTINCT FROM.
#}
{% macro _is_last_name(word, before, after, level) %}
    {%- if after | lower not in (',', ')', 'from', '') %}{{- return(false) -}}{% endif -%}
    {%- if word == 'end' %}{{- return(level.cases == 0) -}}{% endif -%}
    {%- if word in ('asc', 'desc') %}{{- return(not level.sorts) -}}{% endif -%}
    {{- return(word not in ('null', 'true', 'false', 'all', 'distinct') or (
        modules.re.search('[\\w)\\]`\'"]$', before) is not none and before not in event_windows._keywords()
    )) -}}
{% endmacro %}


{# Words of SQL, which are no names where they stand. #}
{% macro _keywords() %}
    {{- return((
        'select distinct from where and or not as on using join left right full inner outer cross semi anti lateral '
            ~ 'group by having order asc desc limit union all intersect except with case when then else end is in '
            ~ 'between like rlike exists null true false cast'
    ).split(' ')) -}}
{% endmacro %}
