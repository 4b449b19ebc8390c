{#
    How late candidates are handed to a registered function: one call takes the rows of a bucket of keys, so that its
    fixed cost is shared and no key is in two calls. More buckets where there are more rows, so that no call holds too
    many.
#}
{% macro _replay_buckets(spec) %}
    {{- return([8, (spec.get('rows_at_most', 0) // 500000) + 1] | max) -}}
{% endmacro %}


{# A function stops with a clear error rather than run out of memory. #}
{% macro _max_rows_per_key() %}
    {{- return(event_windows._bigint(event_windows._var('max_rows_per_key') | int)) -}}
{% endmacro %}
