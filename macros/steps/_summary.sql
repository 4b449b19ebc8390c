{#
    One row about the slices, the clocks that they move, and whether a row could be late: a scope's oldest row is older
    than its newest, or its clock before, less the margin. That is a few numbers a scope, and enough for a refresh. Over
    all of history it would hold for nearly every scope, so that a build asks for its late keys.
#}
{% macro _summary(spec, slices, clocks, advance_to) %}
{%- set scope = event_windows._clock_scope(spec) -%}
{%- set all = event_windows._names_before(scope) -%}
{%- set margin = event_windows._late_margin(spec) -%}
{%- set arrivals = spec.arrival is not none -%}
{%- set without_key = event_windows._without_key_of(spec, none) -%}
{%- set newest = 'greatest(_ew_newest, _ew_before)' if arrivals else '_ew_before' -%}
{%- set is_late = 'false' if margin is none
    else ('_ew_oldest ' ~ ('is not null' if margin == 'always' else '< ' ~ newest ~ ' - ' ~ margin)) -%}
{%- set asked = clocks is none and arrivals %}
with
{% if asked %}
{{ event_windows._late_keys_of(spec, slices) | trim }},
{% endif %}
scopes as (
    select
        {{ all }}max(_ew_before) as _ew_before, max(_ew_last) as _ew_newest, min(_ew_first) as _ew_oldest,
        sum(_ew_rows) as _ew_rows, sum(_ew_uncountable) as _ew_uncountable,
        sum(_ew_without_key) as _ew_without_key, sum(_ew_unordered) as _ew_unordered,
        min(_ew_arrival_from) as _ew_arrival_from, max(_ew_arrival_to) as _ew_arrival_to,
        bit_xor(_ew_digest) as _ew_digest
    from (
        select
            {{ all }}cast(null as bigint) as _ew_before, _ew_first, _ew_last, _ew_rows,
            if(_ew_first is null, _ew_rows, 0) as _ew_uncountable,
            if(_ew_first is null and {{ without_key }}, _ew_rows, 0) as _ew_without_key,
            {{ '_ew_unordered' if arrivals else '0' }} as _ew_unordered,
            {{ 'cast(_ew_arrival_from as bigint)' if arrivals else 'cast(null as bigint)' }} as _ew_arrival_from,
            {{ 'cast(_ew_arrival_to as bigint)' if arrivals else 'cast(null as bigint)' }} as _ew_arrival_to,
            {{ event_windows._digest_of_slice(spec) }} as _ew_digest
        from {{ slices }}
        {%- if clocks is not none %}
        union all
        select
            {{ event_windows._names_before(scope, 'known') }}known._ew_clock,
            null, null, null, null, null, null, null, null, null
        {{ event_windows._from_clocks_before(
            spec, clocks, slices if advance_to is none else none
        ) | trim }}
        {%- endif %}
    ) as slices_and_clocks
    {{- '\n    group by ' ~ event_windows._names(scope) if scope }}
)

select
    coalesce(sum(_ew_rows), 0) as read_rows, coalesce(sum(_ew_uncountable), 0) as read_uncountable,
    coalesce(sum(_ew_without_key), 0) as read_without_key, coalesce(sum(_ew_unordered), 0) as read_unordered,
    min(_ew_oldest) as read_first, max(_ew_newest) as read_latest,
    min(_ew_arrival_from) as read_arrival_from, max(_ew_arrival_to) as read_arrival_to,
    bit_xor(_ew_digest) as read_digest,
    {%- set after = 'greatest(_ew_newest, _ew_before' ~ (', ' ~ advance_to if advance_to is not none) ~ ')' %}
    count_if({{ after }} > _ew_before or (_ew_before is null and _ew_newest is not null)) as read_moved,
    count_if(_ew_before is null and _ew_newest is not null) as new_scopes,
    max(if(_ew_before is null and _ew_newest is null, null, {{ after }})) as clock,
    {{
        '(select count(*) from keys_of_late_rows)' if asked and margin is not none
        else ('0' if clocks is none else 'count_if(' ~ is_late ~ ')')
    }} as late_scopes,
    {{
        '(select ' ~ event_windows._classes_as_list(event_windows._key_class(spec)) ~ ' from late_keys)' if asked
        else event_windows._late_classes(spec, slices, is_late) if arrivals
        else 'cast(null as string)'
    }} as classes
from scopes
{% endmacro %}


{#
    A number by which a slice differs from those of other rows: whose it is, the time and the number of each, and how
    many they are, in whatever order and partitions they were read. A null leaves a hash as it is.
#}
{% macro _digest_of_slice(spec) %}
    {%- set values = [] -%}
    {%- for column in event_windows._slice_scope(spec) -%}
        {%- set name = event_windows._name(column) -%}
        {%- do values.extend([name, name ~ ' is null']) -%}
    {%- endfor -%}
    {%- do values.extend(['_ew_first', '_ew_last', '_ew_until', '_ew_rows']) -%}
    {%- if spec.arrival -%}
        {%- do values.append('_ew_of_rows') -%}
    {%- endif -%}
    {{- return('xxhash64(' ~ values | join(', ') ~ ')') -}}
{% endmacro %}


{#
    The classes of keys with a row that could be late or that no window can count, as text, where they are not too many.
    A clock of a key says so of the key; of a clock that many share the slices are asked.
#}
{% macro _late_classes(spec, slices, is_late) %}
    {%- if spec.clock == 'key' -%}
        {{- return(event_windows._classes_as_list(
            'if(' ~ is_late ~ ' or (_ew_uncountable > _ew_without_key), ' ~ event_windows._key_class(spec) ~ ', null)'
        )) -}}
    {%- endif -%}
    {%- set clock = event_windows._clock_scope(spec) -%}
    {%- set of_slice = is_late | replace('_ew_oldest', 'slices._ew_first') ~ ' or (slices._ew_first is null and not '
        ~ event_windows._without_key_of(spec, 'slices') ~ ')' -%}
    {{- return(
        '(select ' ~ event_windows._classes_as_list(event_windows._key_class(spec, 'slices')) ~ ' from '
            ~ slices ~ ' as slices inner join scopes on '
            ~ event_windows._equal(clock, 'slices', 'scopes', null_safe=true) ~ ' where ' ~ of_slice ~ ')'
    ) -}}
{% endmacro %}


{# Whether a row has no key, which no window can count then. #}
{% macro _without_key_of(spec, alias) %}
    {%- set absent = [] -%}
    {%- for column in spec.key %}{% do absent.append(event_windows._names([column], alias) ~ ' is null') %}{% endfor -%}
    {{- return('(' ~ absent | join(' or ') ~ ')' if absent and not spec.null_keys else 'false') -}}
{% endmacro %}
