{#
    What changes in the windows table, as one MERGE: THE COMMIT. Each row that it writes bears the number of the refresh
    and what is recorded of it, so that windows, and how far was read, become true at once. Its source is empty where
    the number is taken: both formats read the guard and the target in one version of the table, and refuse the commit
    where another writer came between; Iceberg where rows came that the MERGE would have looked at.
#}
{% macro _merge(spec, tables, run) %}
    {%- set columns = event_windows._window_columns(
        spec, run.number, tojson(event_windows._progress(spec, run))
    ) -%}
    {%- set refreshes = event_windows._refreshes_windows(run) -%}
    {%- set carries = event_windows._carries(run) -%}
    {#- a window of another key, which bears the record, may lie in any segment -#}
    {%- set segments = [event_windows._stored(spec, tables, run).segment_from if refreshes else none,
        run.rebuilt.before.segment if run.rebuilt and not carries else none] | reject('none') | list -%}
    {%- set refreshed %}
select
    {{- event_windows._select_columns(columns) }},
    _ew_place,
    _ew_was
from changes
    {%- endset -%}
    {%- set source %}
with
{%- if refreshes %}
{{ event_windows._pipeline(spec, event_windows._flow(spec, tables, run)) | trim }}
{{- ',\n' if run.rebuilt }}
{% endif %}
{%- if run.rebuilt %}
{{ event_windows._rebuilt_changes(spec, tables, run, columns, carries=carries) | trim }}

select *
from (
    {{- refreshed ~ '\nunion all' if refreshes }}
    select * from rebuilt_changes
) as changes
{%- else %}
{{- refreshed }}
{%- endif %}
{{ event_windows._unless_taken(spec, tables, run) }}
    {%- endset -%}
    {%- set condition -%}
    {{ event_windows._same_key(spec, 'stored', 'change') }}
    and stored.window_start = change._ew_was.window_start
    and stored.window_end = change._ew_was.window_end
    and stored._ew_segment = change._ew_was._ew_segment
    {{- '\n    and ' ~ event_windows._of_format(spec.file_format, 'looked_at', segments | min, run.number)
        if segments }}
    {%- endset -%}
    {{- return(event_windows._merge_into(tables.windows, source | trim, condition, columns | map('first') | list)) -}}
{% endmacro %}


{#
    The same where no window changes (all rows are late and make none, or clocks alone move): one stored window bears
    the number and the record from then on. It must be one and the same: Spark computes the source twice, first to
    choose files.
#}
{% macro _carry(spec, tables, run) %}
    {%- set identity = event_windows._names(spec.key + ['window_start', 'window_end', '_ew_segment']) %}
merge into {{ tables.windows }} as stored
using (
    select {{ identity }}
    from {{ tables.windows }}
    {{ event_windows._unless_taken(spec, tables, run) }}
    order by _ew_segment desc, {{ identity }}
    limit 1
) as carrier
on {{ event_windows._equal(spec.key + ['window_start', 'window_end', '_ew_segment'], 'stored', 'carrier',
    null_safe=spec.null_keys) }}
when matched then update set
    _ew_refresh = {{ event_windows._bigint(run.number) }},
    _ew_progress = {{ event_windows._literal(tojson(event_windows._progress(spec, run))) }}
{% endmacro %}


{#
    The guard: nobody has committed this number, and the table still is as the number before left it. Where windows
    leave the table, rows of a number that was committed may have left it too, and its clocks, which are written before
    that, say so. Where it had no window a property may bear the number; then its line of the ledger does so too, soon
    after.
#}
{% macro _unless_taken(spec, tables, run) %}
    {%- set guards = ['left anti join (' ~ event_windows._taken(spec, tables, run) ~ ' limit 1) as taken'] -%}
    {%- if not run.bare -%}
        {%- set former = [] -%}
        {%- for table in event_windows._bearing(spec, tables) -%}
            {%- do former.append('select 1 from ' ~ table ~ ' where _ew_refresh = ' ~ run.previous.number) -%}
        {%- endfor -%}
        {%- do guards.append('left semi join (' ~ former | join(' union all ') ~ ' limit 1) as former') -%}
    {%- endif -%}
    {{- return(guards | join('\n')) -}}
{% endmacro %}


{#
    Commits. Of two runs that are after one number the later one has changed nothing: it stops here, and takes its
    dropped rows with it, which count for nothing. A table without a window has no row to bear the record; then a
    property does. No row of this number where there must be one is no commit.
#}
{% macro _commit(spec, tables, run) %}
    {%- set changes = event_windows._changes_windows(run) -%}
    {#- the last window, which bears the record before, may go -#}
    {%- if event_windows._carries(run) -%}
        {%- if event_windows._committer(spec, tables, run.number) is not none -%}
            {%- do event_windows._give_way(tables, run, event_windows._rivalled(tables)) -%}
        {%- endif -%}
        {%- do event_windows._record_progress(tables, run, run.previous) -%}
    {%- endif -%}
    {%- set result = event_windows._statement(
        run, 'windows', event_windows._merge(spec, tables, run) if changes else event_windows._carry(spec, tables, run)
    ) -%}
    {%- set merged = event_windows._merged(spec, tables, run, result) -%}
    {%- if changes %}{% do run.update({'merged': merged}) %}{% endif -%}
    {%- set committer = run.run_id -%}
    {%- if not merged.surely or event_windows._carries(run) -%}
        {%- set committer = event_windows._committer(spec, tables, run.number, merged.also) -%}
        {%- if committer is none and not event_windows._may_be_empty(spec, tables, run) -%}
            {%- do event_windows._give_way(tables, run, 'no row of refresh ' ~ run.number ~ ' is in ' ~ tables.windows
                ~ ' after its MERGE: the table was set back meanwhile (restore, rollback), or the session stages its '
                ~ 'commits (spark.wap.id, spark.wap.branch), so nothing is recorded: run again') -%}
        {%- elif committer is none -%}
            {%- do event_windows._record_progress(tables, run, event_windows._progress(spec, run)) -%}
        {%- elif committer != run.run_id -%}
            {%- do event_windows._give_way(tables, run, event_windows._rivalled(tables)) -%}
        {%- endif -%}
    {%- endif -%}
    {%- do run.update({'bare': committer is none}) -%}
{% endmacro %}


{# Whether the table has no row, which this run need not have changed: all may have left, or been of keys made anew. #}
{% macro _may_be_empty(spec, tables, run) %}
    {%- set may_be = event_windows._carries(run)
        or (not event_windows._changes_windows(run) and (run.bare or spec.leaves_after is not none)) -%}
    {{- return(may_be and event_windows._last_number(tables.windows) is none) -}}
{% endmacro %}


{# What a MERGE did, of which the last one is asked without its result. To bear the record alone is no update. #}
{% macro _merged(spec, tables, run, result=none) %}
    {%- set merged = event_windows._of_format(
        spec.file_format, 'merged', tables.windows, result,
        also=none if run.resumed else event_windows._select_progress_since(tables.windows, run.number)
    ) -%}
    {%- if event_windows._carries(run) and merged.updated -%}
        {%- do merged.update({'updated': merged.updated - 1}) -%}
    {%- endif -%}
    {{- return(merged) -}}
{% endmacro %}


{#
    Which run has committed a number; none if it was not committed. The table knows that of the last ones, and of those
    before them the ledger, which has a line before the next refresh begins. `told`: what its rows of that number say,
    as text, where that has been asked.
#}
{% macro _committer(spec, tables, number, told=none) %}
    {%- set progress = (fromjson(told) if told else event_windows._progress_since(tables.windows, number))
        or event_windows._read_record(spec, tables.windows).progress -%}
    {%- if progress.number < number %}{{- return(none) -}}{% endif -%}
    {%- set found = progress.runs | selectattr(0, 'equalto', number) | map('last') | list -%}
    {{- return(found[0] if found else event_windows._told_committer(tables, number) or '') -}}
{% endmacro %}


{% macro _give_way(tables, run, why) %}
    {%- if run.read.dropped -%}
        {%- do event_windows._statement(
            run, 'dropped_rows', 'delete from ' ~ tables.dropped ~ ' where ' ~ event_windows._is_of_run(run)
        ) -%}
    {%- endif -%}
    {%- do event_windows._stop_if(event_windows._ends_by(run, why)) -%}
{% endmacro %}


{% macro _rivalled(tables) %}
    {{- return('another run has refreshed ' ~ tables.windows ~ ' while this one was about to, so this one stops: '
        ~ 'nothing is lost and nothing is counted twice; run again for rows that came since') -}}
{% endmacro %}
