{#
    Step 1, new rows: those that arrived after `bounds.from` and not after `bounds.to`, with their event time in
    microseconds as _ew_time; it is null for a row that no window can count (a null key, a null event time, one before the origin).
    Bounds are lists of [partition, arrival]; without a partition there is one, with partition none. Without an arrival
    order the bounds are versions of the source table, and new rows are those in files that the earlier version had not.
#}
{% macro _new_rows(spec, bounds=none) %}
    {%- set time = event_windows._name(spec.event_time) -%}
    {%- set arrival = 'arrived.' ~ event_windows._name(spec.arrival) if spec.arrival else none -%}
    {%- set lower = bounds.from if bounds and bounds.from else [] -%}
    {%- set upper = bounds.to if bounds and bounds.to else [] -%}
    {%- set or_unknown = '' if upper else ' or ' ~ (arrival or '') ~ ' is null' -%}
    {%- set none_arrived = bounds and bounds.to is defined and not bounds.to -%}
    {%- set keyed = [] -%}
    {%- for column in spec.key %}{% do keyed.append(event_windows._name(column) ~ ' is not null') %}{% endfor -%}
    {%- if spec.window.origin is not none and spec.window.origin is defined -%}
        {%- do keyed.append(event_windows._micros(time, spec) ~ ' >= ' ~ spec.window.origin) -%}
    {%- endif -%}
    select
        arrived.*,
        case when {{ keyed | join(' and ') }} then {{ event_windows._micros(time, spec) }} end as _ew_time
    {%- if not spec.arrival and upper %}
    from {{ event_windows._of_source('at_version', spec, upper[0][1]) }} as arrived
    {%- if lower %}
    left anti join (
        select distinct _metadata.file_path as file_path from {{ event_windows._of_source('at_version', spec, lower[0][1]) }}
    ) as seen on arrived._metadata.file_path = seen.file_path
    {%- endif %}
    {%- else %}
    from {{ spec.relation }} as arrived
    {%- endif %}
    {%- set conditions = [] -%}
    {%- if none_arrived -%}
        {%- do conditions.append('false') -%}
    {%- elif not spec.arrival %}{# bounded by version already #}
    {%- elif spec.partition -%}
        {{- event_windows._join_arrivals('seen', lower, spec) }}
        {{- event_windows._join_arrivals('until', upper, spec) }}
        {%- if lower %}{% do conditions.append('(' ~ arrival ~ ' > seen.arrival or seen.arrival is null' ~ or_unknown ~ ')') %}{% endif -%}
        {%- if upper %}{% do conditions.append(arrival ~ ' <= until.arrival') %}{% endif -%}
    {%- else -%}
        {%- if lower %}{% do conditions.append('(' ~ arrival ~ ' > ' ~ lower[0][1] ~ or_unknown ~ ')') %}{% endif -%}
        {%- if upper %}{% do conditions.append(arrival ~ ' <= ' ~ upper[0][1]) %}{% endif -%}
    {%- endif %}
    {{ 'where ' ~ conditions | join(' and ') if conditions }}
{% endmacro %}


{# Arrivals per partition as a small table to join. #}
{% macro _join_arrivals(alias, arrivals, spec) %}
    {%- if arrivals %}
    left join (values {% for partition, arrival in arrivals -%}
        ({{ event_windows._literal(partition) }}, {{ arrival }}){{ ', ' if not loop.last }}
    {%- endfor %}) as {{ alias }}(partition, arrival)
        on cast(arrived.{{ event_windows._name(spec.partition) }} as string) <=> {{ alias }}.partition
    {%- endif %}
{% endmacro %}


{# Text as a SQL string, none as null. #}
{% macro _literal(text) %}
    {%- if text is none -%}{{- return('cast(null as string)') -}}{%- endif -%}
    {{- return("'" ~ text | replace('\\', '\\\\') | replace("'", "\\'") ~ "'") -}}
{% endmacro %}
