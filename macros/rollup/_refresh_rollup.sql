{# What has changed above since the last run, into the groups that it falls into. #}
{% macro _refresh_rollup(spec, record, run) %}
    {%- set fresh = event_windows._name_of_run(this, 'groups') -%}
    {%- set every = none -%}
    {%- if event_windows._log_outgrows(spec, record) -%}
        {%- set every = event_windows._name_of_run(this, 'every') -%}
        {%- do event_windows._cache(run, 'groups', every, event_windows._rollup_query(spec)) -%}
    {%- endif -%}
    {%- set groups = event_windows._touched(spec, record, every) -%}
    {%- set touched = event_windows._few_touched(spec, groups, run) -%}
    {%- if touched is none -%}
        {%- set touched = event_windows._name_of_run(this, 'touched') -%}
        {%- do event_windows._cache(run, 'touched', touched, groups) -%}
    {%- endif -%}
    {%- set now = 'select * from ' ~ every if every is not none
        else event_windows._rollup_query(spec, event_windows._touched_segments(spec, run, touched)) -%}
    {%- do event_windows._cache(run, 'groups', fresh, event_windows._fresh(spec, touched, now)) -%}
    {%- set written = event_windows._row(run, 'groups', 'select count(*) as n from ' ~ fresh)['n'] | int -%}
    {#- below that of any build that comes meanwhile: of a table without rows no guard sees one -#}
    {%- set number = record.number + 1 -%}
    {%- set committed = event_windows._commit_rollup(spec, record, run, number, touched, fresh, written == 0)
        if written or record.last is not none else true -%}
    {#- of a table without rows each group that there is now was touched -#}
    {%- set surely = record.last is none and not written -%}
    {%- if surely or run.emptied -%}
        {%- do event_windows._record_without_rows(spec, record.built, number, run, 'merge', surely) -%}
    {%- endif -%}
    {%- do event_windows._forget(run) -%}
    {%- if not committed -%}
        {{ event_windows._stop('another run has refreshed ' ~ this ~ ' while this one was about to, so this one stops: '
            ~ 'nothing is lost and nothing is counted twice; run again for what came since') }}
    {%- endif -%}
{% endmacro %}


{# THE COMMIT; whether it was this run that made it. #}
{% macro _commit_rollup(spec, record, run, number, touched, fresh, carried) %}
    {%- set result = event_windows._statement(
        run, 'merge', event_windows._merge_groups(spec, record, number, touched, fresh, carried)
    ) -%}
    {#- another run from the same record has the same number -#}
    {%- set is_mine = '_ew_refresh = ' ~ number ~ " and get_json_object(_ew_progress, '$.run_id') = "
        ~ event_windows._literal(invocation_id) -%}
    {%- set now = event_windows._row(
        run, 'merge', 'select max(_ew_refresh) as last, count_if(' ~ is_mine ~ ') as mine from ' ~ this
    ) -%}
    {#- a table without rows is the work of this run, unless it had groups to write -#}
    {%- if not now['mine'] | int and (now['last'] is not none or not carried) %}{{- return(false) -}}{% endif -%}
    {%- do run.update({'emptied': now['last'] is none}) -%}
    {%- set merged = event_windows._of_format(spec.file_format, 'merged', this, result) -%}
    {#- what bears the record alone has not changed -#}
    {%- set same = [merged.inserted if spec.several else 1, merged.deleted if spec.several else merged.updated] | min
        if carried else 0 -%}
    {%- set inserted, deleted = merged.inserted - (same if spec.several else 0),
        merged.deleted - (same if spec.several else 0) -%}
    {%- set updated = merged.updated - (0 if spec.several else same) -%}
    {%- do run.update({
        'groups': inserted + updated + deleted,
        'message': inserted ~ ' rows inserted, ' ~ deleted ~ ' deleted' if spec.several
            else inserted ~ ' groups inserted, ' ~ updated ~ ' updated, ' ~ deleted ~ ' deleted'
    }) -%}
    {{- return(true) -}}
{% endmacro %}


{# These groups as they are now. #}
{% macro _fresh(spec, touched, now) %}
select result.*
from (
{{ now }}
) as result
left semi join {{ touched }} as touched
    on {{ event_windows._equal(spec.groups, 'result', 'touched', null_safe=true) }}
{% endmacro %}


{#
    One MERGE: groups as they are now, and those that are gone; of groups that may have several rows each one goes, and
    its rows come as they are now. Its source is empty where another run has written since this one read how far the
    table follows, as in _merge. Where no group is written, one that stays bears the record: always the same one, since
    Spark computes the source twice, first to choose files.
#}
{% macro _merge_groups(spec, record, number, touched, fresh, carried) %}
    {%- set columns = event_windows._names(spec.columns) -%}
    {%- set gone, written = [], [] -%}
    {%- for name, type in spec.columns.items() -%}
        {%- set column = event_windows._name(name) -%}
        {%- do written.append(column) -%}
        {%- do gone.append('gone.' ~ column if name in spec.groups
            else 'cast(null as ' ~ type ~ ') as ' ~ column) -%}
    {%- endfor -%}
    {%- set same = event_windows._equal(spec.groups, 'stored', 'change', null_safe=true) -%}
    {%- set source %}
with
{%- if carried %}
carrier as (
    select stored.*
    from {{ this }} as stored
    left anti join {{ touched }} as touched
        on {{ event_windows._equal(spec.groups, 'stored', 'touched', null_safe=true) }}
    order by {{ event_windows._names(spec.groups) }}
    limit 1
),
{%- endif %}
written as (
    select {{ columns }} from {{ fresh }}
    {%- if carried %}
    union all
    select {{ event_windows._names_as(spec.columns, 'stored') }}
    from {{ this }} as stored
    left semi join carrier on {{ event_windows._equal(spec.groups, 'stored', 'carrier', null_safe=true) }}
    {%- endif %}
),
gone as (
    select {{ event_windows._names(spec.groups) }} from {{ touched }}
    {%- if carried and spec.several %}
    union all
    select {{ event_windows._names(spec.groups) }} from carrier
    {%- endif %}
)

select
    {{ columns }},
    {{ event_windows._bigint(number) }} as _ew_refresh,
    {{ event_windows._literal(tojson(event_windows._rollup_progress(spec, number))) }} as _ew_progress,
    _ew_place
from (
    select {{ columns }}, 0 as _ew_place from written
    union all
    select {{ gone | join(', ') }}, 1 as _ew_place
    from gone
    {%- if not spec.several %}
    left anti join {{ fresh }} as fresh
        on {{ event_windows._equal(spec.groups, 'gone', 'fresh', null_safe=true) }}
    {%- endif %}
) as changed
inner join (select max(_ew_refresh) as _ew_last from {{ this }}) as latest
    on latest._ew_last <=> {{ event_windows._bigint(record.last) }}
    {%- endset -%}
    {{- return(event_windows._merge_into(
        this, source | trim, same ~ (' and change._ew_place > 0' if spec.several else ''),
        written + ['_ew_refresh', '_ew_progress']
    )) -}}
{% endmacro %}
