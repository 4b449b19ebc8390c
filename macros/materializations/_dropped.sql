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


{#
    Writes the rows that this refresh does not count, if there can be any. Lateness does not depend on cuts, so a row that a
    run killed since has written is the same.
#}
{% macro _write_dropped(spec, tables, pending, read) %}
    {%- if read.nulls == 0 and read.doubtful == 0 %}{{- return('') -}}{% endif -%}
    {%- set columns = event_windows._dropped_columns(spec).keys() | list -%}
    {%- set own = columns | reject('in', ['reason', 'stream_time', 'run_id', 'source_row', '_ew_refresh']) | list -%}
    {%- set rows = (event_windows._rows_in_order if spec.arrival else event_windows._rows_at_once)(spec, tables, pending, read) -%}
    {%- set keyed = [] -%}
    {%- for column in spec.key %}{% do keyed.append('counted.' ~ event_windows._name(column) ~ ' is null') %}{% endfor -%}
    {%- set sql %}
insert into {{ tables.dropped }} ({{ event_windows._names(columns) }})
with
{{ rows.steps | trim }},

judged as (
    select
        counted.*,
        {{ rows.clock }} as _ew_stream_time,
        case
            when {{ keyed | join(' or ') }} then 'null_key'
            when counted.{{ event_windows._name(spec.event_time) }} is null then 'null_event_time'
            when counted._ew_time is null then 'before_origin'
            {%- if read.doubtful %}
            else {{ rows.lateness }}
            {%- endif %}
        end as _ew_reason
    from {{ rows.counted }} as counted
    {{ rows.joins | trim }}
)

select
    {{ event_windows._names(own, 'judged') }},
    judged._ew_reason as reason,
    {{ event_windows._from_micros('judged._ew_stream_time', spec) }} as stream_time,
    {{ event_windows._literal(pending.run_id) }} as run_id,
    to_json(struct({{ event_windows._names(spec.columns.keys(), 'judged') }}), map('ignoreNullFields', 'false')) as source_row,
    {{ pending.refresh }} as _ew_refresh
from judged
where judged._ew_reason is not null
    and not exists (select 1 from {{ tables.dropped }} where _ew_refresh >= {{ pending.refresh }})
    {%- endset -%}
    {%- do run_query(sql) -%}
{% endmacro %}


{# Rows in their order of arrival, each with the stream time at its own. #}
{% macro _rows_in_order(spec, tables, pending, read) %}
    {%- set steps %}
{% if read.doubtful %}
suspects as (
    select * from {{ tables.suspects }}
)
{% else %}
{{ event_windows._suspect_steps(spec, tables, pending, read, none if pending.full else tables.stream_time) | trim }}
{% endif %}
    {%- endset -%}
    {%- set judged = event_windows._of_type('judge_in_order', spec, tables) if read.doubtful else {'joins': '', 'lateness': ''} -%}
    {{- return({'steps': steps, 'counted': 'suspects', 'clock': 'counted._ew_clock', 'joins': judged.joins, 'lateness': judged.lateness}) -}}
{% endmacro %}


{# Rows that came in at one instant: measured by the stream time that earlier refreshes left. #}
{% macro _rows_at_once(spec, tables, pending, read) %}
    {%- set before = event_windows._micros('kept.stream_time', spec) -%}
    {%- set judged = event_windows._of_type('judge_at_once', spec, before) if read.doubtful else {'joins': '', 'lateness': ''} -%}
    {%- set steps %}
new_rows as (
    {{ event_windows._new_rows(spec, {'from': pending.from, 'to': read.to}) | trim }}
)
{%- if read.doubtful %},

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
    {%- endset -%}
    {%- set joins %}
    {%- if not pending.full %}
    left join {{ tables.stream_time }} as kept
        on {{ event_windows._equal(event_windows._clock_scope(spec), 'counted', 'kept') or 'true' }}
    {%- endif %}
    {{ judged.joins }}
    {%- endset -%}
    {{- return({
        'steps': steps, 'counted': 'new_rows', 'joins': joins, 'lateness': judged.lateness,
        'clock': 'counted._ew_time' if pending.full else 'greatest(counted._ew_time, ' ~ before ~ ')'
    }) -}}
{% endmacro %}


{# Microseconds back to the type of the event time. #}
{% macro _from_micros(micros, spec) %}
    {%- if event_windows._type_of(spec.event_time, spec) == 'timestamp_ntz' -%}
        {{- return("timestampadd(microsecond, " ~ micros ~ ", timestamp_ntz '1970-01-01 00:00:00')") -}}
    {%- endif -%}
    {{- return('timestamp_micros(' ~ micros ~ ')') -}}
{% endmacro %}
