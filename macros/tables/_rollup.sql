{#
    What the table of a rollup records of itself.

    As properties, written in the commit of a build:
    event_windows.rollup   what it holds, to notice a changed text
    event_windows.build    {number, version, generation, view}: the build, and which version of which model it read

    In its rows: _ew_refresh, the number of the run that wrote a row, and _ew_progress, the same record of that run.
    Each run that changes groups writes one row at least, unless no group is left. Then the build's record is what there
    is, and the changes since are read again: an empty table lacks every group that they touch.

    Returns the last record, with `last`, the largest number in its rows.
#}
{% macro _recorded_rollup(relation) %}
    {%- set properties = event_windows._properties(relation) -%}
    {%- set row = run_query(
        "select max(_ew_refresh) as number, max(named_struct('number', _ew_refresh, 'progress', _ew_progress))"
            ~ '.progress as progress from ' ~ relation
    ).rows[0] -%}
    {%- set record = dict(
        fromjson(properties['event_windows.build']),
        **(fromjson(row['progress']) if row['progress'] is not none else {})
    ) -%}
    {%- do record.update({'last': row['number'] | int if row['number'] is not none else none}) -%}
    {{- return(record) -}}
{% endmacro %}
