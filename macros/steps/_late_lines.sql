{#
    Late rows as text: what became of each, without the row. Where they are few the statements to come read these rows
    again between the same bounds. A cached relation would be analysed and planned with each of them, all of the replay:
    Spark keeps its text.

    Rows that agree in what tells them apart (`_told_apart`) have one answer: they have the same clock, and where the
    first counts the second joins it. A row that came between the bounds since has no line, and waits like any other
    that came below the last number.
#}
{% macro _late_lines(spec, late_rows, most=500) %}
    {%- set fields = [] -%}
    {%- for name in event_windows._line_fields() -%}
        {%- do fields.append("'" ~ name ~ "', " ~ ('least(_ew_item, 1L)' if name == '_ew_item' else name)) -%}
    {%- endfor %}
with
late_rows as (
    {{ late_rows | indent(4) }}
)

select
    count(*) as lines,
    count_if(_ew_reason = 'late') as late, count_if(_ew_reason = 'late_partial') as late_partial,
    if(count(*) <= {{ most }}, to_json(collect_set(named_struct(
        {{ fields | join(', ') }}
    ))), null) as kept
from late_rows
{% endmacro %}


{# The same read back, with the rows. `late` is as in _late. #}
{% macro _rows_of_lines(spec, late) %}
    select
        {%- for name in spec.columns %}
        arrived.{{ event_windows._name(name) }},
        {%- endfor %}
        line._ew_time, line._ew_clock, line._ew_until, line._ew_item, line._ew_key, line._ew_window,
        line._ew_window_last, line._ew_reason
    from (
        {{ event_windows._lines(late) | trim }}
    ) as line
    inner join (
        select
            clocked.*,
            {%- for name, expression in event_windows._told_apart(spec, 'clocked').items() %}
            {{ expression }} as {{ name }},
            {%- endfor %}
            {{ event_windows._key_digest(event_windows._replayed_key_of_row(spec, 'clocked')) }} as _ew_key,
            {{ event_windows._of_window('row_until', spec) }} as _ew_until
        from (
            {{ event_windows._new_rows(spec, late.bounds) | trim | indent(8) }}
        ) as clocked
        {{ event_windows._of_late_keys(spec, 'clocked', late) }}
    ) as arrived
        on {{ event_windows._equal(['_ew_key', '_ew_arrival'], 'line', 'arrived') }}
        and {{ event_windows._equal(['_ew_partition', '_ew_time', '_ew_until'], 'line', 'arrived', null_safe=true) }}
{% endmacro %}


{# The lines alone, as a SELECT. #}
{% macro _lines(late) %}
    {%- set types = [] -%}
    {%- for name, type in event_windows._line_fields().items() %}{% do types.append(name ~ ': ' ~ type) %}{% endfor %}
    select inline(from_json({{ event_windows._literal(late.lines) }}, 'array<struct<{{ types | join(', ') }}>>'))
{% endmacro %}


{# What tells rows of a key apart, beside their times. #}
{% macro _told_apart(spec, alias) %}
    {{- return({
        '_ew_arrival': 'cast(' ~ event_windows._names([spec.arrival], alias) ~ ' as bigint)',
        '_ew_partition': event_windows._partition_number(spec, alias) if spec.partition else event_windows._bigint(none)
    }) -}}
{% endmacro %}


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
