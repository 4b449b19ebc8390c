{# By what it is described as: a table may have a name like one of these. #}
{% macro _iceberg_named_version(relation, called) %}
    {%- set name = ('.' ~ relation) | replace('`', '') | lower -%}
    {%- set last = modules.re.search('[.]((branch|tag)_[^.]+|(snapshot_id|at_timestamp)_[0-9]+)$', name) -%}
    {{- return('a branch, a tag or an old version of ' ~ called
        if last and called and not (called | lower).endswith(last.group(0)) else none) -}}
{% endmacro %}


{# The snapshots between two must be there, each with the one before it; and that itself, unless those `after` it do. #}
{% macro _iceberg_images_problem(relation, from_version, to_version, after=false) %}
    {%- set from, to = (from_version | string).split('/')[0], (to_version | string).split('/')[0] -%}
    {%- set since = event_windows._iceberg_snapshots_since(relation, from, to) -%}
    {{- return(none if since.reaches and (after or from in since.ids)
        else 'its history back to the version that was read last is gone (expire_snapshots), or it was set back or '
            ~ 'built anew') -}}
{% endmacro %}


{#
    The snapshots from one back to another, by their parents, since a writer whose clock is behind may commit before
    what it follows: {'ids': those that are there, with both; 'reaches': whether they lead back to it}.
#}
{% macro _iceberg_snapshots_since(relation, from, to) %}
    {%- set parents, ids = {}, [] -%}
    {%- for row in run_query(
        'select cast(snapshot_id as string) as snapshot, cast(parent_id as string) as parent from ' ~ relation
            ~ '.snapshots'
    ) -%}
        {%- do parents.update({row['snapshot'] | string: row['parent'] | string}) -%}
    {%- endfor -%}
    {%- set place = namespace(at=to) -%}
    {%- for _ in range(parents | length) if place.at != from and place.at in parents -%}
        {%- do ids.append(place.at) -%}
        {%- set place.at = parents[place.at] -%}
    {%- endfor -%}
    {%- if from in parents %}{% do ids.append(from) %}{% endif -%}
    {{- return({'ids': ids, 'reaches': place.at == from}) -}}
{% endmacro %}


{# Of all rows, and of those that say by themselves when they came, the last snapshot is enough. #}
{% macro _iceberg_lost_rows(relation, from_version, to_version) %}
    {%- set from, to = (from_version or '0') | string, to_version | string -%}
    {%- if to.split('/')[0] in ('0', from.split('/')[0]) %}{{- return(none) -}}{% endif -%}
    {%- set last = from == '0' or event_windows._iceberg_tells_by_number(from, to) -%}
    {{- return(event_windows._iceberg_images_problem(relation, to if last else from, to, after=not last)) -}}
{% endmacro %}


{#
    What its snapshots say of themselves: one that only wrote rows into other files is in no changelog. Where there are
    delete files both versions are read.
#}
{% macro _iceberg_log_outgrows(relation, from_version, to_version, least) %}
    {%- set from, to = (from_version | string).split('/')[0], (to_version | string).split('/')[0] -%}
    {%- set counted = run_query(
        'select sum(' ~ event_windows._iceberg_in_summary('added-records') ~ ' + '
            ~ event_windows._iceberg_in_summary('deleted-records')
            ~ ") filter (where operation <> 'replace' and snapshot_id <> " ~ from ~ ') as moved, max('
            ~ event_windows._iceberg_in_summary('total-records') ~ ') filter (where snapshot_id = ' ~ to
            ~ ') as rows, max(' ~ event_windows._iceberg_in_summary('total-delete-files') ~ ') as delete_files from '
            ~ relation ~ '.snapshots where snapshot_id in ('
            ~ event_windows._iceberg_snapshots_since(relation, from, to).ids | join(', ') ~ ')'
    ).rows[0] -%}
    {%- set rows = counted['rows'] | int -%}
    {%- set moved = 2 * rows if counted['delete_files'] | int else counted['moved'] | int -%}
    {{- return(moved > [rows, least] | max) -}}
{% endmacro %}


{# A number in the summary of a snapshot. #}
{% macro _iceberg_in_summary(name) %}
    {{- return("coalesce(cast(summary['" ~ name ~ "'] as bigint), 0)") -}}
{% endmacro %}


{#
    Of a table without delete files its changelog, which Iceberg reads wrong where one of its own columns is left out.
    With row lineage a row that was updated to what it was is a new one, though no change shows it: so new rows that
    some commit has taken away as they are count as changed where commits are named. A table of which only the format
    version is another one now has the snapshot that was read.
#}
{% macro _iceberg_moved_rows(relation, columns, from_version, to_version, commits=none) %}
{%- set from, to = (from_version | string).split('/')[0], (to_version | string).split('/')[0] -%}
{%- if from == to -%}
    {{- return(event_windows._no_rows(dict(columns, _ew_sign='int', _ew_commit='bigint'))) -}}
{%- elif event_windows._iceberg_has_delete_files(relation, from, to) -%}
    {{- return(event_windows._iceberg_rows_of_both(relation, columns, from_version, to_version, commits)) -}}
{%- endif -%}
{#- an expression: Iceberg cannot filter a changelog by its own columns -#}
{%- set commit = 'coalesce(_commit_snapshot_id, _change_ordinal)' -%}
{%- set text = event_windows._values_text(columns) -%}
{%- set logged -%}
    from {{ relation }}.changes with ('start-snapshot-id' = '{{ from }}', 'end-snapshot-id' = '{{ to }}')
    {{- ' where ' ~ commit ~ ' in (' ~ commits | join(', ') ~ ')' if commits is not none }}
{%- endset -%}
select
    {{ event_windows._names(columns) }}, if(_change_type = 'INSERT', 1, -1) as _ew_sign, {{ commit }} as _ew_commit
{{ logged }}
{%- if commits is not none and event_windows._iceberg_tells_by_number(from_version, to_version) %}
union all
select {{ event_windows._names(columns) }}, 1 as _ew_sign, 0 as _ew_commit
from (
    select *, {{ text }} as _ew_text
    {{ event_windows._iceberg_added_rows(relation, from_version | string, to_version | string) | trim }}
) as renewed
left semi join (
    select if(_change_type = 'DELETE', {{ text }}, null) as _ew_text
    {{ logged }}
) as taken on renewed._ew_text = taken._ew_text
{%- endif %}
{% endmacro %}


{#
    Whether a snapshot between two, or one of them, has files that say which rows are deleted, or does not tell: of
    these there is no changelog. Nor is there one where a manifest says that such files have gone: commits that add
    rows fast take it along.
#}
{% macro _iceberg_has_delete_files(relation, from, to) %}
    {%- set ids = event_windows._iceberg_snapshots_since(relation, from, to).ids | join(', ') -%}
    {{- return(run_query(
        'select greatest((select max(' ~ event_windows._iceberg_delete_files() ~ ') from ' ~ relation
            ~ '.snapshots where snapshot_id in (' ~ ids ~ ')), (select count(*) from ' ~ relation
            ~ '.all_manifests where content = 1 and reference_snapshot_id in (' ~ ids ~ '))) as n'
    ).rows[0]['n'] | int > 0) -}}
{% endmacro %}


{# How many of them a snapshot has; one where it does not tell. #}
{% macro _iceberg_delete_files() %}
    {{- return("coalesce(cast(summary['total-delete-files'] as bigint), 1)") -}}
{% endmacro %}


{#
    The same from both versions. Of some commits those that are not in the other in the same place: a row that was
    deleted and added again is a new one then. Then rows that came are new also where they went again, and are in
    neither version: those that snapshots appended, which without row lineage are the new rows.
#}
{% macro _iceberg_rows_of_both(relation, columns, from_version, to_version, commits) %}
{%- set from, to = (from_version | string).split('/')[0], (to_version | string).split('/')[0] -%}
{%- for sign, here, there in [[-1, from, to], [1, to, from]] %}
{%- set version = event_windows._iceberg_at_version(relation, here) %}
select
    {{ event_windows._names_then(columns, dict(event_windows._described('select * from ' ~ version)), 'here') }},
    {{ sign }} as _ew_sign, {{ 0 if commits is none else sign }} as _ew_commit
{%- if commits is none %}
from {{ version }} as here
{%- else %}
from (
    select *, _file as _ew_file, _pos as _ew_pos from {{ version }}
) as here
left anti join (
    select _file as _ew_file, _pos as _ew_pos from {{ event_windows._iceberg_at_version(relation, there) }}
) as there on here._ew_file = there._ew_file and here._ew_pos = there._ew_pos
{%- endif %}
{{- '\nunion all' if not loop.last }}
{%- endfor %}
{%- if commits is not none and not event_windows._iceberg_tells_by_number(from_version, to_version) %}
union all
select {{ event_windows._names(columns, 'arrived') }}, 1 as _ew_sign, 1 as _ew_commit
{{ event_windows._iceberg_added_rows(relation, from_version | string, to_version | string) | trim }}
{%- endif %}
{% endmacro %}
