{#
    What a table records, beside what the model says now: with whatever differs and needs no build taken over. Its
    differences from `now` are those that do.

    - the text of the relation, of aggregates, of a gap per row and of what is shown of windows: comments, layout, the
      case of keywords
    - aggregates that are gone, have another name or stand at another place, as long as each that is there is stored
    - the width of segments, which decides no content: the table keeps that of its build
    - retention, where no row asks what has left the state; leaving sooner, and expire='delete' where nothing left; of
      such windows that are final leaving later too, since what has left was closed, and published
    - a longer grace: only keys of rows that were late can have other windows, and these are made anew
    - the size of windows that are units of a calendar, which only says how long one may be

    Types of values are those under the name that an aggregate had; what a table does not record of them is not
    compared.
#}
{% macro _kept_of(recorded, now, spec) %}
    {%- set kept = dict(recorded, segment=now.segment, window=event_windows._kept_window(recorded, now)) -%}
    {%- if event_windows._is_same_relation(recorded.relation, now.relation, spec) -%}
        {%- do kept.update({'relation': now.relation}) -%}
    {%- endif -%}
    {%- if event_windows._compared_plain(recorded.plain) == event_windows._compared_plain(now.plain) -%}
        {%- do kept.update({'plain': now.plain}) -%}
    {%- endif -%}
    {%- set names = event_windows._stored_names(recorded.aggregates, now.aggregates) -%}
    {%- set aggregates, values = {}, dict(now.value_types) -%}
    {%- for name, identity in now.aggregates.items() if name in names or name in recorded.aggregates -%}
        {%- do aggregates.update({name: identity if name in names else recorded.aggregates[name]}) -%}
    {%- endfor -%}
    {%- for name, other in names.items() if other in recorded.get('value_types', {}) -%}
        {%- set types = recorded.value_types[other] -%}
        {%- do values.update({name: types + now.value_types[name][types | length:]}) -%}
    {%- endfor -%}
    {%- do kept.update({'aggregates': aggregates, 'value_types': values}) -%}
    {%- set asks = event_windows._trait('replays_stored', spec) -%}
    {%- if not asks %}{% do kept.update({'retention': now.retention}) %}{% endif -%}
    {%- if event_windows._leaves_no_later(recorded.leaves_after, now.leaves_after)
        or (now.emit == 'final' and not asks) -%}
        {%- do kept.update({'leaves_after': now.leaves_after, 'expire': now.expire}) -%}
    {%- endif -%}
    {%- if event_windows._is_longer_grace(recorded, now) and not event_windows._rebuild_problem(spec) -%}
        {%- do kept.update({'window': now.window}) -%}
    {%- endif -%}
    {{- return(kept) -}}
{% endmacro %}


{#
    The window of a table, less what says the same in another way: where windows are units of a calendar the size
    follows from these, and a gap per row is SQL.
#}
{% macro _kept_window(recorded, now) %}
    {%- set kept = dict(recorded.window) -%}
    {%- if 'unit' in kept and 'unit' in now.window %}{% do kept.update({'size': now.window.size}) %}{% endif -%}
    {%- if kept.gap_by and now.window.gap_by and event_windows._is_same_sql(kept.gap_by, now.window.gap_by) -%}
        {%- do kept.update({'gap_by': now.window.gap_by}) -%}
    {%- endif -%}
    {{- return(kept) -}}
{% endmacro %}


{# What is shown of windows that are published, as it is compared. #}
{% macro _compared_plain(plain) %}
    {%- if plain is not mapping %}{{- return(plain) -}}{% endif -%}
    {%- set columns = [] -%}
    {%- for name, sql in plain.columns %}{% do columns.append([name, event_windows._compared_sql(sql)]) %}{% endfor -%}
    {{- return([columns, event_windows._compared_sql(plain.having or '')]) -}}
{% endmacro %}


{# Whether windows differ in their grace alone, and rows that counted count now. #}
{% macro _is_longer_grace(recorded, now) %}
    {%- set before, after = event_windows._kept_window(recorded, now), now.window -%}
    {%- if before.grace is none or after.grace is none or after.grace <= before.grace -%}
        {{- return(false) -}}
    {%- endif -%}
    {{- return(tojson(dict(before, grace=after.grace), sort_keys=true) == tojson(after, sort_keys=true)) -}}
{% endmacro %}


{# Under which name the table stores each aggregate of the model: {name: stored name}, of those that it stores. #}
{% macro _stored_names(stored, aggregates) %}
    {%- set names = {} -%}
    {%- for name, identity in aggregates.items()
        if name in stored and event_windows._is_same_sql(stored[name], identity) -%}
        {%- do names.update({name: name}) -%}
    {%- endfor -%}
    {%- for name, identity in aggregates.items() if not event_windows._is_among(name, stored) -%}
        {%- for other in stored if name not in names and other not in names.values()
            and not event_windows._is_among(other, aggregates)
            and event_windows._is_same_sql(stored[other], identity) -%}
            {%- do names.update({name: other}) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{- return(names) -}}
{% endmacro %}


{# Whether whatever is to leave a table of windows by one setting is still in a table of the other. #}
{% macro _leaves_no_later(before, after) %}
    {{- return(before is none or (after is not none and after <= before)) -}}
{% endmacro %}


{#
    Whether two relations have the same rows. That below plain SQL lists the columns that the text needs: fewer of them,
    or in another order, are the same to what is left.
#}
{% macro _is_same_relation(before, after, spec) %}
    {%- if event_windows._is_same_sql(before, after) %}{{- return(true) -}}{% endif -%}
    {%- if spec.plain is none %}{{- return(false) -}}{% endif -%}
    {%- set one, other = event_windows._taken_apart(before), event_windows._taken_apart(after) -%}
    {{- return(one.around == other.around and not (other.columns | reject('in', one.columns) | list)) -}}
{% endmacro %}


{# {'around', 'columns'}: the columns that a SELECT in brackets lists, and the text before and after them. #}
{% macro _taken_apart(relation) %}
    {%- set read = namespace(depth=0, part=0) -%}
    {%- set parts = [[], [[]], []] -%}
    {%- for word in event_windows._compared_words(relation) -%}
        {%- if word == 'from' and read.depth == 1 and read.part == 1 %}{% set read.part = 2 %}{% endif -%}
        {%- if read.part == 1 and word == ',' and read.depth == 1 -%}
            {%- do parts[1].append([]) -%}
        {%- else -%}
            {%- do (parts[1][-1] if read.part == 1 else parts[read.part]).append(word) -%}
        {%- endif -%}
        {%- if word == 'select' and read.depth == 1 and read.part == 0 %}{% set read.part = 1 %}{% endif -%}
        {%- set read.depth = read.depth + (1 if word == '(' else -1 if word == ')' else 0) -%}
    {%- endfor -%}
    {%- set columns = [] -%}
    {%- for words in parts[1] %}{% do columns.append(words | join(' ')) %}{% endfor -%}
    {{- return({'around': parts[0] + parts[2], 'columns': columns}) -}}
{% endmacro %}
