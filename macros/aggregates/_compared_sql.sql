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
    {%- for token in tokens -%}
        {%- set before, after = words[-1] if words else '', loop.nextitem or '' -%}
        {%- set is_path = before == ':' and words[-2:-1] != [':'] -%}
        {%- set is_name = before in ('.', 'as') or is_path or (before in ('(', ',') and after in (',', ')')) -%}
        {%- set is_called = after == '(' and event_windows._is_word(token) and not token.startswith('`') -%}
        {%- do words.append(token | lower if not is_name and (is_called or token | lower in keywords) else token) -%}
    {%- endfor -%}
    {{- return(words) -}}
{% endmacro %}


{# Words of SQL, which are no names where they stand. #}
{% macro _keywords() %}
    {{- return((
        'select distinct from where and or not as on using join left right full inner outer cross semi anti lateral '
            ~ 'group by having order asc desc limit union all intersect except with case when then else end is in '
            ~ 'between like rlike exists null true false cast'
    ).split(' ')) -}}
{% endmacro %}
