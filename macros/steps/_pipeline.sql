{#
    The one place that puts the steps together. Each step is a CTE with the step's name; the query reads like the list
    in docs/refresh.md.

    new_rows -> slices -> clocks_before -> late_keys -> late_rows -> stored_windows
        -> merge_inputs -> windows -> changes

    from scratch    from rows to windows in one query
    build           the same, over slices and late rows that the run keeps
    refresh         with stored windows, down to changes

    `flow` says what is there already: {'slices': relation, 'rows': how many were read, 'late': {'table', 'classes',
    'lines', 'bounds'} or none, 'stored': {...} or none, 'at_once': whether rows may be late that came at one instant}.
    From scratch it is none.
#}
{% macro _pipeline(spec, flow=none) %}
    {%- set scratch = flow is none -%}
    {%- set spec = spec if scratch else dict(spec, rows_read=flow.rows) -%}
    {%- set stored = flow.stored if flow else none -%}
    {%- set late = flow.late if flow
        else ({'classes': none} if spec.arrival and event_windows._late_margin(spec) is not none else none) -%}
    {%- set needs_clocks = stored and (event_windows._asks_what_left(spec) or flow.at_once) -%}
    {%- if scratch %}
new_rows as (
    {{ event_windows._new_rows(spec) | trim }}
),

slices as (
    {{ event_windows._slices(spec, once=late is not none) | trim }}
),
    {%- else %}
slices as (
    select * from {{ flow.slices }} where _ew_first is not null
),
    {%- endif %}
    {%- if needs_clocks %}

clocks_before as (
    {{ event_windows._clocks_before(spec, stored.clocks, near=flow.slices) | trim }}
),
    {%- endif %}
    {%- if late and scratch %}

{{ event_windows._late_keys(spec, once=true) | trim }},

{{ event_windows._late_steps(spec, late, once=true) | trim }},

late_rows as (
    {{ event_windows._late_rows() | trim }}
),
    {%- elif late %}

late_rows as (
    {{ event_windows._kept_late_rows(spec, late) | trim }}
),
        {%- if not late.classes %}

late_keys as (
    select distinct {{ event_windows._names(spec.key) }} from late_rows
),
        {%- endif %}
    {%- endif %}
    {%- if stored %}

{{ event_windows._stored_windows(spec, stored) | trim }},
    {%- endif %}
    {%- if stored and late and event_windows._replay_moves_stored(spec) %}

late_windows as (
    {{ event_windows._late_windows(spec, late) | trim }}
),

moved_windows as (
    {{ event_windows._moved_windows(late) | trim }}
),
    {%- endif %}

{{ event_windows._window_steps(spec, late=late, stored=stored is not none) | trim }}
    {%- if stored %},

{{ event_windows._changes(spec, at_once=flow.at_once) | trim }}
    {%- endif %}
{% endmacro %}


{# Every window from all rows in one SELECT: what a table, a view or an ad hoc query compiles to. #}
{% macro _from_scratch(spec) -%}
with
{{ event_windows._pipeline(spec) | trim }}

select
    {{- event_windows._select_columns(event_windows._window_columns(spec)) }}
from windows
{%- endmacro %}
