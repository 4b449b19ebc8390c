{#
    What changes in the windows table, as one MERGE: THE COMMIT. Its source is empty where a row of the table bears this
    number or a later one: the refresh was merged already, or the table is of another generation. Both formats read the
    guard and the target in one version of the table, and refuse the commit where another writer came between.
#}
{% macro _merge(spec, tables, run) %}
    {%- set columns = event_windows._window_columns(spec, run.number) -%}
    {%- set stored = event_windows._stored(spec, tables, run) -%}
    {%- set source %}
with
{{ event_windows._pipeline(spec, event_windows._flow(spec, tables, run)) | trim }},

{{ event_windows._mine(tables) }}

select
    {{- event_windows._select_columns(columns) }},
    _ew_place,
    _ew_was
from changes
left semi join mine
left anti join (select 1 from {{ tables.windows }} where _ew_refresh >= {{ run.number }} limit 1) as merged
    {%- endset -%}
    {%- set condition -%}
    {{ event_windows._same_key(spec, 'stored', 'change') }}
    and stored.window_start = change._ew_was.window_start
    and stored.window_end = change._ew_was.window_end
    and stored._ew_segment = change._ew_was._ew_segment
    and stored._ew_segment >= {{ stored.segment_from }}
    {%- endset -%}
    {{- return(event_windows._of_format(
        spec.file_format, 'merge', tables.windows, source | trim, condition, columns | map('first') | list
    )) -}}
{% endmacro %}


{# Sends it, unless a run that was killed got that far, and says what it did. #}
{% macro _merge_windows(spec, tables, run, merged) %}
    {%- set result = none if merged
        else event_windows._statement(run, 'windows', event_windows._merge(spec, tables, run)) -%}
    {%- do run.update({'merged': event_windows._of_format(spec.file_format, 'merged', tables.windows, result)}) -%}
{% endmacro %}


{% macro _is_merged(tables, run) %}
    {%- set row = event_windows._row(
        run, 'windows',
        'select count(*) as n from (select 1 from ' ~ tables.windows ~ ' where _ew_refresh = ' ~ run.number
            ~ ' limit 1) as merged'
    ) -%}
    {{- return(row['n'] | int > 0) -}}
{% endmacro %}
