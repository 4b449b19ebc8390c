{#
    Every aggregate of a model as a plan: a list of
    {'name', 'sql', 'columns', 'parts': [{'column', 'partial', 'merge', 'running'}], 'final'}, where `columns` are the arguments that are a
    column's name and nothing else, `running` is the merge with {over} after each aggregate call in it, `final` is SQL over the part columns, or
    none where the one part is the value and bears the output name. `order` is the list of columns that order rows in
    the same instant (arrival, then partition): it makes min_by and max_by the same however rows are cut into
    refreshes, the first row to arrive for min_by, the last for max_by.
    Problems are added to `problems`.
#}
{% macro _plan_aggregates(aggregates, order, problems) %}
    {%- set catalogue = event_windows._catalogue() -%}
    {%- set aliases = event_windows._aliases() -%}
    {%- set plan = [] -%}
    {%- for name, sql in aggregates.items() -%}
        {%- set call = event_windows._call(sql) -%}
        {%- set fn = aliases.get(call.fn, call.fn) -%}
        {%- set entry = catalogue.get(fn) -%}
        {%- if call.problem -%}
            {%- do problems.append("aggregate '" ~ name ~ "' is \"" ~ sql ~ '": ' ~ call.problem
                ~ '; write one call, fn(arguments) [filter (where condition)]') -%}
        {%- elif not entry -%}
            {%- do problems.append("aggregate '" ~ name ~ "' calls '" ~ call.fn ~ "', which is not known: allowed are "
                ~ (catalogue.keys() | sort | join(', '))) -%}
        {%- elif call.arguments and modules.re.match('(?i)distinct\\b', call.arguments[0]) -%}
            {%- do problems.append("aggregate '" ~ name ~ "' is \"" ~ sql ~ '": distinct cannot be merged from one refresh to the next'
                ~ '; use approx_count_distinct(' ~ call.arguments[0][8:] | trim ~ ')') -%}
        {%- elif call.arguments | length < entry.arguments[0] or call.arguments | length > entry.arguments[1] -%}
            {%- do problems.append("aggregate '" ~ name ~ "' is \"" ~ sql ~ '": ' ~ call.fn ~ ' takes ' ~ entry.arguments[0]
                ~ ' argument(s), ' ~ (call.arguments | length) ~ ' given') -%}
        {%- else -%}
            {%- do plan.append(event_windows._plan_aggregate(name, sql, call, entry, order)) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(plan) -}}
{% endmacro %}


{% macro _plan_aggregate(name, sql, call, entry, order) %}
    {%- set words = {'{all}': call.arguments | join(', ')} -%}
    {%- set filter = [] if call.filter is none else [call.filter] -%}
    {%- for argument in call.arguments -%}
        {%- do words.update({'{' ~ loop.index0 ~ '}': argument}) -%}
        {%- do words.update({'{order:' ~ loop.index0 ~ '}': argument if not order
            else 'struct(' ~ argument ~ ' as ordered_by, ' ~ event_windows._names(order) ~ ')'}) -%}
        {%- if order and ('{order:' ~ loop.index0 ~ '}') in (entry.parts | tojson) -%}
            {#- a struct is never null: leave rows without an ordering value out, as min_by and max_by do -#}
            {%- do filter.append('(' ~ argument ~ ') is not null') -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set named = [] -%}
    {%- for argument in call.arguments if modules.re.fullmatch('(?i)(?!(?:true|false|null|current_date|current_timestamp|current_user)$)[a-z_][a-z0-9_]*', argument) -%}
        {%- do named.append(argument) -%}
    {%- endfor -%}
    {%- set columns = {} -%}
    {%- for suffix in entry.parts -%}
        {%- do columns.update({suffix: event_windows._name('_ew_' ~ name ~ '_' ~ suffix if entry.final else name)}) -%}
    {%- endfor -%}
    {%- set parts = [] -%}
    {%- for suffix, templates in entry.parts.items() -%}
        {%- set partial = event_windows._fill(templates[0], words) -%}
        {%- set merge_words = {'{part}': columns[suffix]} -%}
        {%- for other, column in columns.items() %}{% do merge_words.update({'{' ~ other ~ '}': column}) %}{% endfor -%}
        {%- do parts.append({
            'column': columns[suffix],
            'partial': partial ~ (' filter (where ' ~ filter | join(' and ') ~ ')' if filter else ''),
            'merge': event_windows._fill(templates[1], merge_words) | replace('{over}', ''),
            'running': event_windows._fill(templates[1], merge_words)
        }) -%}
    {%- endfor -%}
    {%- set final_words = {} -%}
    {%- for suffix, column in columns.items() %}{% do final_words.update({'{' ~ suffix ~ '}': column}) %}{% endfor -%}
    {{- return({
        'name': name,
        'sql': sql,
        'columns': named,
        'parts': parts,
        'final': event_windows._fill(entry.final, final_words) if entry.final else none
    }) -}}
{% endmacro %}


{# A template with its words put in, all at once, so that what is put in is not read again. #}
{% macro _fill(template, words) %}
    {%- set filled = [] -%}
    {%- for piece in modules.re.split('(\\{[a-z0-9_:]+\\})', template) -%}
        {%- do filled.append(words.get(piece, piece)) -%}
    {%- endfor -%}
    {{- return(filled | join('')) -}}
{% endmacro %}
