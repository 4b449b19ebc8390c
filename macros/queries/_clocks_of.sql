{# The clocks of a model, one row for each of their scopes: its columns, and _ew_clock in microseconds. #}
{% macro _clocks_of(asked) %}
{%- set scope = event_windows._clock_scope(asked.spec) -%}
select {{ event_windows._names_before(scope) }}max(_ew_clock) as _ew_clock
from (
    {{ event_windows._stored_clocks(asked.spec, asked.tables, asked.generation, scope) | trim }}
) as stored_clocks
{{- '\ngroup by ' ~ event_windows._names(scope) if scope }}
{% endmacro %}


{# Stream time as users see it, as a relation: it needs no view. #}
{% macro _stream_time_of(asked) %}
(
    {{ event_windows._shown_clocks(asked.spec, asked.tables, asked.generation) | trim | indent }}
)
{%- endmacro %}


{#
    Windows with the clock that closes them. Where several partitions feed one window, and each has a clock, it is open
    as long as a row of any of them counts in it: the slowest counts, of those that the key has or, where clocks are
    those of partitions, of all.
#}
{% macro _join_slowest_clocks(asked) %}
    {%- set spec = asked.spec -%}
    {%- set scope = [] -%}
    {%- for column in event_windows._clock_scope(spec) if event_windows._is_among(column, spec.key) -%}
        {%- do scope.append(column) -%}
    {%- endfor %}
    left join (
        select
            {{ event_windows._names_before(scope) }}{{ event_windows._time_from_micros('min(_ew_clock)', spec) }}
                as stream_time
        from (
            {{ event_windows._clocks_of(asked) | trim | indent(12) }}
        ) as clocks
        {{- '\n        group by ' ~ event_windows._names(scope) if scope }}
    ) as clock
        on {{ event_windows._equal(scope, 'stored', 'clock', null_safe=spec.null_keys) }}
{% endmacro %}
