{#
    Late rows as a run keeps them between its statements: the dropped rows and the MERGE both need them, and a replay
    must see the stored windows as they are before the MERGE. A row stands on a line for each window that it counts in,
    or on one without a window; one of them bears _ew_reason: late (in no window), late_partial (missed a closed one,
    counted in another), or why no window can count it. Lines without a row are stored windows that the replay moves
    (_ew_item below zero), where it does.

    Where they are few the lines are kept as text, without the rows, which are read again by what tells them apart; see
    _late_lines. Else with the rows, in one relation that lives as long as the refresh. Columns of the source are kept
    under numbers, since no name of theirs may stop the run here; those that no file can hold go as text, or not at all.
#}
{% macro _late_rows_to_keep(spec, replayed, as_lines) %}
{%- set columns = [] -%}
{%- if as_lines -%}
    {%- for name, expression in event_windows._arrival_of(spec, 'checked_rows').items() -%}
        {%- do columns.append(expression ~ ' as ' ~ name) -%}
    {%- endfor -%}
{%- else -%}
    {%- for name, type in spec.columns.items() -%}
        {%- set column = 'checked_rows.' ~ event_windows._name(name) -%}
        {%- if type != 'void' -%}
            {%- do columns.append(('cast(' ~ column ~ ' as string)' if type == 'interval' else column) ~ ' as c'
                ~ loop.index) -%}
        {%- endif -%}
    {%- endfor -%}
{%- endif -%}
{%- set of_item = 'partition by checked_rows._ew_key, checked_rows._ew_item' -%}
{%- set moves = event_windows._replay_moves_stored(spec) -%}
{%- set places = event_windows._trait('places', spec) %}
select
    {{ columns | join(',\n    ') }},
    checked_rows._ew_time, checked_rows._ew_clock, checked_rows._ew_until,
    {%- if replayed %}
    {%- set key, item = 'checked_rows._ew_key', 'checked_rows._ew_item' %}
    {{ 'coalesce(' ~ item ~ ', replayed._ew_item) as _ew_item' if moves else item }},
    {{ event_windows._key_digest('coalesce(' ~ key ~ ', replayed._ew_key)' if moves else key) }} as _ew_key,
    replayed._ew_window, replayed._ew_window_last,
    case
        {%- if moves %}
        when checked_rows._ew_item is null then null
        {%- endif %}
        {%- if places %}
        when row_number() over ({{ of_item }} order by replayed._ew_window) > 1 then null
        {%- endif %}
        when checked_rows._ew_reason is not null then checked_rows._ew_reason
        when replayed._ew_window is null then 'late'
        {%- if places %}
        when bool_or(replayed._ew_missed) over ({{ of_item }}) then 'late_partial'
        {%- endif %}
    end as _ew_reason
    {%- else %}
    checked_rows._ew_item, {{ event_windows._key_digest('checked_rows._ew_key') }} as _ew_key,
    cast(null as bigint) as _ew_window, cast(null as bigint) as _ew_window_last, checked_rows._ew_reason
    {%- endif %}
from checked_rows
{%- if replayed %}
{{ 'full outer' if moves else 'left' }} join replayed
    on checked_rows._ew_key = replayed._ew_key and checked_rows._ew_item = replayed._ew_item
{%- endif %}
{% endmacro %}


{# The same read back, with the source's own names: rows of late keys. `late` is as in _late. #}
{% macro _kept_late_rows(spec, late) %}
    {%- if late.lines is not none %}{{ return(event_windows._rows_of_lines(spec, late)) }}{% endif %}
    select
        {%- for name, type in spec.columns.items() %}
        {%- set column = 'c' ~ loop.index %}
        {{
            'null' if type == 'void' else ('cast(' ~ column ~ ' as interval)' if type == 'interval' else column)
        }} as {{ event_windows._name(name) }},
        {%- endfor %}
        _ew_time, _ew_clock, _ew_until, _ew_item, _ew_key, _ew_window, _ew_window_last, _ew_reason
    from {{ late.table }}
    where _ew_item > 0
{% endmacro %}


{# The stored windows that the replay moves. #}
{% macro _moved_windows(late) %}
    select _ew_key, _ew_item, _ew_window, _ew_window_last
    from {{ late.table if late.lines is none else '(' ~ event_windows._lines(late) | trim ~ ') as lines' }}
    where _ew_item < 0
{% endmacro %}
