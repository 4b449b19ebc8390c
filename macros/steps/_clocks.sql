{#
    Step clocks: stream time per scope before refresh `number`, from the log of clocks. Stream time only grows, so the
    largest is the clock. `near` is a relation: only scopes that it has are looked up.
#}
{% macro _clocks_before(spec, log, generation, number, near=none) %}
    {%- set scope = event_windows._clock_scope(spec) %}
    select {{ event_windows._names_before(scope, 'logged') }}max(logged._ew_clock) as _ew_before
    {{ event_windows._from_clocks_before(spec, log, generation, number, near) | trim }}
    {%- if scope %}
    group by {{ event_windows._names(scope, 'logged') }}
    {%- endif %}
{% endmacro %}


{#
    The lines of the log that tell them. Rows of this refresh, which a run that was killed may have written, and of
    another generation do not count.
#}
{% macro _from_clocks_before(spec, log, generation, number, near=none) %}
    {%- set scope = event_windows._clock_scope(spec) %}
    from {{ log }} as logged
    {%- if near and scope %}
    left semi join {{ near }} as near on {{ event_windows._equal(scope, 'logged', 'near', null_safe=true) }}
    {%- endif %}
    where logged._ew_clock is not null and logged._ew_refresh >= {{ generation }} and logged._ew_refresh < {{ number }}
{% endmacro %}
