{# The table of dropped rows: which row, why, when measured by which clock, and the whole row, to be looked at and counted again. #}
{% macro _dropped_columns(spec) %}
    {%- set columns = {} -%}
    {%- for column in spec.key + [spec.event_time] + event_windows._arrival_order(spec) if column not in columns -%}
        {%- do columns.update({column: event_windows._type_of(column, spec)}) -%}
    {%- endfor -%}
    {%- do columns.update({
        'reason': 'string', 'stream_time': event_windows._type_of(spec.event_time, spec), 'run_id': 'string', 'source_row': 'string',
        '_ew_refresh': 'bigint'
    }) -%}
    {{- return(columns) -}}
{% endmacro %}


{# Writes the rows that this refresh does not count, if there can be any. Lateness does not depend on cuts, so a row that a run killed since has written is the same. #}
{% macro _write_dropped(spec, tables, pending, read) %}
    {%- if read.nulls == 0 and read.doubtful == 0 %}{{- return('') -}}{% endif -%}
    {%- set stream_time = none if pending.full else tables.stream_time -%}
    {%- set columns = event_windows._dropped_columns(spec) -%}
    {%- set keyed = [] -%}
    {%- for column in spec.key %}{% do keyed.append(event_windows._name(column) ~ ' is null') %}{% endfor -%}
    {%- set own = columns.keys() | reject('in', ['reason', 'stream_time', 'run_id', 'source_row', '_ew_refresh']) | list -%}
    {%- set sql %}
insert into {{ tables.dropped }} ({{ event_windows._names(columns.keys()) }})
with
{% if read.doubtful %}
suspects as (
    select * from {{ tables.suspects }}
)
{% else %}
{{ event_windows._suspect_steps(spec, tables, pending, read, stream_time) | trim }}
{% endif %}
select
    {{ event_windows._names(own, 'suspects') }},
    case when {{ keyed | join(' or ') }} then 'null_key' when {{ event_windows._name(spec.event_time) }} is null then 'null_event_time' else 'late' end as reason,
    {{ event_windows._from_micros('suspects._ew_clock', spec) }} as stream_time,
    {{ event_windows._literal(pending.run_id) }} as run_id,
    to_json(struct({{ event_windows._names(spec.columns.keys(), 'suspects') }}), map('ignoreNullFields', 'false')) as source_row,
    {{ pending.refresh }} as _ew_refresh
from suspects
{%- if read.doubtful %}
left join {{ tables.replayed }} as replayed
    on replayed._ew_key = {{ event_windows._key_text_of(spec, 'suspects') }} and replayed._ew_item = suspects._ew_item
{%- endif %}
where (suspects._ew_time is null{{ ' or (replayed._ew_item is not null and replayed._ew_window is null)' if read.doubtful }})
    and not exists (select 1 from {{ tables.dropped }} where _ew_refresh >= {{ pending.refresh }})
    {%- endset -%}
    {%- do run_query(sql) -%}
{% endmacro %}


{# Microseconds back to the type of the event time. #}
{% macro _from_micros(micros, spec) %}
    {%- if event_windows._type_of(spec.event_time, spec) == 'timestamp_ntz' -%}
        {{- return("timestampadd(microsecond, " ~ micros ~ ", timestamp_ntz'1970-01-01 00:00:00')") -}}
    {%- endif -%}
    {{- return('timestamp_micros(' ~ micros ~ ')') -}}
{% endmacro %}
