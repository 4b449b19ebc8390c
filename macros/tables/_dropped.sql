{#
    The table of dropped rows: which row, why, when measured by which clock, and the whole row, to be looked at and
    counted again. Rows of one refresh are written in one commit and bear its number; lateness does not depend on cuts,
    so that whoever writes them writes the same.
#}
{% macro _dropped_columns(spec) %}
    {%- set columns = {} -%}
    {%- for column in event_windows._dropped_own(spec) -%}
        {%- do columns.update({column: event_windows._type_of(column, spec)}) -%}
    {%- endfor -%}
    {%- do columns.update({
        'reason': 'string', 'stream_time': event_windows._time_type(spec), 'run_id': 'string', 'source_row': 'string',
        '_ew_refresh': 'bigint'
    }) -%}
    {{- return(columns) -}}
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
    written once, whoever writes them.
#}
{% macro _insert_dropped(spec, tables, run, parts) %}
    {%- set quoted = [] -%}
    {%- for column in event_windows._dropped_columns(spec) -%}
        {%- do quoted.append(event_windows._name(column)) -%}
    {%- endfor -%}
    {%- set sql = parts[0] if parts | length == 1
        else 'select * from (\n' ~ parts | join('\n)\nunion all\nselect * from (\n') ~ '\n)' -%}
    {%- if run.full -%}
        {{- return(event_windows._of_format(
            spec.file_format, 'insert_once', tables.dropped, quoted, sql, run.number
        )) -}}
    {%- endif -%}
    {{- return('insert into ' ~ tables.dropped ~ ' (' ~ quoted | join(', ') ~ ')\n'
        ~ event_windows._unless_there(tables.dropped, sql, run.number, run.run_id)) -}}
{% endmacro %}
