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
    {%- if not spec.arrival %}{{- return(event_windows._write_dropped_at_once(spec, tables, pending, read)) -}}{% endif -%}
    {%- set stream_time = none if pending.full else tables.stream_time -%}
    {%- set sql %}
insert into {{ tables.dropped }} ({{ event_windows._names(event_windows._dropped_columns(spec).keys()) }})
with
{% if read.doubtful %}
suspects as (
    select * from {{ tables.suspects }}
)
{% else %}
{{ event_windows._suspect_steps(spec, tables, pending, read, stream_time) | trim }}
{% endif %}
{{ event_windows._dropped_select(spec, pending, 'suspects', 'suspects._ew_clock') | trim }}
from suspects
{%- if read.doubtful %}
left join {{ tables.replayed }} as replayed
    on {{ event_windows._key_text_of(spec, 'suspects') }} = replayed._ew_key and suspects._ew_item = replayed._ew_item
{%- endif %}
where (suspects._ew_time is null{{ ' or (replayed._ew_item is not null and replayed._ew_window is null)' if read.doubtful }})
    and not exists (select 1 from {{ tables.dropped }} where _ew_refresh >= {{ pending.refresh }})
    {%- endset -%}
    {%- do run_query(sql) -%}
{% endmacro %}


{# The columns of a dropped row. #}
{% macro _dropped_select(spec, pending, rows, clock) %}
    {%- set own = event_windows._dropped_columns(spec).keys() | reject('in', ['reason', 'stream_time', 'run_id', 'source_row', '_ew_refresh']) | list -%}
    {%- set keyed = [] -%}
    {%- for column in spec.key %}{% do keyed.append(rows ~ '.' ~ event_windows._name(column) ~ ' is null') %}{% endfor -%}
select
    {{ event_windows._names(own, rows) }},
    case when {{ keyed | join(' or ') }} then 'null_key' when {{ event_windows._names([spec.event_time], rows) }} is null then 'null_event_time' else 'late' end as reason,
    {{ event_windows._from_micros(clock, spec) }} as stream_time,
    {{ event_windows._literal(pending.run_id) }} as run_id,
    to_json(struct({{ event_windows._names(spec.columns.keys(), rows) }}), map('ignoreNullFields', 'false')) as source_row,
    {{ pending.refresh }} as _ew_refresh
{% endmacro %}


{# The same where all new rows came in at one instant: rows of a window that is late as a whole. #}
{% macro _write_dropped_at_once(spec, tables, pending, read) %}
    {%- set scope = event_windows._clock_scope(spec) -%}
    {%- set late = read.doubtful > 0 -%}
    {%- set before = event_windows._micros('kept.stream_time', spec) -%}
    {%- set sql %}
insert into {{ tables.dropped }} ({{ event_windows._names(event_windows._dropped_columns(spec).keys()) }})
with
new_rows as (
    {{ event_windows._new_rows(spec, {'from': pending.from, 'to': read.to}) | trim }}
)
{%- if late %},

slices as (
    select * from {{ tables.slices }} where _ew_first is not null
),

{{ event_windows._reach_steps(spec, tables, read) | trim }},

pieces as (
    {{ event_windows._pieces(spec, reach=true) | trim }}
),

{{ event_windows._window_steps(spec, reach=true) | trim }},

{{ event_windows._at_once_steps(spec, tables) | trim }}
{%- endif %}

{{ event_windows._dropped_select(spec, pending, 'new_rows', 'new_rows._ew_time' if pending.full else 'greatest(new_rows._ew_time, ' ~ before ~ ')') | trim }}
from new_rows
{%- if not pending.full %}
left join {{ tables.stream_time }} as kept on {{ event_windows._equal(scope, 'new_rows', 'kept') or 'true' }}
{%- endif %}
{%- if late %}
left join judged_windows
    on {{ event_windows._equal(spec.key, 'new_rows', 'judged_windows') }}
    and judged_windows._ew_late
    and new_rows._ew_time between judged_windows._ew_first and judged_windows._ew_last
{%- endif %}
where (new_rows._ew_time is null{{ ' or judged_windows._ew_late' if late }})
    and not exists (select 1 from {{ tables.dropped }} where _ew_refresh >= {{ pending.refresh }})
    {%- endset -%}
    {%- do run_query(sql) -%}
{% endmacro %}


{# Microseconds back to the type of the event time. #}
{% macro _from_micros(micros, spec) %}
    {%- if event_windows._type_of(spec.event_time, spec) == 'timestamp_ntz' -%}
        {{- return("timestampadd(microsecond, " ~ micros ~ ", timestamp_ntz '1970-01-01 00:00:00')") -}}
    {%- endif -%}
    {{- return('timestamp_micros(' ~ micros ~ ')') -}}
{% endmacro %}
