{#
    Source rows that vanished: neither in a window of their key by their time nor in the table of dropped rows; and,
    where the model has an aggregate that counts rows, keys whose windows count more or fewer rows than the source has
    for them. Only rows that the last refresh has read are looked at, where the source's log is followed as it saw them.
    `source` is the relation that the model is over, where the one that it was built over cannot be read.
#}
{% test every_row_is_counted(model, source=none, count=none) %}
    {{ adapter.dispatch('test_every_row_is_counted', 'event_windows')(windows=model, rows=source, count=count) }}
{% endtest %}


{% macro default__test_every_row_is_counted(windows, rows, count) %}
    {%- set problems = [] -%}
    {%- if windows is string -%}
        {%- do problems.append('it takes no where: rows are counted against the whole table') -%}
    {%- endif -%}
    {%- set table = event_windows._windowed_table('test every_row_is_counted', windows, problems) -%}
    {%- if not table.spec %}{{- return('') -}}{% endif -%}
    {%- do event_windows._check_is_shown(table, table.spec.key + ['window_start', 'window_end'], problems) -%}
    {%- if table.spec.plain is mapping and table.spec.plain.having is not none -%}
        {%- do problems.append('the model publishes final windows, and those that fail its HAVING nowhere, so that '
            ~ 'their rows cannot be looked for: use the test equals_from_scratch') -%}
    {%- endif -%}
    {%- set count = event_windows._counting_column(table, count) -%}
    {%- set asked = event_windows._tested_model('every_row_is_counted', windows, problems, rows) -%}
    {%- if asked.spec and not asked.readable -%}
        {%- do problems.append(event_windows._why_unreadable(asked)) -%}
    {%- endif -%}
    {%- if problems %}{{ event_windows._raise('test every_row_is_counted', problems) }}{% endif -%}
    {%- set spec, tables = asked.spec, asked.tables -%}
    {#- what stands for the relation that is gone has no log that was followed -#}
    {%- set read = event_windows._as_read(asked) if rows is none or spec.plain is not none else spec -%}
    {%- set through = asked.progress.through if asked.progress else [] -%}
    {%- set key = event_windows._names(spec.key) -%}
    {%- set row = spec.key | list -%}
    {%- for column in [spec.event_time] + event_windows._arrival_order(spec)
        if not event_windows._is_among(column, row) -%}
        {%- do row.append(column) -%}
    {%- endfor -%}
    {%- set others = row | reject('in', spec.key) | list -%}
with
read_rows as (
    {{ event_windows._new_rows(read, {'from': [], 'to': through}) | trim }}
),

source_rows as (
    select read_rows.*
    from read_rows
    {%- if table.spec.expire == 'delete' %}
    -- the windows of older rows may have left the table
    {{ event_windows._join_shown_clocks(
        spec, tables, asked.generation, 'left', windows='read_rows', null_safe=true
    ) | trim }}
    where coalesce(
        read_rows._ew_time
            >= {{ event_windows._time_micros('clock.stream_time', spec) }} - {{ table.spec.leaves_after }},
        true
    )
    {%- endif %}
),

held_windows as (
    {%- set held = event_windows._names(
        spec.key + ['window_start', 'window_end'] + [count] | reject('none') | list, 'stored'
    ) %}
    select {{ held }} from {{ table.sql }} as stored
    {%- if table.spec.emit == 'final' %}
    union all
    select {{ held }} from {{ tables.state }} as stored
    {{ event_windows._join_shown_clocks(spec, tables, asked.generation, 'left') | trim }}
    {%- set until = event_windows._of_window('stored_until', spec, 'stored') %}
    where not coalesce(
        {{ event_windows._closed(spec, until, event_windows._time_micros('clock.stream_time', spec)) }}, false
    )
    {%- endif %}
),

-- up to each row's time, how far do windows reach that start at it or before it
rows_among_windows as (
    select
        *,
        max(_ew_until) over (
            partition by {{ key }} order by _ew_time range between unbounded preceding and current row
        ) as _ew_reached
    from (
        select {{ event_windows._names(row) }}, _ew_time, cast(null as bigint) as _ew_until, true as _ew_is_row
        from source_rows
        union all
        select
            {{ key }}, {% for column in others %}null, {% endfor -%}
            {{ event_windows._time_micros('held_windows.window_start', spec) }},
            {{ event_windows._stored_last(spec, 'held_windows') }},
            false
        from held_windows
    ) as timeline
),

vanished as (
    select {{ event_windows._names(row, 'counted') }}, 'in no window of its key, and not dropped' as problem
    from rows_among_windows as counted
    left anti join {{ event_windows._counted_dropped(asked) }} as dropped
        on {{ event_windows._equal(row, 'counted', 'dropped', null_safe=true) }}
    where counted._ew_is_row and not coalesce(counted._ew_reached >= counted._ew_time, false)
)
{%- if count %},

expected as (
    select {{ key }}, sum(_ew_n) as _ew_n
    from (
        select {{ key }}, {{ event_windows._windows_per_row(spec, '_ew_time') }} as _ew_n
        from source_rows
        where _ew_time is not null
        union all
        select {{ key }}, -{{ event_windows._windows_missed(spec) }}
        from {{ event_windows._counted_dropped(asked) }}
        where reason in ('late', 'late_partial')
    ) as countings
    group by {{ key }}
),

counted as (
    select {{ key }}, sum({{ event_windows._name(count) }}) as _ew_n
    from held_windows
    group by {{ key }}
),

miscounted as (
    select
        {% for column in spec.key -%}
            {%- set name = event_windows._name(column) -%}
            coalesce(expected.{{ name }}, counted.{{ name }}) as {{ name }},
        {% endfor -%}
        {% for column in others %}null, {% endfor -%}
        concat(
            'windows of the key count ', coalesce(counted._ew_n, 0), ' rows, its source rows that were not late make ',
            coalesce(expected._ew_n, 0)
        ) as problem
    from expected
    full outer join counted on {{ event_windows._equal(spec.key, 'expected', 'counted', null_safe=spec.null_keys) }}
    where coalesce(expected._ew_n, 0) <> coalesce(counted._ew_n, 0)
)
{%- endif %}

select * from vanished
{%- if count %}
union all
select * from miscounted
{%- endif %}
{% endmacro %}
