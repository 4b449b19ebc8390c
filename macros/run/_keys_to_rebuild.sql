{#
    Which keys a refresh makes anew; none if none; {'problem'} that is to stop the run:

    where       a condition over key columns, of the var event_windows__rebuild; 'true' where all are
    late_rows   whether those of late rows are, which a longer grace may count
    from, to    versions of the source's table between which rows changed
    commits     those that changed rows, where they alone are looked at; none for all
#}
{% macro _keys_to_rebuild(spec, run, done) %}
    {%- set late = done.get('late_again') -%}
    {%- set where = 'true' if late == 'all' else done.get('rebuild') -%}
    {%- do done.update({'rebuild': none}) -%}
    {%- set changed = event_windows._changed_since(spec, run) -%}
    {%- if changed and changed.problem is defined %}{{- return(changed) -}}{% endif -%}
    {%- if where is none and changed is none and not late %}{{- return(none) -}}{% endif -%}
    {{- return(dict(
        changed or {'from': none, 'to': none, 'commits': none}, where=where, late_rows=late in ('true', 'all')
    )) -}}
{% endmacro %}


{#
    The keys, as a SELECT. By a condition: those that have it, in the source, the windows, or beside them. Those of
    late rows: as they were dropped. By the source's log: the keys of rows as they were and as they are, in commits that
    changed any; with an arrival order those of rows that were read before, since what has a later number is new,
    whatever was done to it.
#}
{% macro _rebuilt_keys(spec, tables, run, what) %}
{%- set keys = event_windows._names(spec.key) -%}
{%- set selects = [] -%}
{%- if what.where -%}
    {%- set among = ['select ' ~ event_windows._names(spec.key, 'arrived') ~ ' '
        ~ event_windows._arrived_rows(spec, {'from': [], 'to': run.to}) | trim] -%}
    {%- for table in [tables.windows, tables.dropped]
        + ([tables.clocks ~ ' where _ew_clock is not null'] if spec.clock == 'key' else []) -%}
        {%- do among.append('select ' ~ keys ~ ' from ' ~ table) -%}
    {%- endfor -%}
    {%- set types = event_windows._types_of(spec.key, spec).values() | join(', ') -%}
    {%- set condition = '(' ~ what.where ~ '\n)' -%}
    {%- do selects.append('select ' ~ keys ~ ' from (' ~ among | join(' union all ') ~ ') as known where '
        ~ (event_windows._asked_of_spark(condition) if event_windows._has_floats(types) else condition)) -%}
{%- endif -%}
{%- if what.late_rows -%}
    {#- not those that this refresh dropped itself, where it is finished after its commit -#}
    {%- do selects.append(
        'select ' ~ keys ~ ' from ' ~ tables.dropped ~ " where reason in ('late', 'late_partial') and _ew_refresh < "
            ~ run.number
    ) -%}
{%- endif -%}
{%- if what.to is not none -%}
    {%- do selects.append(event_windows._keys_of_changes(spec, run, what) | trim) -%}
{%- endif -%}
select distinct {{ keys }}
from (
    {{ selects | join('\n    union all\n    ') }}
) as rebuilt
{% endmacro %}


{% macro _keys_of_changes(spec, run, what) %}
    {%- set table = event_windows._followed_table(spec) -%}
    {%- set its_own = table.own is not none -%}
    {%- set told = dict(spec, columns=table.columns, **table.own) if its_own else spec -%}
    {%- set read_before -%}
    {%- if told.arrival and told.partition %}
    {{ event_windows._join_arrivals('seen', run.from, event_windows._arrival_partition(told)) }}
    {{ 'where arrived.' ~ event_windows._name(told.arrival) ~ ' <= seen._ew_arrival' if run.from else 'where false' }}
    {%- elif told.arrival %}
    {{ 'where arrived.' ~ event_windows._name(told.arrival) ~ ' <= ' ~ run.from[0][1] if run.from else 'where false' }}
    {%- endif %}
    {%- endset -%}
    {%- if its_own -%}
        {{- return(event_windows._keys_of_images(
            table.format, table.table, table.columns, spec.key, told.key, what.from, what.to, what.commits,
            read_before | trim
        )) -}}
    {%- endif %}
    select {{ event_windows._names(spec.key, 'arrived') }}
    from ({{ table.before }}(
{{ event_windows._images(
    table.format, table.table, table.columns, what.from, what.to, what.commits
) | trim }}
    ){{ table.after }}) as arrived
    {{ read_before | trim }}
{% endmacro %}


{# Why keys that are to be made anew, those of a condition too, cannot be; none if they can. #}
{% macro _why_no_rebuild(spec, condition=none) %}
    {%- set problem = event_windows._rebuild_problem(spec) -%}
    {%- set instead = 'leave out ' ~ event_windows._what_follows(spec) if event_windows._follows(spec)
        else 'leave out event_windows__rebuild and run with --full-refresh' -%}
    {{- return('keys cannot be made anew: ' ~ problem ~ '; or ' ~ instead if problem
        else (condition or {}).get('problem')) -}}
{% endmacro %}
