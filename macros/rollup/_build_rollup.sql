{#
    Every group from scratch, in one commit with how far that follows: readers see the old table or the new one. With
    dbt's --empty over no rows.
#}
{% macro _build_rollup(spec, run) %}
    {%- set former = event_windows._found_rollup(this) -%}
    {%- set record = event_windows._recorded_rollup(former) if former else {'number': 0} -%}
    {%- set number = [event_windows._now_in_micros(), record.number + 1, (record.last or 0) + 1] | max -%}
    {%- set sql %}
select
    result.*,
    {{ event_windows._bigint(number) }} as _ew_refresh,
    cast(null as string) as _ew_progress
from (
{{ event_windows._rollup_query(spec, 'false' if flags.EMPTY else none) }}
) as result
    {%- endset -%}
    {%- do event_windows._statement(run, 'build', event_windows._of_format(
        spec.file_format, 'create', this, sql=sql | trim, followed=true,
        properties={
            'event_windows.rollup': event_windows._rollup_fingerprint(spec),
            'event_windows.build': event_windows._rollup_progress(spec, number)
        }
    )) -%}
    {%- do event_windows._made(this) -%}
    {%- set made = event_windows._row(run, 'build', 'select count(*) as n from ' ~ this)['n'] | int -%}
    {%- if not made and not flags.EMPTY -%}
        {%- do event_windows._record_without_rows(spec, number, number, run, 'build') -%}
    {%- endif -%}
    {%- do run.update({'groups': made, 'message': made ~ (' rows built' if spec.several else ' groups built')}) -%}
{% endmacro %}
