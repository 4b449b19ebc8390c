{# One call, added to the plan of its aggregate; `number` tells the calls of an expression apart. #}
{% macro _plan_call(aggregate, call, entry, event_time, order, number) %}
    {%- set words = event_windows._call_words(call, entry, event_time, order) -%}
    {%- for argument in call.arguments
        if modules.re.fullmatch('[^\\W\\d]\\w*', argument) and event_windows._first_column(argument) -%}
        {%- do aggregate.columns.append(argument) -%}
    {%- endfor -%}
    {%- set names = {} -%}
    {%- set values = {} -%}
    {%- for suffix, texts in entry.parts.items() -%}
        {%- set hidden = entry.final or number -%}
        {%- do names.update({'{' ~ suffix ~ '}': event_windows._name(
            '_ew_' ~ aggregate.name ~ '_' ~ suffix ~ number if hidden else aggregate.name
        )}) -%}
        {%- do values.update({'{' ~ suffix ~ '}': event_windows._fill(texts[0], words)}) -%}
    {%- endfor -%}
    {%- for suffix, texts in entry.parts.items() -%}
        {%- set column = names['{' ~ suffix ~ '}'] -%}
        {%- set merge_words = dict(words, **names) -%}
        {%- do merge_words.update({'{part}': column, '{over}': '{over}'}) -%}
        {%- set running = event_windows._fill(texts[1], merge_words) -%}
        {%- do aggregate.parts.append({
            'column': column,
            'partial': event_windows._fill(texts[0], words),
            'plain': event_windows._fill(texts[2], words) if texts | length > 2 else none,
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
        'value': event_windows._fill(entry.final, dict(words, **values)) if entry.fn else call.sql,
        'final': event_windows._fill(final, dict(words, **names)),
        'decimal': event_windows._fill(entry.decimal or final, dict(words, **names)),
        'alone': not entry.final,
        'wide': entry.wide is defined,
        'holistic': holistic
    }) -%}
{% endmacro %}


{# What the words of the catalogue mean in one call. #}
{% macro _call_words(call, entry, event_time, order) %}
    {%- set arrived = {} -%}
    {%- for column in order -%}
        {%- do arrived.update({['arrival', 'partition'][loop.index0]: event_windows._name(column)}) -%}
    {%- endfor -%}
    {%- set time = event_windows._name(event_time) -%}
    {%- set when = event_windows._named_struct(dict({'time': time}, **arrived)) if order else time -%}
    {%- set points = call.arguments[-1:] | join -%}
    {%- set several = modules.re.match('(?i)array\\s*\\(', points) -%}
    {%- set words = {
        '{all}': call.arguments | join(', '), '{when}': when, '{within}': call.within.by if call.within else '',
        '{place}': event_windows._named_struct({'ordered_by': call.within.by, 'time': when}) if call.within else when,
        '{points}': points if several else 'array(' ~ points ~ ')', '{point}': '' if several else '[0]'
    } -%}
    {%- set present = [] -%}
    {%- set fields, varying = {}, {} -%}
    {%- set filter = [call.filter] if call.filter else [] -%}
    {%- for argument in call.arguments -%}
        {%- set place = loop.index0 | string -%}
        {%- do present.append('(' ~ argument ~ ') is not null') -%}
        {%- do fields.update({'a' ~ place: argument}) -%}
        {%- if entry.holistic and event_windows._first_column(argument) -%}
            {%- do varying.update({'a' ~ place: argument}) -%}
        {%- endif -%}
        {%- do words.update({
            '{' ~ place ~ '}': argument,
            '{order:' ~ place ~ '}': event_windows._named_struct(dict({'ordered_by': argument}, **arrived)) if order
                else argument
        }) -%}
        {%- if order and ('{order:' ~ place ~ '}') in tojson(entry.parts) -%}
            {#- a struct is never null: leave rows without an ordering value out, as min_by and max_by do -#}
            {%- do filter.append(present[-1]) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- for place, text in (entry.defaults or {}).items() if place >= call.arguments | length -%}
        {%- do words.update({'{' ~ place ~ '}': text}) -%}
    {%- endfor -%}
    {%- if call.nulls == 'ignore'
        or ('nulls' in (entry.clauses or []) and call.arguments[1:] | join | lower == 'true') -%}
        {%- do filter.append(present[0]) -%}
    {%- endif -%}
    {%- set row = event_windows._named_struct(fields) -%}
    {%- do words.update({
        '{kept}': event_windows._named_struct(dict({'at': when}, **varying)), '{fields}': row,
        '{row}': row if fields | length > 1 else call.arguments | join, '{present}': present | join(' and ')
    }) -%}
    {%- if entry.only %}{% do filter.append(event_windows._fill(entry.only, words)) %}{% endif -%}
    {%- do words.update({'{filter}': ' filter (where ' ~ filter | join(' and ') ~ ')' if filter else ''}) -%}
    {{- return(words) -}}
{% endmacro %}


{# Values in the order that WITHIN GROUP asks for. #}
{% macro _sorted(final, call) %}
    {{- return(final | replace(
        '{sorted}', 'reverse({values})' if call.within and call.within.descending else '{values}'
    )) -}}
{% endmacro %}


{#
    The value over the part columns: calls with their types, where these are known, in the SQL
    around them. None where the one part is the value.
#}
{% macro _final(aggregate) %}
    {%- if aggregate.pieces == [0] -%}
        {%- set call = aggregate.calls[0] if aggregate.calls else {'alone': true} -%}
        {{- return(none if call.alone else event_windows._of_known_type(call)) -}}
    {%- endif -%}
    {{- return(event_windows._around(aggregate, 'final')) -}}
{% endmacro %}


{# The SQL around calls, with the value of each over plain rows, or its final over the parts. #}
{% macro _around(aggregate, what) %}
    {%- set texts = [] -%}
    {%- for piece in aggregate.pieces -%}
        {%- if piece is string -%}
            {%- do texts.append(piece) -%}
        {%- elif piece < aggregate.calls | length -%}
            {%- set call = aggregate.calls[piece] -%}
            {%- do texts.append(call.value if what == 'value'
                else event_windows._typed('(' ~ event_windows._of_known_type(call) ~ ')', call.type)) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(texts | join) -}}
{% endmacro %}


{# A final in which the type of the value stands. Before Spark was asked for it, any type makes SQL that can be read. #}
{% macro _of_known_type(call) %}
    {{- return(call.final | replace('{type}', call.type or 'double')) -}}
{% endmacro %}


{# What is about to run, and needs the type of a value, from a relation that cannot be described. #}
{% macro _check_types_are_known(spec, problems) %}
    {%- if not spec.columns and not problems and event_windows._is_running()
        and config.get('materialized') != 'windowed' -%}
        {%- for aggregate in spec.aggregates if '{type}' in aggregate.calls | map(attribute='final') | join -%}
            {%- do problems.append("aggregate '" ~ aggregate.name ~ "' is \"" ~ aggregate.sql ~ '": its type must be '
                ~ 'known, and the relation is an ephemeral model, which cannot be asked for it: materialize that as a '
                ~ 'table or a view') -%}
        {%- endfor -%}
    {%- endif -%}
{% endmacro %}


{# A template with its words put in, all at once, so that what is put in is not read again. #}
{% macro _fill(template, words) %}
    {%- set filled = [] -%}
    {%- for piece in modules.re.split('(\\{[a-z0-9_:]+\\})', template) -%}
        {%- do filled.append(words.get(piece, piece)) -%}
    {%- endfor -%}
    {{- return(filled | join('')) -}}
{% endmacro %}
