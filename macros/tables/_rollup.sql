{#
    What the table of a rollup records of itself.

    As properties, written in the commit of a build:
    event_windows.rollup   what it holds, to notice a changed text
    event_windows.build    {number, at, version, table_id, generation, above, view, order, shown_as, settings, run_id}:
                           the build, when it was (microseconds), which version of which model it read, with which
                           types, and in what session

    In its rows: _ew_refresh, the number of the run that wrote a row, and _ew_progress, the same record of that run.
    Each run that changes groups writes one row at least, unless no group is left. Then, as a property:
    event_windows.without_rows   {.., build}: the same of a run after which there were none, and of which build

    It is written after the commit, and says that the SELECT gives no row over a version: so it holds of any empty
    table, also of one that was set back or emptied again. Without it nothing is known of an empty table.

    Returns the last record, with `last`, the largest number in its rows, `built`, the number of the build, and `known`,
    whether it is that of the rows that are there.
#}
{% macro _recorded_rollup(relation) %}
    {%- set properties = event_windows._properties(relation) -%}
    {%- set row = run_query(
        "select max(_ew_refresh) as number, max(named_struct('number', _ew_refresh, 'progress', _ew_progress))"
            ~ '.progress as progress from ' ~ relation
    ).rows[0] -%}
    {%- set build = fromjson(properties['event_windows.build']) -%}
    {%- set last = event_windows._number(row['number']) -%}
    {%- set without = fromjson(properties.get('event_windows.without_rows', '{}')) -%}
    {%- set known = last is not none or without.build == build.number -%}
    {%- set progress = fromjson(row['progress']) if row['progress'] is not none
        else without if last is none and known else {} -%}
    {{- return(dict(build, **dict(progress, built=build.number, last=last, known=known))) -}}
{% endmacro %}


{#
    Why a rollup cannot go on from its record; none if it can. Of the model above it needs `name`, `stored`, `format`,
    `generation`, `version`, `table_id`, `view`, `columns` and `record`, see _above.
#}
{% macro _why_not_followed(record, above) %}
    {%- if record.last is not none and record.last < record.built -%}
        {{- return('its table was set back to what it was before it was built') -}}
    {%- elif record.generation is none -%}
        {{- return('its table was built without rows (--empty)') -}}
    {%- elif not record.known -%}
        {{- return('its table has no rows, and does not record since when') -}}
    {%- elif record.above | lower != above.stored | string | lower or record.generation != above.generation -%}
        {{- return(above.name ~ ' was built anew') -}}
    {%- elif record.table_id and record.table_id != above.table_id -%}
        {#- whose versions have the same numbers, and mean others -#}
        {{- return(above.name ~ ' is another table than the one that was read last') -}}
    {%- endif -%}
    {%- set problem = event_windows._of_format(
        above.format, 'images_problem', above.stored, record.version, above.version
    ) if record.version | string != above.version | string else none -%}
    {%- if problem -%}
        {{- return('what changed in ' ~ above.name ~ ' cannot be told: ' ~ problem) -}}
    {%- elif record.view != event_windows._shape_of(above)
        or (record.order and record.order != above.columns.keys() | list) -%}
        {{- return(above.name ~ ' shows its windows in another way') -}}
    {%- endif -%}
    {{- return(none) -}}
{% endmacro %}


{#
    What the model above shows of its table, in short: a change of its columns may have written the table anew, and
    names may have changed places. Their order, which is that of `select *`, is recorded beside it.
#}
{% macro _shape_of(above) %}
    {%- set view = event_windows._compared_around(above.view) if above.view else none -%}
    {{- return(local_md5(tojson(
        [view, above.columns.keys() | sort, above.record.spec.aggregates if above.record.spec else none],
        sort_keys=true
    ))) -}}
{% endmacro %}


{# The columns {name: type} of the table above, or of a version of it, without those of bookkeeping. #}
{% macro _columns_above(stored, view) %}
    {%- set hides, columns = ['_ew_refresh', '_ew_progress'] if view else ['_ew_'], {} -%}
    {%- for name, type in event_windows._described('select * from ' ~ stored) -%}
        {%- if not (name | lower).startswith(hides | first) and not (name | lower).startswith(hides | last) -%}
            {%- do columns.update({name: type}) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(columns) -}}
{% endmacro %}


{#
    What a model in plain SQL shows, before its table of windows and after it, as that table records it: a catalogue
    need not list the view, or hold any.
#}
{% macro _select_around(stored) %}
    {%- set shown = event_windows._record_in(event_windows._properties(stored)).shown or {} -%}
    {%- if 'around' not in shown -%}
        {{ event_windows._stop(stored ~ ' does not record what its model shows: run that model once') }}
    {%- endif -%}
    {{- return(shown.around) -}}
{% endmacro %}
