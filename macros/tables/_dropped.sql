{#
    The table of dropped rows: which row, why, when measured by which clock, and the whole row, to be looked at and
    counted again. Rows of one refresh are written in one commit and bear its number; lateness does not depend on cuts,
    so that whoever writes them writes the same.
#}
{% macro _dropped_columns(spec) %}
    {%- set columns = {} -%}
    {%- for column in spec.key + [spec.event_time] + event_windows._arrival_order(spec)
        if not event_windows._is_among(column, columns) -%}
        {%- do columns.update({column: event_windows._type_of(column, spec)}) -%}
    {%- endfor -%}
    {%- do columns.update({
        'reason': 'string', 'stream_time': event_windows._time_type(spec), 'run_id': 'string', 'source_row': 'string',
        '_ew_refresh': 'bigint'
    }) -%}
    {{- return(columns) -}}
{% endmacro %}


{#
    The whole row as JSON, times in full, which Spark would cut to milliseconds, and in UTC, so that every session
    writes the same.
#}
{% macro _source_row(spec, alias) %}
    {%- set fields = [] -%}
    {%- for name, type in spec.columns.items() -%}
        {%- set column = event_windows._names([name], alias) -%}
        {%- do fields.append(event_windows._literal(name) ~ ', '
            ~ ('cast(' ~ column ~ ' as string)' if 'interval' in type or type in ('void', 'variant') else column)) -%}
    {%- endfor -%}
    {{- return('to_json(named_struct(' ~ fields | join(', ') ~ "), map('ignoreNullFields', 'false', "
        ~ "'timeZone', 'UTC', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', "
        ~ "'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS'))") -}}
{% endmacro %}


{#
    The rows that this refresh does not count in full, inserted once. Of rows with an arrival order: those that the kept
    late rows name, and rows without a key, which no clock of a key measures and nothing has to be sorted for; these are
    among the kept too where their class is that of a late key, see _of_late_keys. Those of a build, whose commit has
    come, are written once, whoever writes them.
#}
{% macro _insert_dropped(spec, tables, run, parts) %}
    {%- set quoted = [] -%}
    {%- for column in event_windows._dropped_columns(spec) -%}
        {%- do quoted.append(event_windows._name(column)) -%}
    {%- endfor -%}
    {%- set sql = parts[0] if parts | length == 1
        else 'select * from (\n' ~ parts | join('\n)\nunion all\nselect * from (\n') ~ '\n)' -%}
    {%- if run.full -%}
        {{- return(event_windows._of_format(
            spec.file_format, 'insert_once', tables.dropped, quoted, sql, run.number
        )) -}}
    {%- endif -%}
    {{- return('insert into ' ~ tables.dropped ~ ' (' ~ quoted | join(', ') ~ ')\n'
        ~ event_windows._unless_there(tables.dropped, sql, run.number, run.run_id)) -}}
{% endmacro %}


{# The same as a SELECT. #}
{% macro _dropped_rows(spec, tables, run) %}
    {%- set own = event_windows._dropped_columns(spec).keys()
        | reject('in', ['reason', 'stream_time', 'run_id', 'source_row', '_ew_refresh']) | list -%}
    {%- set sql %}
with
{{ (
    event_windows._dropped_in_order(spec, tables, run, own) if spec.arrival
    else event_windows._dropped_at_once(spec, tables, run, own)
) | trim }}

select
    {{ event_windows._names(own, 'judged') }},
    judged._ew_reason as reason,
    {{ event_windows._time_from_micros('judged._ew_stream_time', spec) }} as stream_time,
    {{ event_windows._literal(run.run_id) }} as run_id,
    judged._ew_source_row as source_row,
    {{ event_windows._bigint(run.number) }} as _ew_refresh
from judged
where judged._ew_reason is not null
    {%- endset -%}
    {{- return(sql | trim) -}}
{% endmacro %}


{# CTEs up to judged: rows that came in some order, each with the stream time at its own arrival. #}
{% macro _dropped_in_order(spec, tables, run, own) %}
{%- set shared = spec.clock != 'key' -%}
{%- set scope = event_windows._clock_scope(spec) -%}
{%- set judged = [] -%}
{%- if run.read.kept -%}
    {%- do judged.append('select ' ~ event_windows._names(own) ~ ', _ew_reason, _ew_clock as _ew_stream_time, '
        ~ event_windows._source_row(spec, 'kept') ~ ' as _ew_source_row from ('
        ~ (event_windows._kept_late_rows(spec, event_windows._late(tables, run)) | trim)
        ~ ") as kept where _ew_reason <> 'null_key'") -%}
{%- endif -%}
{%- if run.read.without_key -%}
    {%- set clock = 'cast(null as bigint)' if not shared
        else ('arrived._ew_running' if run.full else 'greatest(arrived._ew_running, clocks_before._ew_before)') -%}
    {%- do judged.append('select ' ~ event_windows._names(own, 'arrived') ~ ', arrived._ew_reason, ' ~ clock
        ~ ' as _ew_stream_time, ' ~ event_windows._source_row(spec, 'arrived') ~ ' as _ew_source_row from '
        ~ ('clocked_rows' if shared else 'new_rows') ~ ' as arrived'
        ~ (' left join clocks_before on ' ~ event_windows._equal(scope, 'arrived', 'clocks_before', null_safe=true)
            if shared and not run.full else '')
        ~ " where arrived._ew_reason = 'null_key'") %}
new_rows as (
    {{ event_windows._new_rows(spec, {'from': run.from, 'to': run.to}) | trim }}
),
    {%- if shared %}

{{ event_windows._clocked_rows(spec, run.read.range_width) | trim }},
        {%- if not run.full %}

clocks_before as (
    {{ event_windows._clocks_before(spec, event_windows._clocks_until(tables, run)) | trim }}
),
        {%- endif %}
    {%- endif %}
{% endif %}
judged as (
    {{ judged | join('\n    union all\n    ') }}
)
{% endmacro %}


{# The same for rows that came in at one instant: late where all windows that hold them were closed before it. #}
{% macro _dropped_at_once(spec, tables, run, own) %}
{%- set scope = event_windows._clock_scope(spec) -%}
{%- set before = not run.full -%}
new_rows as (
    {{ event_windows._new_rows(spec, {'from': run.from, 'to': run.to}) | trim }}
),
{% if run.read.late_keys %}
{{ event_windows._pipeline(spec, event_windows._flow(spec, tables, run)) | trim }},

verdicts as (
    select
        {{ event_windows._names_before(spec.key, 'slices') }}slices._ew_slice,
        bool_and(windows_at_once._ew_late) as _ew_all, bool_or(windows_at_once._ew_late) as _ew_some
    from slices
    inner join windows_at_once
        on {{ event_windows._same_key(spec, 'slices', 'windows_at_once') }}
        and slices._ew_first between windows_at_once._ew_first and windows_at_once._ew_last
    group by {{ event_windows._names_before(spec.key, 'slices') }}slices._ew_slice
    having bool_or(windows_at_once._ew_late)
),
{% elif before %}
clocks_before as (
    {{ event_windows._clocks_before(spec, event_windows._clocks_until(tables, run)) | trim }}
),
{% endif %}
judged as (
    select
        {{ event_windows._names(own, 'arrived') }},
        coalesce(arrived._ew_reason{{
            ", case when verdicts._ew_all then 'late' when verdicts._ew_some then 'late_partial' end"
            if run.read.late_keys
        }}) as _ew_reason,
        {{
            'greatest(arrived._ew_time, clocks_before._ew_before)' if before else 'arrived._ew_time'
        }} as _ew_stream_time,
        {{ event_windows._source_row(spec, 'arrived') }} as _ew_source_row
    from (
        select *, {{ event_windows._of_window('slice', spec) }} as _ew_slice from new_rows
    ) as arrived
    {%- if run.read.late_keys %}
    left join verdicts on {{ event_windows._same_key(spec, 'arrived', 'verdicts') }}
        and arrived._ew_slice = verdicts._ew_slice
    {%- endif %}
    {%- if before %}
    left join clocks_before on {{ event_windows._equal(scope, 'arrived', 'clocks_before', null_safe=true) }}
    {%- endif %}
)
{% endmacro %}
