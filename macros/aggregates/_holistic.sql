{#
    Holistic aggregates (Gray et al., "Data cube", 1997), those without a merge: any function that Spark, or somebody in
    the session, says is one; and DISTINCT in a function whose parts do not tell values that were there before. A window
    keeps the values that the function takes, and the function is called over them whenever the window changes.
#}

{# Spark's own without an entry in the catalogue. Those of a session are found by name, see _session_functions. #}
{% macro _holistic_functions() %}
    {#- approx_top_k_combine is its own merge, but fails where a slice leaves no row to it -#}
    {{- return(['histogram_numeric', 'count_min_sketch', 'schema_of_variant_agg', 'approx_top_k_combine']) -}}
{% endmacro %}


{#
    What is kept for such a function, in the order of rows: arguments that have a column in them, and what WITHIN GROUP
    orders by. The others are constants to the function, and stay in the call. The order goes by place alone, since not
    every type can be compared.
#}
{% macro _holistic_entry() %}
    {{- return({
        'holistic': true,
        'arguments': [1, 99],
        'parts': {'values': ['collect_list({kept}){filter}', event_windows._merged_by_place()]},
        'final': '{holistic}'
    }) -}}
{% endmacro %}


{# The merge of lists in the order of rows, whatever else is in them. #}
{% macro _merged_by_place() %}
    {{- return('array_sort(flatten(collect_list({part}){over}), (one, other) -> '
        ~ 'case when one.at < other.at then -1 when one.at > other.at then 1 else 0 end)') -}}
{% endmacro %}


{#
    The merge of sets, sorted. array_distinct compares each struct with all that it has kept, so that it gets one value
    at a time: of -0.0 it makes 0.0, as DISTINCT does.
#}
{% macro _merged_once() %}
    {{- return('transform(array(sort_array(flatten(collect_list({part}){over}))), _ew_all -> transform(filter(_ew_all, '
        ~ '(_ew_one, _ew_at) -> _ew_at = 0 or not _ew_one <=> _ew_all[_ew_at - 1]), '
        ~ '_ew_one -> array_distinct(array(_ew_one))[0]))[0]') -}}
{% endmacro %}


{# The same for a call over distinct arguments, each of which is kept once. #}
{% macro _distinct_entry() %}
    {{- return(dict(event_windows._holistic_entry(), parts={'values': [
        'collect_set({kept_once}){filter}', event_windows._merged_once()
    ]})) -}}
{% endmacro %}


{# How the call reads over what was kept: {'column', 'values', 'fields', 'sql', 'filtered'}. #}
{% macro _holistic_call(call, column, values) %}
    {%- set arguments, fields = [], ['_ew_at'] -%}
    {%- for argument in call.arguments -%}
        {%- if call.columns[loop.index0] -%}
            {%- do fields.append('_ew_a' ~ loop.index0) -%}
            {%- do arguments.append(fields[-1]) -%}
        {%- else -%}
            {%- do arguments.append(argument) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set sql = call.fn ~ '(' ~ ('distinct ' if call.distinct) ~ arguments | join(', ') ~ ')' -%}
    {%- if call.within -%}
        {%- do fields.append('_ew_within') -%}
        {%- set sql = sql ~ ' within group (order by _ew_within' ~ (' desc' if call.within.descending) ~ ')' -%}
    {%- endif -%}
    {{- return({
        'column': column, 'values': values, 'fields': fields,
        'sql': sql ~ (' filter (where _ew_at is not null)' if call.filter else ''), 'filtered': call.filter is not none
    }) -}}
{% endmacro %}


{# The calls of a model that need all values. #}
{% macro _holistic_calls(spec) %}
    {%- set holistics = [] -%}
    {%- for aggregate in spec.aggregates -%}
        {%- do holistics.extend(aggregate.calls | map(attribute='holistic') | select | list) -%}
    {%- endfor -%}
    {{- return(holistics) -}}
{% endmacro %}


{#
    CTEs from merged_windows to windows: with the values of these calls. Each is a query of its own, because Spark takes
    no Python aggregate beside its own in one SELECT. A window whose values were all filtered out keeps one empty row,
    so each has a value: an inner join would do too, but Spark 4.1 loses its way where it pushes the conditions of one
    into a CTE that it computes once (see _once).
#}
{% macro _holistic_steps(spec) %}
{%- set window = spec.key + ['_ew_first', '_ew_last'] -%}
{%- set holistics = event_windows._holistic_calls(spec) -%}
{%- for call in holistics -%}
holistic_{{ loop.index }} as (
    select {{ event_windows._names(window) }}, {{ call.sql }} as _ew_value
    from (
        select {{ event_windows._names(window) }}, inline{{ '_outer' if call.filtered }}({{ call['values'] }})
            as ({{ call.fields | join(', ') }})
        from merged_windows
    ) as kept_rows
    group by {{ event_windows._names(window) }}
),

{% endfor -%}
windows as (
    select
        merged_windows.*
        {%- for call in holistics %},
        holistic_{{ loop.index }}._ew_value as {{ call.column }}
        {%- endfor %}
    from merged_windows
    {%- for _ in holistics %}
    {%- set alias = 'holistic_' ~ loop.index %}
    left join {{ alias }} on {{ event_windows._equal(window, 'merged_windows', alias, null_safe=spec.null_keys) }}
    {%- endfor %}
)
{% endmacro %}
