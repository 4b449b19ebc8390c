{#
    What the table of a rollup records of itself.

    As properties, written in the commit of a build:
    event_windows.rollup   what it holds, to notice a changed text
    event_windows.build    {number, version, generation, view}: the build, and which version of which model it read

    In its rows: _ew_refresh, the number of the run that wrote a row, and _ew_progress, the same record of that run.
    Each run that changes groups writes one row at least, unless no group is left. Then the build's record is what there
    is, and the changes since are read again: an empty table lacks every group that they touch.

    Returns the last record, with `last`, the largest number in its rows, and `built`, the number of the build.
#}
{% macro _recorded_rollup(relation) %}
    {%- set properties = event_windows._properties(relation) -%}
    {%- set row = run_query(
        "select max(_ew_refresh) as number, max(named_struct('number', _ew_refresh, 'progress', _ew_progress))"
            ~ '.progress as progress from ' ~ relation
    ).rows[0] -%}
    {%- set build = fromjson(properties['event_windows.build']) -%}
    {%- set record = dict(build, **(fromjson(row['progress']) if row['progress'] is not none else {})) -%}
    {{- return(dict(
        record, built=build.number, last=row['number'] | int if row['number'] is not none else none
    )) -}}
{% endmacro %}


{#
    Why a rollup cannot go on from its record; none if it can. Of the model above it needs `name`, `stored`, `format`,
    `generation` and `version`, see _above.
#}
{% macro _why_not_followed(record, above) %}
    {%- if record.last is not none and record.last < record.built -%}
        {{- return('its table was set back to what it was before it was built') -}}
    {%- elif record.generation is none -%}
        {{- return('its table was built without rows (--empty)') -}}
    {%- elif record.above != above.stored | string or record.generation != above.generation -%}
        {{- return(above.name ~ ' was built anew') -}}
    {%- elif record.version | string != above.version | string -%}
        {%- set problem = event_windows._of_format(
            above.format, 'images_problem', above.stored, record.version, above.version
        ) -%}
        {{- return('what changed in ' ~ above.name ~ ' cannot be told: ' ~ problem if problem else none) -}}
    {%- endif -%}
    {{- return(none) -}}
{% endmacro %}
