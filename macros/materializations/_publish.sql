{#
    emit='final': windows live in m__state, and m gets each of them once, when it has closed. It closes in the refresh that moves
    its clock past its end and grace, so the clocks tell which ones those are: before that refresh and after it.
#}
{% macro _publish(spec, tables, pending) %}
    {%- if spec.emit != 'final' %}{{- return('') -}}{% endif -%}
    {%- set columns = event_windows._published_columns(spec) -%}
    {%- do run_query('insert into ' ~ tables.published ~ ' (' ~ columns | join(', ') ~ ')\n' ~ event_windows._newly_closed(spec, tables, pending)
        ~ '\n    and not exists (select 1 from ' ~ tables.published ~ ' where _ew_refresh >= ' ~ pending.refresh ~ ')') -%}
{% endmacro %}


{# The same for a build, in one commit: readers see the old table or the new one. #}
{% macro _publish_all(spec, tables, pending) %}
    {%- if spec.emit != 'final' %}{{- return('') -}}{% endif -%}
    {%- do run_query(event_windows._of_format(
        'create', tables.published,
        sql=event_windows._newly_closed(spec, tables, pending),
        partition_by='_ew_segment',
        followed=true,
        properties={'event_windows.spec': event_windows._fingerprint(spec)}
    )) -%}
{% endmacro %}


{# Windows that the clocks of this refresh have closed, with what the published table shows of them. #}
{% macro _newly_closed(spec, tables, pending) -%}
select {{ event_windows._names(event_windows._published_columns(spec) | reject('equalto', '_ew_refresh'), 'stored') }}, cast({{ pending.refresh }} as bigint) as _ew_refresh
from {{ tables.windows }} as stored
inner join {{ tables.stream_time }} as clock on {{ event_windows._equal(event_windows._clock_scope(spec), 'stored', 'clock') or 'true' }}
where clock._ew_refresh = {{ pending.refresh }}
    and {{ event_windows._passed(spec, 'closed', event_windows._micros('clock.stream_time', spec)) }}
    and not coalesce({{ event_windows._passed(spec, 'closed', event_windows._micros('clock._ew_previous.stream_time', spec)) }}, false)
{%- endmacro %}


{% macro _published_columns(spec) %}
    {%- set columns = spec.key + ['window_start', 'window_end'] -%}
    {{- return(columns + spec.aggregates | map(attribute='name') | list + ['_ew_segment', '_ew_refresh']) -}}
{% endmacro %}
