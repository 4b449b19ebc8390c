{#
    The condition of the var event_windows__rebuild, as SQL that ends where it ends: {'sql'}, or {'problem'}; none where
    the var is not given. It is one condition over key columns. What it names otherwise is told apart before Spark is
    asked for its type, where that can be: what stands in a query of its own is Spark's to check.
#}
{% macro _rebuild_condition(spec) %}
    {%- set given = event_windows._var('rebuild') -%}
    {%- if given is none %}{{- return(none) -}}{% endif -%}
    {%- set read = event_windows._one_expression(given) -%}
    {%- set tokens = event_windows._tokens(read.text) | map('trim') | select | list -%}
    {%- set asks = 'select' in tokens | map('lower') -%}
    {%- set why = read.problem or ('it is empty' if not tokens)
        or event_windows._no_condition_over_rows(tokens)
        or (event_windows._names_no_key(spec, tokens) if not asks)
        or (event_windows._is_not_boolean(spec, read.text) if not asks) -%}
    {%- if why -%}
        {{- return({'problem': 'the var event_windows__rebuild is ' ~ tojson(given | string) ~ ', and ' ~ why
            ~ ': give a condition over the key columns ' ~ event_windows._known_key(spec) | join(', ')
            ~ ', such as ' ~ tojson((event_windows._known_key(spec) or ['true'])[0] ~ ' is not null')}) -}}
    {%- endif -%}
    {{- return({'sql': read.text}) -}}
{% endmacro %}


{# What looks at several rows, makes several of one, or says something else each time. #}
{% macro _no_condition_over_rows(tokens) %}
    {%- set asks = 'select' in tokens | map('lower') -%}
    {%- set aggregates = event_windows._catalogue().keys() | list + event_windows._aliases().keys() | list
        + event_windows._holistic_functions() -%}
    {%- set several = ['explode', 'explode_outer', 'posexplode', 'posexplode_outer', 'inline', 'inline_outer',
        'stack'] -%}
    {%- set random = ['rand', 'randn', 'random', 'randstr', 'uniform', 'uuid', 'shuffle'] -%}
    {%- for token in tokens -%}
        {#- `like any ('a%', 'b%')` is no call -#}
        {%- set is_call = not (tokens[:loop.index0][-1:] | join | lower).endswith('like') -%}
        {%- set name = token | lower if is_call and tokens[loop.index:][:1] == ['('] else none -%}
        {%- if name == 'over' -%}
            {{- return('OVER looks at other rows') -}}
        {%- elif name in aggregates and not asks -%}
            {{- return(token ~ '(...) is an aggregate, over many rows') -}}
        {%- elif name in several -%}
            {{- return(token ~ '(...) makes several rows of one') -}}
        {%- elif name in random -%}
            {{- return(token ~ '(...) has another value each time') -}}
        {%- endif -%}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}


{#
    A name that is surely no key column: another column of the source or of the windows, one before a dot, or one beside
    a comparison. Other words may be Spark's own, or variables of `x -> ...`.
#}
{% macro _names_no_key(spec, tokens) %}
    {%- set key = spec.key | map('lower') | list -%}
    {%- set outputs = spec.aggregates | map(attribute='name') | list + ['window_start', 'window_end'] -%}
    {%- set columns = (spec.columns.keys() | list + outputs) | map('lower') | list -%}
    {%- set own = ['null', 'true', 'false', 'end', 'not', 'and', 'or', 'in', 'is', 'like', 'between', 'case', 'when',
        'then', 'else', 'current_date', 'current_timestamp', 'current_user'] -%}
    {%- for token in tokens if '->' not in tokens | join -%}
        {%- set name = modules.re.sub('^`|`$', '', token) | lower -%}
        {%- set before, after = tokens[:loop.index0][-1:] | join, tokens[loop.index:][:1] | join | lower -%}
        {#- date '2024-01-01', interval 1 day, a field, a call -#}
        {%- set other = modules.re.match('[\'"\\d.]', before) or modules.re.match('[\'"(\\d]', after) -%}
        {%- set compared = modules.re.match('[=<>!]', before)
            or modules.re.match('[=<>!]|in$|is$|like$|between$', after) -%}
        {%- if event_windows._is_word(token) and name not in key and not other
            and (after == '.' or name in columns or (compared and name not in own)) -%}
            {{- return("'" ~ name ~ "' is no key column" ~ (': write the column alone' if after == '.' else '')) -}}
        {%- endif -%}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}


{# Of a relation that may not be there, as one is recorded, Spark is not asked. #}
{% macro _is_not_boolean(spec, text) %}
    {%- if spec.recorded %}{{- return(none) -}}{% endif -%}
    {%- set keys = 'select ' ~ event_windows._names(spec.key) ~ ' from ' ~ spec.relation ~ ' as source' -%}
    {%- set type = event_windows._described('select (' ~ text ~ '\n) as given from (' ~ keys ~ ') as known')[0][1] -%}
    {{- return(none if type == 'boolean' else 'that is no condition, but ' ~ type) -}}
{% endmacro %}
