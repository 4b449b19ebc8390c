{#
    Step dropped rows: what a refresh does not count in full, as it goes to m__dropped. Of rows with an arrival order
    those that the kept late rows name, and rows without a key, which no clock of a key measures and nothing has to be
    sorted for; these are among the kept too where their class is that of a late key, see _of_late_keys. `own` are the
    source's columns that the table has; `dropped` is what a run knows of these rows, see macros/tables/_flow.sql.
#}
{% macro _dropped_rows(spec, own, dropped) %}
    {%- set sql %}
with
{{ (
    event_windows._dropped_in_order(spec, own, dropped) if spec.arrival
    else event_windows._dropped_at_once(spec, own, dropped)
) | trim }}

select
    {{ event_windows._names(own, 'judged') }},
    judged._ew_reason as reason,
    {{ event_windows._time_from_micros('judged._ew_stream_time', spec) }} as stream_time,
    {{ event_windows._literal(dropped.run_id) }} as run_id,
    judged._ew_source_row as source_row,
    {{ event_windows._bigint(dropped.number) }} as _ew_refresh
from judged
where judged._ew_reason is not null
    {%- endset -%}
    {{- return(sql | trim) -}}
{% endmacro %}


{# CTEs up to judged: rows that came in some order, each with the stream time at its own arrival. #}
{% macro _dropped_in_order(spec, own, dropped) %}
{%- set shared = spec.clock != 'key' -%}
{%- set scope = event_windows._clock_scope(spec) -%}
{%- set judged = [] -%}
{%- if dropped.kept -%}
    {%- do judged.append('select ' ~ event_windows._names(own) ~ ', _ew_reason, _ew_clock as _ew_stream_time, '
        ~ event_windows._source_row(spec, 'kept') ~ ' as _ew_source_row from ('
        ~ (event_windows._kept_late_rows(spec, dropped.kept) | trim)
        ~ ") as kept where _ew_reason <> 'null_key'") -%}
{%- endif -%}
{%- if dropped.without_key -%}
    {%- set clock = 'cast(null as bigint)' if not shared
        else ('greatest(arrived._ew_running, clocks_before._ew_before)' if dropped.clocks
            else 'arrived._ew_running') -%}
    {%- do judged.append('select ' ~ event_windows._names(own, 'arrived') ~ ', arrived._ew_reason, ' ~ clock
        ~ ' as _ew_stream_time, ' ~ event_windows._source_row(spec, 'arrived') ~ ' as _ew_source_row from '
        ~ ('clocked_rows' if shared else 'new_rows') ~ ' as arrived'
        ~ (' left join clocks_before on ' ~ event_windows._equal(scope, 'arrived', 'clocks_before', null_safe=true)
            if shared and dropped.clocks else '')
        ~ " where arrived._ew_reason = 'null_key'") %}
new_rows as (
    {{ event_windows._new_rows(spec, dropped.bounds) | trim }}
),
    {%- if shared %}

{{ event_windows._clocked_rows(spec, dropped.range_width) | trim }},
        {%- if dropped.clocks %}

clocks_before as (
    {{ event_windows._clocks_before(spec, dropped.clocks) | trim }}
),
        {%- endif %}
    {%- endif %}
{% endif %}
judged as (
    {{ judged | join('\n    union all\n    ') }}
)
{% endmacro %}


{# The same for rows that came in at one instant: late where all windows that hold them were closed before it. #}
{% macro _dropped_at_once(spec, own, dropped) %}
{%- set scope = event_windows._clock_scope(spec) -%}
new_rows as (
    {{ event_windows._new_rows(spec, dropped.bounds) | trim }}
),
{% if dropped.pipeline %}
{{ event_windows._pipeline(spec, dropped.pipeline) | trim }},

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
{% elif dropped.clocks %}
clocks_before as (
    {{ event_windows._clocks_before(spec, dropped.clocks) | trim }}
),
{% endif %}
judged as (
    select
        {{ event_windows._names(own, 'arrived') }},
        coalesce(arrived._ew_reason{{
            ", case when verdicts._ew_all then 'late' when verdicts._ew_some then 'late_partial' end"
            if dropped.pipeline
        }}) as _ew_reason,
        {{
            'greatest(arrived._ew_time, clocks_before._ew_before)' if dropped.clocks else 'arrived._ew_time'
        }} as _ew_stream_time,
        {{ event_windows._source_row(spec, 'arrived') }} as _ew_source_row
    from (
        select *, {{ event_windows._of_window('slice', spec) }} as _ew_slice from new_rows
    ) as arrived
    {%- if dropped.pipeline %}
    left join verdicts on {{ event_windows._same_key(spec, 'arrived', 'verdicts') }}
        and arrived._ew_slice = verdicts._ew_slice
    {%- endif %}
    {%- if dropped.clocks %}
    left join clocks_before on {{ event_windows._equal(scope, 'arrived', 'clocks_before', null_safe=true) }}
    {%- endif %}
)
{% endmacro %}


{# The whole row as JSON, with times in full and in UTC, so that every session writes the same. #}
{% macro _source_row(spec, alias) %}
    {%- set fields = [] -%}
    {%- for name, type in spec.columns.items() -%}
        {%- set column = event_windows._names([name], alias) -%}
        {%- do fields.append(event_windows._literal(name) ~ ', '
            ~ ('cast(' ~ column ~ ' as string)' if type.startswith('time(') else column)) -%}
    {%- endfor -%}
    {{- return('to_json(named_struct(' ~ fields | join(', ') ~ '), '
        ~ event_windows._json_options("'ignoreNullFields', 'false', ") ~ ')') -}}
{% endmacro %}
