{#
    Nothing says in which order rows of two partitions came. Where a row counts by its own clock alone that does not
    matter: rows of several partitions are judged apart and added up. Which rows of a session or a sliding window are
    late depends on the windows that are there, so each partition's rows are judged by its own, and a window that holds
    rows of two stops the run: docs/decisions/0025-partitions-are-judged-apart.md.

    Whether that is so of a model: a partition that is no key column, rows that may be late, and a type that asks stored
    windows.
#}
{% macro _is_of_one_partition(spec) %}
    {{- return(
        event_windows._partition_beside_key(spec) != [] and event_windows._late_margin(spec) is not none
        and event_windows._trait('replays_stored', spec)
    ) -}}
{% endmacro %}


{# The partition as a number, and what a window keeps of it: the least and the greatest, which must be the same. #}
{% macro _partition_number(spec, alias=none) %}
    {{- return('xxhash64(' ~ event_windows._exact_text(spec.partition, spec, alias) ~ ')') -}}
{% endmacro %}


{% macro _partition_parts(spec) %}
    {%- set parts = [] -%}
    {%- for least in ['min', 'max'] if event_windows._is_of_one_partition(spec) -%}
        {%- set column = '_ew_partition_' ~ least -%}
        {%- set partial = least ~ '(' ~ event_windows._partition_number(spec) ~ ')' -%}
        {%- do parts.append({
            'column': column, 'partial': partial, 'guarded': partial,
            'merge': least ~ '(' ~ column ~ ')', 'running': least ~ '(' ~ column ~ '){over}', 'type': 'bigint'
        }) -%}
    {%- endfor -%}
    {{- return(parts) -}}
{% endmacro %}


{# What a replay knows a row, or a stored window, by: its key; those of two partitions are of two keys to it. #}
{% macro _replayed_key(spec, alias, stored=false) %}
    {%- set key = event_windows._key_text(spec, alias) -%}
    {%- if not event_windows._is_of_one_partition(spec) %}{{- return(key) -}}{% endif -%}
    {%- set partition = alias ~ '._ew_partition_min' if stored else event_windows._partition_number(spec, alias) -%}
    {{- return('concat(' ~ key ~ ", ' ', " ~ partition ~ ')') -}}
{% endmacro %}


{# SQL that is true, or stops the run where rows of a key, given as text, met from two partitions. #}
{% macro _stops_at_two_partitions(spec, is_one, key) %}
    {%- set mend = "come through several partitions (column '" ~ spec.partition ~ "') to one window or to windows that "
        ~ "touch; with a grace it depends on the order between partitions, which no number tells, which of them are "
        ~ "late: let all rows of a key come through one partition, or add '" ~ spec.partition ~ "' to the key, or give "
        ~ "an arrival_order that is unique and ascending over all rows and no partition, or grace='unbounded'" -%}
    {{- return('if(' ~ is_one ~ ", true, raise_error(concat('event_windows: rows of the key ', " ~ key ~ ', '
        ~ event_windows._literal(' ' ~ mend) ~ ')))') -}}
{% endmacro %}


{# A key as it is told to people: times in it are cut to milliseconds. #}
{% macro _told_key(spec, alias=none) %}
    {{- return('to_json(struct(' ~ event_windows._names(spec.key, alias) ~ '))' if spec.key else "'(none)'") -}}
{% endmacro %}


{#
    CTEs after `replayed_apart`, up to replayed: the same lines, if no two windows of a key touch that are of two
    partitions. A window goes from its start to the latest time in it, a session to the end of its reach. To look back
    at the one that goes furthest is enough: of two that touch, either it is one of them, or it touches the other.
#}
{% macro _replayed_of_one_partition(spec, stored) %}
{%- set newest = event_windows._carried(spec) | first | default('_ew_until') -%}
{%- set of_row = '_ew_time' if event_windows._carried(spec) else '_ew_until' %}
own_windows as (
    select
        {{ event_windows._key_text(spec, 'late_candidates') }} as _ew_whole_key,
        {{ event_windows._told_key(spec, 'late_candidates') }} as _ew_told,
        {{ event_windows._partition_number(spec, 'late_candidates') }} as _ew_partition,
        replayed_apart._ew_window as _ew_from, late_candidates.{{ of_row }} as _ew_to
    from replayed_apart
    inner join late_candidates
        on replayed_apart._ew_key = late_candidates._ew_key and replayed_apart._ew_item = late_candidates._ew_item
    where replayed_apart._ew_window is not null
    {%- if stored %}
    union all
    select
        {{ event_windows._key_text(spec) }}, {{ event_windows._told_key(spec) }}, _ew_partition_min, _ew_first,
        {{ newest }}
    from late_windows
    {%- endif %}
),

several_partitions as (
    select min(_ew_told) as _ew_told
    from (
        select
            *,
            max(named_struct('until', _ew_to, 'partition', _ew_partition)) over (
                partition by _ew_whole_key order by _ew_from rows between unbounded preceding and 1 preceding
            ) as _ew_before
        from own_windows
    ) as own_windows_in_order
    where _ew_before.until >= _ew_from and _ew_before.partition <> _ew_partition
),

replayed as (
    select _ew_key, _ew_item, _ew_window, _ew_window_last, _ew_missed
    from replayed_apart
    where (
        select {{ event_windows._stops_at_two_partitions(spec, '_ew_told is null', '_ew_told') }}
        from several_partitions
    )
)
{% endmacro %}
