{#
    Step new rows: those that arrived after `bounds.from` and not after `bounds.to` (with `unordered` also those without
    a number), with their event time in microseconds as _ew_time; it is null for a row that no window can count, and
    _ew_reason says why. Bounds are lists of [partition, arrival]; without a partition there is one, with partition
    none. Without an arrival order the format of the source knows which rows are new.
#}
{% macro _new_rows(spec, bounds={}) %}
    {%- set time = event_windows._name(spec.event_time) -%}
    {%- set columns = event_windows._names(spec.columns, 'arrived') if spec.leaves_out is defined else 'arrived.*' %}
    select *, case when _ew_reason is null then {{ event_windows._time_micros(time, spec) }} end as _ew_time
    from (
        select {{ columns }}, {{ event_windows._uncountable(spec) | trim }} as _ew_reason
        {{ event_windows._arrived_rows(spec, bounds) | trim }}
    ) as arrived
    {%- if spec.among is defined %}
    where {{ 'not ' if spec.among.others }}{{ event_windows._is_rebuilt(spec, 'arrived', spec.among) }}
    {%- endif %}
{% endmacro %}


{#
    Whether a row is of a key that the refresh makes anew: `among` is {'classes'}, a list of classes of keys as text, or
    none for all keys.
#}
{% macro _is_rebuilt(spec, alias, among) %}
    {{- return(event_windows._rebuilt_class(spec, alias) ~ ' in (' ~ among.classes ~ ')' if among.classes
        else 'true') -}}
{% endmacro %}


{#
    Finer than _key_class: a key that shares the class of one whose rows changed is made anew too, and where the source
    has lost its older rows that takes them from it. With 50,000 keys named of ten million that is one in 500 times. Of
    nulls Spark's hash takes no notice, so that ('a', null) would share it with (null, 'a').
#}
{% macro _rebuilt_class(spec, alias=none) %}
    {%- set values = [] -%}
    {%- for column in spec.key -%}
        {%- set name = event_windows._names([column], alias) -%}
        {%- do values.append(name ~ ' is null, ' ~ name if spec.null_keys else name) -%}
    {%- endfor -%}
    {{- return('pmod(xxhash64(' ~ values | join(', ') ~ '), 281474976710656)') -}}
{% endmacro %}


{#
    Why no window can count a row, null where one can: a function of the row alone, so that cuts do not show. A time
    outside the years 1 to 9999 is one that nobody means, and arithmetic with it would leave a bigint: it is dropped
    like a clock that is ahead, or before the origin.
#}
{% macro _uncountable(spec) %}
    {%- set time = event_windows._name(spec.event_time) -%}
    {%- set micros = event_windows._time_micros(time, spec) -%}
    {%- set least = [-62135596800000000, spec.window.origin] | reject('none') | max -%}
    {%- set absent = [] -%}
    {%- for column in spec.key %}{% do absent.append(event_windows._name(column) ~ ' is null') %}{% endfor -%}
    case
            {%- if absent and not spec.null_keys %}
            when {{ absent | join(' or ') }} then 'null_key'
            {%- endif %}
            when {{ time }} is null then 'null_event_time'
            {%- if event_windows._type_of(spec.event_time, spec) not in ('timestamp', 'timestamp_ntz') %}
            when typeof({{ time }}) <> 'timestamp' then raise_error({{ event_windows._literal(
                'event_windows: the event time must be a TIMESTAMP, or a TIMESTAMP_NTZ of tables and views that were '
                ~ 'there when dbt made this SQL, so that its type could be asked for: cast it, or materialize the '
                ~ 'relation'
            ) }})
            {%- endif %}
            when {{ micros }} < {{ least }} then 'before_origin'
            when {{ micros }} > 253402300799999999 then 'ahead_of_time'
            {%- if spec.max_ahead is not none %}
            {%- set arrived_at = event_windows._micros(
                event_windows._name(spec.arrived_at), event_windows._type_of(spec.arrived_at, spec) or 'timestamp'
            ) %}
            when {{ micros }} - {{ spec.max_ahead }} > {{ arrived_at }} then 'ahead_of_time'
            {%- endif %}
            {%- if spec.window.resolution %}
            when pmod({{ micros }}, {{ spec.window.resolution }}) <> 0 then 'off_resolution'
            {%- endif %}
        end
{% endmacro %}


{# The rows between two bounds, as FROM and WHERE: of the relation, or of `rows` in its place, see _at_followed. #}
{% macro _arrived_rows(spec, bounds) %}
    {%- set from, to, unordered = bounds.get('from', []), bounds.get('to'), bounds.get('unordered', false) -%}
    {%- if to is not none and not to -%}
        from {{ spec.rows or spec.relation }} as arrived
        where false
    {%- elif not spec.arrival and to -%}
        {{ event_windows._of_format(
            spec.source.format, 'added_rows', spec.relation, from[0][1] if from else none, to[0][1]
        ) }}
    {%- elif spec.partition -%}
        {{ event_windows._arrived_by_partition(spec, from, to, unordered) }}
    {%- else -%}
        {%- set arrival = 'arrived.' ~ event_windows._name(spec.arrival) if spec.arrival else none -%}
        {%- set conditions = [] -%}
        {%- if from %}{% do conditions.append(arrival ~ ' > ' ~ from[0][1]) %}{% endif -%}
        {%- if to %}{% do conditions.append(arrival ~ ' <= ' ~ to[0][1]) %}{% endif -%}
        from {{ spec.rows or spec.relation }} as arrived
        {{ event_windows._where_arrived(conditions, arrival if unordered else none) }}
    {%- endif -%}
{% endmacro %}


{# The same where each partition has numbers of its own. One filter on the number alone lets Spark skip files. #}
{% macro _arrived_by_partition(spec, from, to, unordered) %}
    {%- set arrival = 'arrived.' ~ event_windows._name(spec.arrival) -%}
    {%- set partition = event_windows._arrival_partition(spec) -%}
    {%- set conditions = [] -%}
    {%- if from -%}
        {%- do conditions.append('(' ~ arrival ~ ' > seen._ew_arrival or seen._ew_arrival is null)') -%}
    {%- endif -%}
    {%- if to -%}
        {%- do conditions.extend([arrival ~ ' <= until._ew_arrival', arrival ~ ' <= ' ~ to | map('last') | max]) -%}
    {%- endif -%}
    from {{ spec.rows or spec.relation }} as arrived
    {{- event_windows._join_arrivals('seen', from, partition) }}
    {{- event_windows._join_arrivals('until', to or [], partition) }}
    {{ event_windows._where_arrived(conditions, arrival if unordered else none) }}
{% endmacro %}


{# `unordered`: the arrival, where rows without one are wanted too, to be told. #}
{% macro _where_arrived(conditions, unordered) %}
    {%- if not conditions %}{{- return('') -}}{% endif -%}
    {{- return(
        'where ' ~ conditions | join(' and ') if not unordered
        else 'where (' ~ conditions | join(' and ') ~ ') or ' ~ unordered ~ ' is null'
    ) -}}
{% endmacro %}


{# The partition whose numbers a row has, as bounds name it: null where all rows have one numbering. #}
{% macro _arrival_partition(spec) %}
    {{- return(
        event_windows._exact_text(spec.partition, spec, 'arrived') if spec.partition else 'cast(null as string)'
    ) -}}
{% endmacro %}


{# Arrivals per partition as a small table to join. #}
{% macro _join_arrivals(alias, arrivals, partition) %}
    {%- if arrivals %}
        left join (values {% for name, arrival in arrivals -%}
            ({{ event_windows._literal(name) }}, {{ arrival }}){{ ', ' if not loop.last }}
        {%- endfor %}) as {{ alias }}(_ew_partition, _ew_arrival)
            on {{ partition }} <=> {{ alias }}._ew_partition
    {%- endif %}
{% endmacro %}
