{#
    How late rows came, added up: of each measure ('behind': stream time at arrival - event time; 'needed': the grace
    with which the row would count in full) one line for a quarter of a power of two and for each of the given graces
    between, with how many rows and the most of them. `part` of the keys is looked at. Rows without numbers have no
    stream time of their own: then only dropped rows are measured, those of all keys, beside all rows that were read.
#}
{% macro _report_lateness(relation, graces, part=1) %}
    {%- set asked = event_windows._reported_model(relation) -%}
    {%- if not asked.spec %}{{- return(event_windows._report_nothing()) -}}{% endif -%}
    {%- set spec = asked.spec -%}
    {%- set least = event_windows._of_window('least_grace', spec, '_ew_time', '_ew_clock') -%}
with
{%- if spec.arrival %}
{{ event_windows._report_rows(spec) | trim }},

{#- a clock that was moved by hand (event_windows__advance_to) is that of no row, and known of dropped ones alone #}

clocked_rows as (
    select
        {{ event_windows._names(spec.key, 'wanted') }},
        wanted._ew_time,
        greatest(wanted._ew_clock, dropped._ew_dropped_at) as _ew_clock
    from report_rows as wanted
    {{ event_windows._report_join_dropped(asked) | trim }}
),
{%- else %}
clocked_rows as (
    select
        {{ event_windows._names(spec.key) }},
        {{ event_windows._time_micros(event_windows._name(spec.event_time), spec) }} as _ew_time,
        {{ event_windows._time_micros('stream_time', spec) }} as _ew_clock
    from {{ event_windows._counted_dropped(asked) }}
    where reason in ('late', 'late_partial')
),
{%- endif %}
{{ event_windows._report_buckets(
    spec, 'clocked_rows', {'behind': '_ew_clock - _ew_time', 'needed': least},
    graces + ([spec.window.grace] if spec.window.grace is not none else []), part if spec.arrival else 1
) | trim }}
{%- if not spec.arrival %}
union all
{{ event_windows._report_line('read', {'n': event_windows._report_rows_read(asked)}) }}
{%- endif %}
{% endmacro %}


{# The same before there is a model: of any relation, with the columns named. #}
{% macro _report_lateness_of_source(relation, key, event_time, arrival, partition, graces, part=1) %}
    {%- if not execute %}{{- return(event_windows._report_nothing()) -}}{% endif -%}
    {%- set problems = [] -%}
    {%- set columns = event_windows._report_columns(relation, key + [event_time, arrival, partition], problems) -%}
    {%- set type = event_windows._type_of(event_time, {'columns': columns}) -%}
    {%- if not problems and type not in ('timestamp', 'timestamp_ntz') -%}
        {%- do problems.append("event time '" ~ event_time ~ "' is of type " ~ type
            ~ ': allowed are TIMESTAMP and TIMESTAMP_NTZ') -%}
    {%- endif -%}
    {%- if problems %}{{ event_windows._raise('the report', problems) }}{% endif -%}
    {%- set spec = {
        'relation': '(select * from ' ~ relation ~ ' where ' ~ event_windows._name(arrival) ~ ' is not null)',
        'key': key, 'event_time': event_time, 'arrival': arrival,
        'partition': partition, 'clock': 'key', 'columns': columns, 'null_keys': false, 'max_ahead': none,
        'window': {'grace': none, 'origin': none, 'resolution': none}
    } -%}
with
{{ event_windows._report_rows(spec) | trim }},
{{ event_windows._report_buckets(spec, 'report_rows', {'behind': '_ew_clock - _ew_time'}, graces, part) | trim }}
{% endmacro %}


{# From rows with their stream time to lines. Graces are bounds of buckets, so that what they lose is told exactly. #}
{% macro _report_buckets(spec, rows, measures, graces, part) %}
    {%- set structs, bounds = [], [] -%}
    {%- for name, sql in measures.items() -%}
        {%- do structs.append("struct('" ~ name ~ "' as measure, greatest(0L, " ~ sql ~ ') as micros)') -%}
    {%- endfor -%}
    {%- for grace in graces %}{% do bounds.append(grace ~ 'L') %}{% endfor -%}
measured_rows as (
    select explode(array({{ structs | join(', ') }})) as measured
    from {{ rows }}
    where _ew_time is not null and _ew_clock is not null
    {%- if part < 1 %}
        and pmod(xxhash64({{ event_windows._names(spec.key) }}), 1000000) < {{ (part * 1000000) | int }}
    {%- endif %}
),

buckets as (
    select
        measured.measure as measure,
        count(*) as n,
        max(measured.micros) as most
    from measured_rows
    group by
        measured.measure,
        if(measured.micros = 0, -1, floor(log2(measured.micros) * 4)),
        size(filter(array({{ bounds | join(', ') }}), _ew_bound -> _ew_bound < measured.micros))
)

{{ event_windows._report_line('late', {'measure': 'measure', 'n': 'n', 'most': 'most'}) }}
from buckets
{%- endmacro %}
