{# What the words of the catalogue mean in one call. #}
{% macro _call_words(call, entry, event_time, order) %}
    {%- set arrived = {} -%}
    {%- for column in order -%}
        {%- do arrived.update({['arrival', 'partition'][loop.index0]: event_windows._name(column)}) -%}
    {%- endfor -%}
    {%- set time = event_windows._name(event_time) -%}
    {%- set when = event_windows._named_struct(dict({'time': time}, **arrived)) if order else time -%}
    {%- set points = event_windows._percentages(call) -%}
    {%- set words = {
        '{all}': call.arguments | join(', '), '{when}': when, '{within}': {'given': call.within.by or ''},
        '{by}': {'given': call.within.by if call.within else call.arguments[:1] | join},
        '{place}': event_windows._named_struct({'ordered_by': call.within.by, 'time': when}) if call.within else when,
        '{points}': points.sql if points.are_several else 'array(' ~ points.sql ~ ')',
        '{point}': '' if points.are_several else '[0]'
    } -%}
    {%- set present = [] -%}
    {%- set fields, varying = {}, {} -%}
    {%- set conditions = [call.filter] if call.filter else [] -%}
    {%- for argument in call.arguments -%}
        {%- set place = loop.index0 | string -%}
        {%- do present.append('(' ~ argument ~ ') is not null') -%}
        {%- do fields.update({'a' ~ place: argument}) -%}
        {%- if call.columns[loop.index0] -%}{%- do varying.update({'a' ~ place: argument}) -%}{%- endif -%}
        {%- do words.update({
            '{' ~ place ~ '}': {'given': argument},
            '{order:' ~ place ~ '}': event_windows._named_struct(dict({'ordered_by': argument}, **arrived)) if order
                else {'given': argument}
        }) -%}
        {%- if order and ('{order:' ~ place ~ '}') in tojson(entry.parts) -%}
            {#- a struct is never null: leave rows without an ordering value out, as min_by and max_by do -#}
            {%- do conditions.append(present[-1]) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- for place, text in (entry.defaults or {}).items() if place >= call.arguments | length -%}
        {%- do words.update({'{' ~ place ~ '}': text}) -%}
    {%- endfor -%}
    {%- if call.nulls == 'ignore'
        or ('nulls' in (entry.clauses or []) and call.arguments[1:] | join | lower == 'true') -%}
        {%- do conditions.append(present[0]) -%}
    {%- endif -%}
    {%- if call.within %}{% do varying.update({'within': call.within.by}) %}{% endif -%}
    {%- set row = event_windows._named_struct(fields) -%}
    {%- do words.update({
        '{kept}': event_windows._named_struct(dict({'at': when}, **varying)),
        '{kept_once}': event_windows._named_struct(dict({'at': 'true'}, **varying)), '{fields}': row,
        '{row}': row if fields | length > 1 else {'given': call.arguments | join}, '{present}': present | join(' and ')
    }) -%}
    {%- if entry.only %}{% do conditions.append(event_windows._fill(entry.only, words)) %}{% endif -%}
    {%- do words.update({
        '{filter}': event_windows._filter(call.filter, conditions),
        '{guarded}': event_windows._filter(call.filter, conditions, ['_ew_time is not null'])
    }) -%}
    {{- return(words) -}}
{% endmacro %}


{#
    The percentages of a call, {'sql', 'are_several', 'are_clear'}: whether they are an array is clear where they are
    written as one, or without any function that could give one.
#}
{% macro _percentages(call) %}
    {%- set sql = call.arguments[:2][-1:] | join -%}
    {%- set several = modules.re.fullmatch('(?is)array\\s*\\([^()]*\\)', sql) is not none -%}
    {%- set calls = modules.re.search('(?i)\\b(?!cast\\b|decimal\\b)[a-z_]\\w*\\s*\\(', sql) is not none -%}
    {{- return({'sql': sql, 'are_several': several, 'are_clear': several or not calls}) -}}
{% endmacro %}


{# FILTER with the user's condition, which may hold an OR, those that the catalogue adds, and some `before` them all. #}
{% macro _filter(given, conditions, before=[]) %}
    {%- if given and (before + conditions) | length > 1 -%}
        {%- set conditions = [event_windows._operand(given)] + conditions[1:] -%}
    {%- endif -%}
    {%- set conditions = before + conditions -%}
    {{- return(' filter (where ' ~ conditions | join(' and ') ~ ')' if conditions else '') -}}
{% endmacro %}
