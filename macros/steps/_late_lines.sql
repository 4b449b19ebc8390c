{#
    Late rows as text: what became of each, without the row. Where they are few the statements to come read these rows
    again between the same bounds. A cached relation would be analysed and planned with each of them, all of the replay:
    Spark keeps its text.

    A row is known by its key, its number and partition, its time and its reach. Where two rows agree in these the text
    is null, as it is where there are too many lines. A row that came between the bounds since has no line, and waits
    like any other that came below the last number; one that is gone stops the run.
#}
{% macro _late_lines(late_rows, most=500) %}
    {%- set exact, others = event_windows._known_by() %}
with
late_rows as (
{{ late_rows }}
),

few_late_rows as (
    select * from late_rows limit {{ most + 1 }}
)

select
    {{ event_windows._late_counts() }},
    if(
        count(*) <= {{ most }} and
            size(collect_set(if(_ew_item > 0, struct({{ (exact + others) | join(', ') }}), null)))
            = size(collect_set(if(_ew_item > 0, struct(_ew_key, _ew_item), null))),
        to_json(collect_list(struct({{ event_windows._line_fields().keys() | join(', ') }}))),
        null
    ) as kept
from few_late_rows
{% endmacro %}


{# The same read back, with the rows. `late` is as in _late. #}
{% macro _rows_of_lines(spec, late) %}
    {%- set exact, others = event_windows._known_by() -%}
    {%- set gone = "event_windows: rows of the source changed while this run read them: run again" %}
    select
        {%- for name in spec.columns %}
        arrived.{{ event_windows._name(name) }},
        {%- endfor %}
        line._ew_time, line._ew_clock, line._ew_until, line._ew_item, line._ew_key, line._ew_window,
        line._ew_window_last, line._ew_reason
    from (
        {{ event_windows._lines(late) | trim }}
        where _ew_item > 0
    ) as line
    left join (
        select
            clocked.*,
            {%- for name, expression in event_windows._arrival_of(spec, 'clocked').items() %}
            {{ expression }} as {{ name }},
            {%- endfor %}
            {{ event_windows._key_digest(event_windows._replayed_key(spec, 'clocked')) }} as _ew_key,
            {{ event_windows._of_window('row_until', spec) }} as _ew_until
        from (
            {{ event_windows._new_rows(spec, late.bounds) | trim }}
        ) as clocked
        {{ event_windows._of_late_keys(spec, 'clocked', late) }}
    ) as arrived
        on {{ event_windows._equal(exact, 'line', 'arrived') }}
        and {{ event_windows._equal(others, 'line', 'arrived', null_safe=true) }}
    where if(arrived._ew_key is null, raise_error({{ event_windows._literal(gone) }}), true)
{% endmacro %}


{# The lines alone, as a SELECT without WHERE. #}
{% macro _lines(late) %}
    {%- set types = [] -%}
    {%- for name, type in event_windows._line_fields().items() %}{% do types.append(name ~ ': ' ~ type) %}{% endfor %}
    select *
    from (
        select inline(from_json(
            {{ event_windows._literal(late.lines) }}, 'array<struct<{{ types | join(', ') }}>>',
            map('mode', 'FAILFAST')
        ))
    ) as lines
{% endmacro %}


{# What a row is known by: columns that are there, and those that may be null. #}
{% macro _known_by() %}
    {{- return([['_ew_key', '_ew_arrival'], ['_ew_partition', '_ew_time', '_ew_until']]) -}}
{% endmacro %}


{# A row's number, and whose numbers these are. #}
{% macro _arrival_of(spec, alias) %}
    {{- return({
        '_ew_arrival': 'cast(' ~ event_windows._names([spec.arrival], alias) ~ ' as bigint)',
        '_ew_partition': event_windows._partition_number(spec, alias) if spec.partition
            else event_windows._bigint(none)
    }) -}}
{% endmacro %}


{# What is told of each, and its types. #}
{% macro _line_fields() %}
    {{- return({
        '_ew_key': 'string', '_ew_item': 'bigint', '_ew_arrival': 'bigint', '_ew_partition': 'bigint',
        '_ew_time': 'bigint', '_ew_until': 'bigint', '_ew_clock': 'bigint', '_ew_window': 'bigint',
        '_ew_window_last': 'bigint', '_ew_reason': 'string'
    }) -}}
{% endmacro %}


{# A key's text as a short one, whatever characters are in it. #}
{% macro _key_digest(text) %}
    {{- return('sha2(' ~ text ~ ', 256)') -}}
{% endmacro %}


{#
    How many lines there are, how many rows were late, and how many stored windows the replay moves, as columns of a
    SELECT over the lines.
#}
{% macro _late_counts() %}
    {{- return("count(*) as lines, count_if(_ew_reason = 'late') as late, "
        ~ "count_if(_ew_reason = 'late_partial') as late_partial, "
        ~ "count_if(_ew_item < 0 and _ew_window is not null) as moved_windows") -}}
{% endmacro %}
