{#
    After the commit: dropped rows and clocks of these keys from before it are of rows that are no more what they were.
    To delete them is right twice.
#}
{% macro _forget_rebuilt(spec, tables, run) %}
    {%- if not run.rebuilt %}{{- return('') -}}{% endif -%}
    {%- do event_windows._statement(run, 'dropped_rows', event_windows._delete_of_keys(
        tables.dropped, run.rebuilt['keys'], spec.key, run.number
    )) -%}
    {%- set scope = event_windows._clock_scope(spec) -%}
    {%- do event_windows._statement(run, 'clocks', event_windows._delete_of_keys(
        tables.clocks, run.rebuilt['keys'], scope, run.number, 'and stored._ew_clock is not null'
    )) -%}
    {%- if spec.clock != 'key' -%}
        {%- do event_windows._statement(run, 'clocks', event_windows._tell_shared_clocks(spec, tables, run)) -%}
    {%- endif -%}
{% endmacro %}


{% macro _delete_of_keys(table, keys, columns, number, more='') %}
merge into {{ table }} as stored
using (select distinct {{ event_windows._names(columns) or '1 as _ew_one' }} from {{ keys }}) as rebuilt
on {{ event_windows._equal(columns, 'stored', 'rebuilt', null_safe=true) }}
    and stored._ew_refresh < {{ number }} {{ more }}
when matched then delete
{% endmacro %}


{#
    A clock that these keys share with others is told from the windows of all of them, under the number up to which the
    log was complete before.
#}
{% macro _tell_shared_clocks(spec, tables, run) %}
{%- set scope = event_windows._clock_scope(spec) -%}
{%- set all = event_windows._names_before(scope) %}
insert into {{ tables.clocks }} ({{ all }}_ew_clock, _ew_refresh)
select {{ all }}max({{ event_windows._of_window('stored_newest', spec, 'stored') }}) as _ew_clock,
    {{ event_windows._bigint(event_windows._logged_before(run)) }} as _ew_refresh
from {{ tables.windows }} as stored
{%- if scope %}
left semi join {{ run.rebuilt['keys'] }} as rebuilt
    on {{ event_windows._equal(scope, 'stored', 'rebuilt', null_safe=true) }}
group by {{ event_windows._names(scope) }}
{%- endif %}
{% endmacro %}
