{#
    Sliding windows of which nothing is kept but numbers that are added up, or the least or greatest of them: the
    registered function merges them with the windows that it makes, so that no window has to be joined to what is in it.
#}

{#
    How the function takes each part of a model: [{'part', 'kind', 'merge', 'number', 'value'}], the part as a number
    and back. None where a part is anything else, where its type is not known, and in a view, which cannot call the
    function.
#}
{% macro _sliding_numbers(spec) %}
    {%- if event_windows._is_view() %}{{ return(none) }}{% endif -%}
    {%- set number = ['integers', 'cast({part} as bigint)', 'cast({number} as {type})'] -%}
    {%- set kinds = dict.fromkeys(['bigint', 'int', 'smallint', 'tinyint'], number) -%}
    {%- do kinds.update(dict.fromkeys(
        ['double', 'float'], ['doubles', 'cast({part} as double)', 'cast({number} as {type})']
    )) -%}
    {%- do kinds.update({
        'timestamp': ['integers', 'unix_micros({part})', 'timestamp_micros({number})'],
        'date': ['integers', 'cast(unix_date({part}) as bigint)', 'date_from_unix_date(cast({number} as int))']
    }) -%}
    {%- set numbers = [] -%}
    {%- for part in event_windows._parts(spec) -%}
        {#- as the catalogue writes them: sum, min or max, nulls as zero, a sum that is null if it did not fit -#}
        {%- set merge = modules.re.fullmatch(
            '(?:coalesce\\(|case when .* then )?(sum|min|max)\\(' ~ modules.re.escape(part.column)
                ~ '\\)\\{over\\}(?:, 0\\)| end)?',
            part.running
        ) -%}
        {%- if not merge or part.type not in kinds %}{{ return(none) }}{% endif -%}
        {%- set kind, to_number, to_value = kinds[part.type] -%}
        {%- do numbers.append({
            'part': part, 'kind': kind, 'merge': merge.group(1), 'number': to_number | replace('{part}', part.column),
            'value': to_value | replace('{type}', part.type)
        }) -%}
    {%- endfor -%}
    {#- integers first, as the function gives them back -#}
    {{- return(
        numbers | selectattr('kind', 'equalto', 'integers') | list
        + numbers | selectattr('kind', 'equalto', 'doubles') | list
    ) -}}
{% endmacro %}


{# Each window that changes as one input, with all that is in it. #}
{% macro _sliding_assign_numbers(spec, stored) %}
{%- set numbers = event_windows._sliding_numbers(spec) -%}
{%- set integers = numbers | selectattr('kind', 'equalto', 'integers') | list -%}
{%- set doubles = numbers | selectattr('kind', 'equalto', 'doubles') | list -%}
{%- set values, columns = [], [] -%}
{%- for kind, of_kind in [['integers', integers], ['doubles', doubles]] -%}
    {%- for number in of_kind -%}
        {%- do values.append(kind ~ '[' ~ loop.index0 ~ ']') -%}
        {%- do columns.append('_ew_' ~ kind ~ '_' ~ loop.index) -%}
    {%- endfor -%}
{%- endfor -%}
{%- set absent, absences = [], [] -%}
{%- for _ in numbers -%}
    {%- do absent.append('absent[' ~ loop.index0 ~ ']') -%}
    {%- do absences.append('_ew_absent_' ~ loop.index) -%}
{%- endfor -%}
{%- set arrays %}
cast(array({{ integers | map(attribute='number') | join(', ') }}) as array<bigint>) as _ew_integers,
                cast(array({{ doubles | map(attribute='number') | join(', ') }}) as array<double>) as _ew_doubles
{%- endset -%}
moved as (
    select inline(arrays_zip({{ (['k', 'starts', 'reaches'] + values + absent) | join(', ') }}))
        as ({{ (['_ew_key', '_ew_window', '_ew_newest'] + columns + absences) | join(', ') }})
    from (
        select inline(event_windows_sliding_values(
            _ew_key, _ew_first, _ew_newest, _ew_integers, _ew_doubles,
            '{{ integers | map(attribute='merge') | join(',') }}', '{{ doubles | map(attribute='merge') | join(',') }}',
            {{ event_windows._sliding_constants(spec, ['difference', 'resolution', 'origin']) }}
        )) as (k, starts, reaches, integers, doubles, absent)
        from (
            select
                _ew_key, _ew_first, cast(null as bigint) as _ew_newest,
                {{ arrays | trim }}
            from instants
            {%- if stored %}
            union all
            select
                {{ event_windows._key_text(spec) }}, _ew_first, _ew_newest,
                {{ arrays | trim }}
            from merge_inputs
            where not _ew_new
            {%- endif %}
        ) as items
        group by pmod(hash(_ew_key), {{ event_windows._replay_buckets(spec) }})
    ) as batches
),

moved_keys as (
    select {{ event_windows._names(spec.key) }}, _ew_key
    from instants
    group by {{ event_windows._names(spec.key) }}, _ew_key
),

assigned as (
    select
        {{ event_windows._names(spec.key, 'moved_keys') }},
        moved._ew_window as _ew_first,
        moved._ew_window + {{ spec.window.difference }} as _ew_last,
        moved._ew_window + {{ spec.window.difference }} as _ew_until,
        moved._ew_newest,
        cast(null as boolean) as _ew_replayed,
        {%- for number in numbers %}
        if(
            moved.{{ absences[loop.index0] }}, null,
            {{ number.value | replace('{number}', 'moved.' ~ columns[loop.index0]) }}
        ) as {{ number.part.column }},
        {%- endfor %}
        {%- if stored %}
        true as _ew_new,
        {%- endif %}
        moved._ew_window,
        moved._ew_window + {{ spec.window.difference }} as _ew_window_last
    from moved
    inner join moved_keys on moved._ew_key = moved_keys._ew_key
)
{% endmacro %}
