{#
    The table of dropped rows: which row, why, by which clock, and the whole row, to be looked at and counted again.
    Lateness does not depend on cuts, so that whoever writes those of a refresh writes the same.
#}
{% macro _dropped_columns(spec) %}
    {{- return(dict(
        event_windows._types_of(event_windows._dropped_own(spec), spec), reason='string',
        stream_time=event_windows._time_type(spec), run_id='string', source_row='string', _ew_refresh='bigint'
    )) -}}
{% endmacro %}


{# Those of them that are the source's, each once. #}
{% macro _dropped_own(spec) %}
    {%- set columns = [] -%}
    {%- for column in spec.key + [spec.event_time] + event_windows._arrival_order(spec)
        if not event_windows._is_among(column, columns) -%}
        {%- do columns.append(column) -%}
    {%- endfor -%}
    {{- return(columns) -}}
{% endmacro %}


{#
    The rows that this refresh does not count in full, inserted once. Those of a build, whose commit has come, are
    written once, whoever writes them, and not after its line of the ledger: a later refresh may have made their keys
    anew. Those of a refresh are not written where another run has committed its number.
#}
{% macro _insert_dropped(spec, tables, run, parts) %}
    {%- set quoted = [] -%}
    {%- for column in event_windows._dropped_columns(spec) -%}
        {%- do quoted.append(event_windows._name(column)) -%}
    {%- endfor -%}
    {%- set sql = parts[0] if parts | length == 1
        else 'select * from (\n' ~ parts | join('\n)\nunion all\nselect * from (\n') ~ '\n)' -%}
    {%- if run.full -%}
        {%- set untold = 'select * from (\n' ~ sql ~ '\n) as uncounted where not exists ('
            ~ event_windows._told_lines(tables, run) ~ ')' -%}
        {{- return(event_windows._of_format(
            spec.file_format, 'insert_once', tables.dropped, quoted, untold, run.number
        )) -}}
    {%- endif -%}
    {{- return('insert into ' ~ tables.dropped ~ ' (' ~ quoted | join(', ') ~ ')\n'
        ~ event_windows._unless_there(tables.dropped, sql, run.number, run.run_id) | trim
        ~ '\nand not exists (' ~ event_windows._taken(spec, tables, run) ~ ')') -}}
{% endmacro %}


{#
    The dropped rows that count, as a relation: a run may have written others, and was killed before its commit, or is
    at work; and those of keys that the last refresh has made anew are gone, though it may have ended before it deleted
    them. Where these keys are too many to be recorded one by one they are not looked for.
#}
{% macro _counted_dropped(asked) %}
    {%- set progress = asked.progress -%}
    {%- if not progress %}{{- return('(select * from ' ~ asked.tables.dropped ~ ' where false)') -}}{% endif -%}
    {%- set uncounted = ['_ew_refresh > ' ~ progress.number] + event_windows._uncounted_dropped(progress) -%}
    {%- set rebuilt = progress.rebuilt -%}
    {%- if rebuilt and not (rebuilt.classes or '').startswith('md5 ') -%}
        {%- do uncounted.append('(_ew_refresh < ' ~ progress.number ~ ' and '
            ~ event_windows._is_rebuilt(asked.spec, 'stored', rebuilt) ~ ')') -%}
    {%- endif -%}
    {{- return('(select * from ' ~ asked.tables.dropped ~ ' as stored where not (' ~ uncounted | join(' or ')
        ~ '))') -}}
{% endmacro %}


{# Conditions of rows of an older table, and of those under one of the last numbers that another run has committed. #}
{% macro _uncounted_dropped(progress) %}
    {%- set conditions = ['_ew_refresh < ' ~ progress.generation] -%}
    {%- for number, run_id in progress.runs -%}
        {%- do conditions.append(
            '(_ew_refresh = ' ~ number ~ ' and run_id <> ' ~ event_windows._literal(run_id) ~ ')'
        ) -%}
    {%- endfor -%}
    {{- return(conditions) -}}
{% endmacro %}
