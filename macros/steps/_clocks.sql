{#
    Step clocks: stream time per scope before a refresh. It only grows, so the largest event time that was stored is the
    clock. `clocks` says where that is, see _clocks_until; `near` is a relation: only scopes that it has are looked up.
#}
{% macro _clocks_before(spec, clocks, near=none) %}
    {%- set scope = event_windows._clock_scope(spec) %}
    select {{ event_windows._names_before(scope, 'known') }}max(known._ew_clock) as _ew_before
    {{ event_windows._from_clocks_before(spec, clocks, near) | trim }}
    {{- '\n    group by ' ~ event_windows._names(scope, 'known') if scope }}
{% endmacro %}


{#
    The lines that tell them: of the log, and where windows tell clocks those of windows written since the log had its
    last line. Lines of this refresh, which a run that was killed may have written, and of another generation do not
    count.
#}
{% macro _from_clocks_before(spec, clocks, near) %}
    {%- set scope = event_windows._clock_scope(spec) -%}
    {%- set all = event_windows._names_before(scope) %}
    from (
        select {{ all }}_ew_clock
        from {{ clocks.log }}
        where _ew_clock is not null and _ew_refresh >= {{ clocks.generation }} and _ew_refresh < {{ clocks.number }}
        {%- if event_windows._windows_tell_clocks(spec) %}
        union all
        select {{ all }}{{ event_windows._of_window('stored_newest', spec, 'stored') }} as _ew_clock
        from {{ clocks.windows }} as stored
        where _ew_refresh > {{ clocks.logged }} and _ew_refresh < {{ clocks.number }}
        {%- endif %}
    ) as known
    {%- if near and scope %}
    left semi join {{ near }} as near on {{ event_windows._equal(scope, 'known', 'near', null_safe=true) }}
    {%- endif %}
{% endmacro %}


{#
    Whether a clock can be told from the windows: a row that is not late is in one, and a late row moves no clock. Not
    where windows leave the table, nor where clocks are of partitions, which windows do not know.
#}
{% macro _windows_tell_clocks(spec) %}
    {%- set unknown = [] -%}
    {%- for column in event_windows._clock_scope(spec) if not event_windows._is_among(column, spec.key) -%}
        {%- do unknown.append(column) -%}
    {%- endfor -%}
    {{- return(spec.leaves_after is none and not unknown
        and event_windows._of_window('stored_newest', spec, 'stored') is not none) -}}
{% endmacro %}
