{#
    After the commit: dropped rows and clocks of keys that were made anew, from before it, are of rows that are no more
    what they were. Clocks that keys share are told from the windows of all. To delete them is right twice; what comes
    in their place is there already.
#}
{% macro _forget_rebuilt(spec, tables, run) %}
    {%- if not run.rebuilt %}{{- return('') -}}{% endif -%}
    {%- set older = 'stored._ew_refresh < ' ~ run.number -%}
    {%- do event_windows._statement(
        run, 'clocks',
        'delete from ' ~ tables.clocks ~ ' as stored where ' ~ older ~ ' and stored._ew_clock is not null' ~ (
            ' and ' ~ event_windows._is_rebuilt(spec, 'stored', run.rebuilt.among) if spec.clock == 'key' else ''
        )
    ) -%}
    {%- if spec.clock != 'key' -%}
        {%- do event_windows._statement(run, 'clocks', event_windows._tell_shared_clocks(spec, tables, run)) -%}
    {%- endif -%}
    {#- the last, since a run that is killed before may ask them which keys these were -#}
    {%- do event_windows._statement(
        run, 'dropped_rows',
        'delete from ' ~ tables.dropped ~ ' as stored where ' ~ older ~ ' and '
            ~ event_windows._is_rebuilt(spec, 'stored', run.rebuilt.among)
    ) -%}
{% endmacro %}


{# They stand under the number up to which the log was complete before. #}
{% macro _tell_shared_clocks(spec, tables, run) %}
{%- set scope = event_windows._clock_scope(spec) -%}
{%- set all = event_windows._names_before(scope) %}
insert into {{ tables.clocks }} ({{ all }}_ew_clock, _ew_refresh)
select {{ all }}max({{ event_windows._of_window('stored_newest', spec, 'stored') }}) as _ew_clock,
    {{ event_windows._bigint(event_windows._logged_before(run)) }} as _ew_refresh
from {{ tables.windows }} as stored
{{- '\ngroup by ' ~ event_windows._names(scope) if scope }}
{% endmacro %}
