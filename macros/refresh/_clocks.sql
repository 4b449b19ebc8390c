{# What a clock belongs to: the columns of its scope. #}
{% macro _clock_scope(spec) %}
    {{- return({'key': spec.key, 'partition': [spec.partition], 'global': []}[spec.clock]) -}}
{% endmacro %}


{#
    Step 4, clocks: stream time per scope, before this refresh and after it, in microseconds, of the scopes that have new rows and of
    those that are behind the time to advance to. A run that was killed may have moved the stored clocks already: what they
    were before stands beside them.
#}
{% macro _clocks(spec, tables, pending) %}
    {%- set scope = event_windows._names(event_windows._clock_scope(spec)) ~ (', ' if event_windows._clock_scope(spec)) -%}
    select
        {{ scope }}max(_ew_kept) as _ew_before,
        greatest(max(_ew_last), max(_ew_kept){{ ', ' ~ pending.advance_to if pending.advance_to is not none }}) as _ew_after
    from (
        select {{ scope }}_ew_last, cast(null as bigint) as _ew_kept
        from {{ tables.slices }}
        where _ew_first is not null
        {%- if not pending.full %}
        union all
        select {{ scope }}null, {{ event_windows._micros('if(_ew_refresh >= ' ~ pending.refresh ~ ', _ew_previous.stream_time, stream_time)', spec) }}
        from {{ tables.stream_time }}
        {%- endif %}
    ) as clocks
    {%- if scope %}
    group by {{ event_windows._names(event_windows._clock_scope(spec)) }}
    {%- endif %}
    having count(_ew_last) > 0
        {{- ' or max(_ew_kept) < ' ~ pending.advance_to if pending.advance_to is not none }}
{% endmacro %}
