{# One call, added to the plan of its aggregate; `number` tells the calls of an expression apart. #}
{% macro _plan_call(aggregate, call, entry, event_time, order, number) %}
    {%- set words = event_windows._call_words(call, entry, event_time, order) -%}
    {%- do aggregate.columns.extend(event_windows._columns_of_call(call, aggregate.given is mapping)) -%}
    {%- set names = {} -%}
    {%- set values = {} -%}
    {%- for suffix, texts in entry.parts.items() -%}
        {%- set hidden = entry.final or number -%}
        {%- do names.update({'{' ~ suffix ~ '}': event_windows._name(
            '_ew_' ~ aggregate.name ~ '_' ~ suffix ~ number if hidden else aggregate.name
        )}) -%}
        {%- do values.update({'{' ~ suffix ~ '}': event_windows._fill(texts[0], words)}) -%}
    {%- endfor -%}
    {%- set guarded = dict(words, **{'{filter}': words['{guarded}']}) -%}
    {%- for suffix, texts in entry.parts.items() -%}
        {%- set column = names['{' ~ suffix ~ '}'] -%}
        {%- set merge_words = dict(words, **names) -%}
        {%- do merge_words.update({'{part}': column, '{over}': '{over}'}) -%}
        {%- set running = event_windows._fill(texts[1], merge_words) -%}
        {%- do aggregate.parts.append({
            'column': column,
            'partial': event_windows._fill(texts[0], words),
            'guarded': event_windows._fill(texts[0], guarded),
            'plain': event_windows._fill(texts[2], words) if texts | length > 2 else none,
            'plain_guarded': event_windows._fill(texts[2], guarded) if texts | length > 2 else none,
            'type': (entry.types or {}).get(suffix),
            'merge': running | replace('{over}', ''),
            'running': running
        }) -%}
    {%- endfor -%}
    {%- set holistic = none -%}
    {%- if entry.holistic -%}
        {%- do names.update({'{holistic}': event_windows._name('_ew_' ~ aggregate.name ~ '_holistic' ~ number)}) -%}
        {%- set holistic = event_windows._holistic_call(call, names['{holistic}'], names['{values}']) -%}
    {%- endif -%}
    {%- set final = event_windows._sorted(entry.final, call) if entry.final else names.values() | first -%}
    {%- do aggregate.calls.append({
        'sql': call.sql,
        'value': event_windows._fill(entry.final, dict(words, **values)) if entry.fn else call.sql,
        'final': final,
        'decimal': entry.decimal or final,
        'words': dict(words, **names),
        'alone': not entry.final,
        'instead': (entry.instead or {}).values() | map(attribute='of_type') | list,
        'argument': event_windows._asked_argument(call, entry, words),
        'tells_no_type': event_windows._tells_no_type(entry),
        'within_expressions': event_windows._paths_within(call, entry),
        'holistic': holistic
    }) -%}
{% endmacro %}


{#
    What Spark is asked for the type of: of a call to which other entries may apply, and where what is kept does not
    tell what went in.
#}
{% macro _asked_argument(call, entry, words) %}
    {%- if entry.fn %}{{- return(words['{fields}']) -}}{% endif -%}
    {{- return((call.within.by if call.within else call.arguments[0])
        if entry.instead or event_windows._tells_no_type(entry) else none) -}}
{% endmacro %}


{# A sketch has hashes, which differ by type; a state in Python is whatever the function makes. #}
{% macro _tells_no_type(entry) %}
    {{- return('sketch' in entry.parts or entry.fn is defined) -}}
{% endmacro %}


{#
    What a call may name within expressions, [[column, path]] in lower case, such as a field of it: the type of a column
    alone is that of what is kept, but not where it goes through a function, as a cast to text, or where the catalogue
    casts it.
#}
{% macro _paths_within(call, entry) %}
    {%- set name = '(?:\\w+|`(?:[^`]|``)*`)' -%}
    {%- set path = name ~ '(?:[.]' ~ name ~ ')*' -%}
    {%- set is_cast = 'as string)' in tojson(entry.parts) -%}
    {%- set paths = [] -%}
    {%- for text in call.arguments + [call.within.by if call.within else none, call.filter]
        if text and (is_cast or not modules.re.fullmatch(path, text)) -%}
        {%- set words, last = [], namespace(word='') -%}
        {%- for token in event_windows._tokens(text) -%}
            {%- set word = token | lower -%}
            {#- a column may have the name of a type, or of a word of the language -#}
            {%- set is_none = last.word == 'as' or word in [
                'as', 'and', 'or', 'not', 'is', 'null', 'true', 'false', 'in', 'between', 'like', 'case', 'when',
                'then', 'else', 'end'
            ] -%}
            {%- do words.append("''" if modules.re.match('[rRxX]?[\'"]', token) else ',' if is_none and token | trim
                else word) -%}
            {%- if token | trim %}{% set last.word = word %}{% endif -%}
        {%- endfor -%}
        {%- set variables = event_windows._lambda_names(words) -%}
        {%- for found in modules.re.findall('(?<![\\w.:`])' ~ path ~ '(?![\\w`]|\\s*[.(]|\\s*\'\')', words | join) -%}
            {%- set first = modules.re.match(name, found).group() -%}
            {%- set column = modules.re.sub('^`|`$', '', first) | replace('``', '`') -%}
            {%- do paths.append((column, first if first in variables else found)) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{- return(paths | unique | list) -}}
{% endmacro %}


{#
    The columns that a call names, without backticks: the arguments that are a column's name and nothing else; in a
    call that is text also those within expressions, which the planner of plain SQL has looked up already.
#}
{% macro _columns_of_call(call, is_planned) %}
    {%- set columns = [] -%}
    {%- for column in call.columns if column in call.arguments and not column.startswith('`')
        and column | lower not in event_windows._words_without_brackets() -%}
        {%- do columns.append(column) -%}
    {%- endfor -%}
    {%- if not is_planned -%}
        {%- for text in call.arguments + [call.within.by if call.within else none, call.filter] if text -%}
            {%- do columns.extend(event_windows._named_columns(text)) -%}
        {%- endfor -%}
    {%- endif -%}
    {{- return(columns | unique | list) -}}
{% endmacro %}


{# Values in the order that WITHIN GROUP asks for. #}
{% macro _sorted(final, call) %}
    {{- return(final | replace(
        '{sorted}', 'reverse({values})' if call.within and call.within.descending else '{values}'
    )) -}}
{% endmacro %}
