{#
    How far a refresh goes, fixed before it reads: every later step sees the same rows, also if more arrive meanwhile and Spark
    computes something anew. A list of [partition, arrival], or [[none, version]] where there is no arrival order.
#}
{% macro _bounds_to(spec, pending) %}
    {{- return(event_windows._arrivals_to(spec, pending) if spec.arrival else event_windows._versions_to(spec, pending)) -}}
{% endmacro %}


{# The last new arrival of each partition that has new rows. #}
{% macro _arrivals_to(spec, pending) %}
    {%- set partition = event_windows._name(spec.partition) if spec.partition else none -%}
    {%- set arrival = event_windows._name(spec.arrival) -%}
    {%- set to = [] -%}
    {%- set arrived %}
select
    {{ 'cast(' ~ partition ~ ' as string)' if partition else 'cast(null as string)' }} as arrival_partition,
    max({{ arrival }}) as arrival_to,
    count_if({{ arrival }} is null) as without
from (
    {{ event_windows._new_rows(spec, {'from': pending.from}) | trim }}
) as new_rows
{{ 'group by ' ~ partition if partition else 'having count(*) > 0' }}
order by arrival_partition
    {%- endset -%}
    {%- for row in run_query(arrived) -%}
        {%- if row['without'] > 0 -%}
            {{ event_windows._raise("model '" ~ model.name ~ "'", ["arrival_order column '" ~ spec.arrival ~ "' is null in "
                ~ row['without'] ~ ' row(s), so that nothing says when they came in: fill it in or filter them out in the relation']) }}
        {%- endif -%}
        {%- do to.append([row['arrival_partition'], row['arrival_to'] | int]) -%}
    {%- endfor -%}
    {{- return(to) -}}
{% endmacro %}


{# The version of the source table now. Rows that were rewritten would count twice. #}
{% macro _versions_to(spec, pending) %}
    {%- set latest = event_windows._of_source('latest_version', spec) -%}
    {%- set seen = pending.from[0][1] if pending.from else none -%}
    {%- if seen is not none and latest > seen -%}
        {%- set rewritten = event_windows._of_source('rewritten_since', spec, seen, latest) -%}
        {%- if rewritten -%}
            {{ event_windows._raise("model '" ~ model.name ~ "'", [
                'rows of ' ~ spec.relation ~ ' were not only added since the last refresh (' ~ rewritten
                ~ '), so that new rows cannot be told from old ones: run with --full-refresh, or give an arrival_order'
            ]) }}
        {%- endif -%}
    {%- endif -%}
    {{- return([[none, latest]]) -}}
{% endmacro %}
