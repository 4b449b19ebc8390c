{#
    How late candidates are handed to a registered function: one call takes the rows of a bucket of keys, so that its
    fixed cost is shared and no key is in two calls. More buckets where more rows were read, so that no call holds too
    many: `most` in each. From scratch nobody has counted them.
#}
{% macro _replay_buckets(spec, most=500000) %}
    {{- return([8, (spec.get('rows_read', 100000000) // most) + 1] | max) -}}
{% endmacro %}


{# A function stops with a clear error rather than run out of memory. #}
{% macro _max_rows_per_key() %}
    {{- return(event_windows._bigint(event_windows._count_var('max_rows_per_key'))) -}}
{% endmacro %}


{# SQL that stops a replay in SQL, which copies what it has found at every step, where it takes more than `most`. #}
{% macro _too_many_steps(most) %}
    {{- return("raise_error(concat('event_windows: one key has so many rows that may be late, near each other, that to "
        ~ "replay them in SQL takes ', size(_ew_parts), ' steps, allowed are " ~ most ~ ": ', _ew_key, '. Give replay "
        ~ "python, or raise the var event_windows__max_replay_steps; smaller refreshes "
        ~ "(event_windows__max_rows_per_refresh) take fewer'))") -}}
{% endmacro %}
