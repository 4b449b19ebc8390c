{# No version has a name beside its table. #}
{% macro _delta_named_version(relation, called) %}
    {{- return(none) -}}
{% endmacro %}


{# A table as of a version that _delta_source_version gave. #}
{% macro _delta_at_version(relation, version) %}
    {{- return(relation ~ ' version as of ' ~ event_windows._delta_read_version(version).number) -}}
{% endmacro %}


{# All commits from the first version that is read must be there. Of a file that is gone Delta says so itself. #}
{% macro _delta_lost_rows(relation, from_version, to_version) %}
    {%- set to = event_windows._delta_read_version(to_version) -%}
    {%- set from = event_windows._delta_read_version(from_version) if from_version is not none else to -%}
    {%- if event_windows._delta_tells_by_feed(relation, from, to) -%}
        {%- set first = [from.number + 1, to.number] | min -%}
    {%- else -%}
        {%- set first = to.number if from.tracked and to.tracked else from.number -%}
    {%- endif -%}
    {%- set versions = run_query('describe history ' ~ relation).columns['version'].values() | map('int') | list -%}
    {{- return(none if first in versions and to.number in versions
        else 'its history back to version ' ~ first ~ ' is gone (delta.logRetentionDuration), or it was built anew') -}}
{% endmacro %}


{#
    All commits between two must be there, with their changes. A column that takes the name of one which was renamed or
    dropped gives the rows that were read before other values, and no row is a change.
#}
{% macro _delta_images_problem(relation, from_version, to_version) %}
    {%- set before = event_windows._delta_read_version(from_version) -%}
    {%- set from, to = before.number, event_windows._delta_read_version(to_version).number -%}
    {%- set history = run_query('describe history ' ~ relation) -%}
    {#- RESTORE takes back what was done to columns since the version that it goes back to -#}
    {%- set since = [from] -%}
    {%- for row in history if from < row['version'] | int <= to and row['operation'] == 'RESTORE' -%}
        {%- set back_to = modules.re.findall('version\\W+([0-9]+)', row['operationParameters'] | string) -%}
        {%- do since.append(back_to[0] | int if back_to else 0) -%}
    {%- endfor -%}
    {%- set between, was = [], [] -%}
    {%- for row in history if row['version'] | int <= to -%}
        {%- if row['version'] | int > from %}{% do between.append(row['version']) %}{% endif -%}
        {%- if row['version'] | int == from %}{% do was.append(row['timestamp']) %}{% endif -%}
    {%- endfor -%}
    {%- set moved = event_windows._delta_moved_columns(history, since | min, to) -%}
    {%- set feeds = event_windows._delta_feeds(relation, before) -%}
    {%- if moved -%}
        {{- return(moved) -}}
    {%- elif from > to or between | length < to - from or not (feeds or was) -%}
        {{- return('its history back to the version that was read last is gone (delta.logRetentionDuration), or it was '
            ~ 'set back') -}}
    {%- elif not feeds and not (before.tracked and event_windows._delta_read_version(to_version).tracked) -%}
        {{- return('it keeps no change data feed, or not for all of that time (delta.enableChangeDataFeed), and does '
            ~ 'not track rows (delta.enableRowTracking)') -}}
    {%- endif -%}
    {{- return(none if feeds or from == to else event_windows._delta_too_old(relation, was[0])) -}}
{% endmacro %}


{# What a feed says are the changes alone. #}
{% macro _delta_log_outgrows(relation, from_version, to_version, least) %}
    {{- return(false) -}}
{% endmacro %}


{#
    What the change data feed says, where there is one. Where commits are named, a row that one of them inserted is new,
    though it took its like away.
#}
{% macro _delta_moved_rows(relation, columns, from_version, to_version, commits=none) %}
{%- set from, to = event_windows._delta_read_version(from_version), event_windows._delta_read_version(to_version) -%}
{%- if not event_windows._delta_feeds(relation, from) -%}
    {{- return(event_windows._delta_tracked_rows(relation, columns, from_version, to_version, commits)) -}}
{%- endif -%}
select
    {{ event_windows._names(columns) }},
    if(_change_type in ('insert', 'update_postimage'), 1, -1) as _ew_sign,
    {{ '_commit_version' if commits is none
        else "if(_change_type = 'insert', -1, _commit_version)" }} as _ew_commit
from {{ event_windows._delta_feed(relation, from.number + 1, to.number) }}
{{- ' where _commit_version in (' ~ commits | join(', ') ~ ')' if commits is not none }}
{% endmacro %}


{#
    The same of a table without a feed that tracks rows: those of one version that are not in the other, by their number
    and the commit that wrote them last. What RESTORE brings back bears the commits of before, so that rows have to be
    looked up then; else the commit says which are new.
#}
{% macro _delta_tracked_rows(relation, columns, from_version, to_version, commits) %}
{%- set from = event_windows._delta_read_version(from_version).number -%}
{%- set to = event_windows._delta_read_version(to_version).number -%}
{%- set before = event_windows._delta_at_version(relation, from_version) -%}
{%- set then = dict(event_windows._described('select * from ' ~ before)) -%}
{%- set written = '_metadata.row_commit_version' -%}
{%- set restored = [] -%}
{%- for row in run_query('describe history ' ~ relation)
    if row['operation'] == 'RESTORE' and from < row['version'] | int <= to -%}
    {%- do restored.append(row['version']) -%}
{%- endfor -%}
select {{ event_windows._names_then(columns, then, '_ew_past') }}, -1 as _ew_sign, -1 as _ew_commit
from {{ before }} as _ew_past
left anti join (
    select _metadata.row_id as row_id, {{ written }} as written from {{ relation }} version as of {{ to }}
    where {{ written }} <= {{ from }}
) as stays
    on _ew_past._metadata.row_id = stays.row_id and _ew_past.{{ written }} = stays.written
union all
select {{ event_windows._names(columns, '_ew_now') }}, 1 as _ew_sign, 1 as _ew_commit
from {{ relation }} version as of {{ to }} as _ew_now
{%- if restored %}
left anti join (
    select _metadata.row_id as row_id, {{ written }} as written from {{ before }}
) as stays
    on _ew_now._metadata.row_id = stays.row_id and _ew_now.{{ written }} = stays.written
{%- endif %}
where {{ 'true' if restored else '_ew_now.' ~ written ~ ' > ' ~ from }}
    {{- ' and (_ew_now.' ~ written ~ ' in (' ~ commits | join(', ') ~ ') or _ew_now.' ~ written ~ ' <= ' ~ from ~ ')'
        if commits is not none }}
{% endmacro %}
