{#
    Whether too many rows came late, by the ledger: rows not counted in full (late and late_partial) of the model's last
    `runs` refreshes taken together, against a fraction of the rows read, a number, or both.
#}
{% test late_rows_at_most(model, fraction=none, number=none, runs=1) %}
    {{ adapter.dispatch('test_late_rows_at_most', 'event_windows')(
        windows=model, fraction=fraction, number=number, runs=runs
    ) }}
{% endtest %}


{% macro default__test_late_rows_at_most(windows, fraction, number, runs) %}
    {%- set problems = [] -%}
    {%- if fraction is none and number is none -%}
        {%- do problems.append('fraction and number are both missing: give fraction (of the rows read, 0 to 1), '
            ~ 'number (of rows), or both') -%}
    {%- endif -%}
    {%- if fraction is not none and not (fraction is number and fraction is not boolean and 0 <= fraction <= 1) -%}
        {%- do problems.append("fraction is '" ~ fraction ~ "': give a number from 0 to 1") -%}
    {%- endif -%}
    {%- if number is not none and not (number is integer and number is not boolean and number >= 0) -%}
        {%- do problems.append("number is '" ~ number ~ "': give a whole number, 0 or more") -%}
    {%- endif -%}
    {%- if not (runs == 'all' or (runs is integer and runs is not boolean and runs > 0)) -%}
        {%- do problems.append("runs is '" ~ runs ~ "': give how many of the last refreshes, 1 or more, or 'all'") -%}
    {%- endif -%}
    {%- if windows is string -%}
        {%- do problems.append('it takes no where: it reads the ledger, not the windows') -%}
    {%- endif -%}
    {%- if problems %}{{ event_windows._raise('test late_rows_at_most', problems) }}{% endif -%}
    {%- set tables = event_windows._tables(windows, asks=true) -%}
    {%- set name = event_windows._literal(tables.model.identifier) -%}
    {%- set no_refresh = "'no refresh of this model is in the ledger'" -%}
    {#- the first run in a schema makes it -#}
    {%- if event_windows._is_running() and not event_windows._found(tables.runs) -%}
        {{- return('select ' ~ name ~ ' as model, ' ~ no_refresh ~ ' as problem') -}}
    {%- elif event_windows._is_running() and '_ew_refresh' not in event_windows._columns_there(tables.runs) -%}
        {{ event_windows._raise('test late_rows_at_most', ['the ledger ' ~ tables.runs ~ ' was made by another version '
            ~ 'of the package, and does not say which refresh was the last: run a model with --full-refresh, which '
            ~ 'gives it the columns that it lacks']) }}
    {%- endif -%}
    {%- if execute and event_windows._found(tables.runs)
        and run_query(event_windows._last_told(tables)).rows[0]['number'] is not none -%}
        {#- what is there now may be no windowed model any more, whose ledger stays as it was -#}
        {%- do event_windows._refreshed_model('test late_rows_at_most', windows, problems) -%}
    {%- endif -%}
    {%- set too_many = [] -%}
    {%- if fraction is not none -%}
        {%- do too_many.append('rows_late + rows_late_partial > ' ~ fraction ~ ' * rows_read') -%}
    {%- endif -%}
    {%- if number is not none %}{% do too_many.append('rows_late + rows_late_partial > ' ~ number) %}{% endif -%}
with
last_runs as (
    select * {{ event_windows._from_ledger(tables) }}
    order by _ew_refresh desc
    {%- if runs != 'all' %}
    limit {{ runs }}
    {%- endif %}
),

together as (
    select
        count(*) as refreshes,
        min(started_at) as first_started_at,
        coalesce(sum(rows_read), 0) as rows_read,
        coalesce(sum(rows_late), 0) as rows_late,
        coalesce(sum(rows_late_partial), 0) as rows_late_partial
    from last_runs
)

-- a model without a refresh in the ledger cannot be judged, and that is no pass
select
    {{ name }} as model,
    together.*,
    if(refreshes = 0, {{ no_refresh }}, {{ event_windows._literal('more late rows than ' ~ ([
        'a fraction of ' ~ fraction if fraction is not none else none, number if number is not none else none
    ] | reject('none') | join(' or '))) }}) as problem
from together
where refreshes = 0 or {{ too_many | join(' or ') }}
{% endmacro %}
