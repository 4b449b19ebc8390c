{#
    Columns {name: type} of a table as it is now, over a version of it that had those of `then`: it need not have had
    all of them, and types may have been smaller. What has another type now, as a struct with other fields, stays what
    it was.
#}
{% macro _names_then(columns, then, alias) %}
    {%- set there = {} -%}
    {%- for name, type in then.items() %}{% do there.update({name | lower: type}) %}{% endfor -%}
    {%- set found = [] -%}
    {%- for name, type in columns.items() -%}
        {%- set before, column = there.get(name | lower), event_windows._names([name], alias) -%}
        {%- do found.append(column if before and not event_windows._is_widened(before, type)
            else 'cast(' ~ (column if before else 'null') ~ ' as ' ~ type ~ ') as ' ~ event_windows._name(name)) -%}
    {%- endfor -%}
    {{- return(found | join(', ')) -}}
{% endmacro %}


{# Whether a type was made a larger one in its place, as ALTER COLUMN does: its values are values of the larger one. #}
{% macro _is_widened(before, after) %}
    {%- set of_decimal = 'decimal[(](\\d+),(\\d+)[)]' -%}
    {%- set was, is_now = modules.re.fullmatch(of_decimal, before), modules.re.fullmatch(of_decimal, after) -%}
    {{- return([before, after] in [['int', 'bigint'], ['float', 'double']] or (
        was is not none and is_now is not none and was.group(2) == is_now.group(2)
        and was.group(1) | int < is_now.group(1) | int
    )) -}}
{% endmacro %}


{#
    The values of a row, columns {name: type}, as text that differs where a value does: any type can be compared then,
    and times are in full.
#}
{% macro _values_text(columns, alias=none) %}
    {%- set values = [] -%}
    {%- for name, type in columns.items() -%}
        {%- set column = event_windows._names([name], alias) -%}
        {%- set bytes = event_windows._bytes_beside_json(column, type) -%}
        {%- do values.append(column ~ (', ' ~ bytes ~ ' as _ew_bytes_' ~ loop.index if bytes else '')) -%}
    {%- endfor -%}
    {{- return('to_json(struct(' ~ values | join(', ') ~ '), ' ~ event_windows._json_options() ~ ')') -}}
{% endmacro %}


{# How JSON tells times to the microsecond, whatever the session's zone: in UTC, with the offset (XXX). #}
{% macro _json_options(others='') %}
    {{- return('map(' ~ others ~ "'timeZone', 'UTC', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', "
        ~ "'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS')") -}}
{% endmacro %}


{#
    Rows of a table as commits took them away and as they put them there, from what the hook moved_rows gives: what a
    commit took away and put there as it was is no change.
#}
{% macro _images(format, relation, columns, from_version, to_version, commits=none) %}
    {%- set moved = event_windows._of_format(
        format, 'moved_rows', relation, columns, from_version, to_version, commits
    ) -%}
    {{- return(event_windows._not_in_pairs(columns, moved, ['_ew_commit'])) -}}
{% endmacro %}


{# Rows with the columns {name: type} of a relation that a table has not, or not as often, and those of the table. #}
{% macro _unlike(columns, relation, table) %}
    {{- return(event_windows._not_in_pairs(columns,
        'select ' ~ event_windows._names(columns) ~ ', 1 as _ew_sign from ' ~ relation ~ '\nunion all\nselect '
            ~ event_windows._names_as(columns) ~ ', -1 as _ew_sign from ' ~ table
    )) -}}
{% endmacro %}


{# Columns {name: type} of a table, which need not keep a collation. #}
{% macro _names_as(columns, alias=none) %}
    {%- set found = [] -%}
    {%- for name, type in columns.items() -%}
        {%- set column = event_windows._names([name], alias) -%}
        {%- do found.append('cast(' ~ column ~ ' as ' ~ type ~ ') as ' ~ event_windows._name(name)
            if event_windows._type_within(type, ['string collate']) else column) -%}
    {%- endfor -%}
    {{- return(found | join(', ')) -}}
{% endmacro %}


{# Of rows with a sign, 1 or -1, those that there are not as often with either: within `groups`, names of columns. #}
{% macro _not_in_pairs(columns, signed, groups=[]) %}
{%- set compared = event_windows._compared(columns) -%}
{%- set selected = [] -%}
{%- for name in columns -%}
    {%- set column = event_windows._name(name) -%}
    {%- do selected.append(column if name in compared.exact else 'any_value(' ~ column ~ ') as ' ~ column) -%}
{%- endfor %}
select {{ selected | join(', ') }}
from (
    {{ signed | trim }}
) as moved
group by {{ (groups + compared['values']) | join(', ') }}
having sum(_ew_sign) <> 0
{% endmacro %}


{#
    The keys of such rows alone, of those that have a condition, alias `arrived`: `own` are the columns of the table,
    `key` what they are called. They are told by how many rows a key lost and got and by the sums of their hashes, 64
    bits each: that needs no row beside another, where a store rewrites millions around one that changed.
#}
{% macro _keys_of_images(format, relation, columns, key, own, from_version, to_version, commits, where) %}
{%- set named = [] -%}
{%- for name in key -%}
    {%- do named.append(event_windows._names([own[loop.index0]], 'arrived') ~ ' as ' ~ event_windows._name(name)) -%}
{%- endfor -%}
{%- set hashed = [] -%}
{%- for value in event_windows._compared(columns, 'arrived')['values'] -%}
    {#- a null leaves a hash as it is -#}
    {%- do hashed.extend([value, value ~ ' is null']) -%}
{%- endfor %}
select {{ event_windows._names(key) }}
from (
    select
        {{ named | join(', ') }},
        arrived._ew_commit,
        arrived._ew_sign,
        xxhash64({{ hashed | join(', ') }}) as _ew_hash
    from (
        {{ event_windows._of_format(
            format, 'moved_rows', relation, columns, from_version, to_version, commits
        ) | trim }}
    ) as arrived
    {{ where }}
) as hashed
group by _ew_commit, {{ event_windows._names(key) }}
having sum(_ew_sign) <> 0
    or sum(_ew_sign * (_ew_hash & 4294967295)) <> 0
    or sum(_ew_sign * shiftrightunsigned(_ew_hash, 32)) <> 0
{% endmacro %}


{#
    What rows are compared by: {'exact': columns that are it themselves, 'values': these, and text of all others}. To
    GROUP BY -0.0 is 0.0, and some collations take two texts for one; a map it does not take.
#}
{% macro _compared(columns, alias=none) %}
    {%- set exact, others = [], {} -%}
    {%- for name, type in columns.items() -%}
        {%- if modules.re.fullmatch(
            '(tiny|small|big)?int|boolean|date|timestamp(_ntz)?|string|binary|decimal[(].*[)]', type
        ) -%}
            {%- do exact.append(name) -%}
        {%- else -%}
            {%- do others.update({name: type}) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set values = [] -%}
    {%- for name in exact %}{% do values.append(event_windows._names([name], alias)) %}{% endfor -%}
    {%- if others %}{% do values.append(event_windows._values_text(others, alias)) %}{% endif -%}
    {{- return({'exact': exact, 'values': values}) -}}
{% endmacro %}
