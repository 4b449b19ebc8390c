{#
    The model above, at one version:

    name        as messages say it
    stored      the table that its refreshes keep: its own, or that behind what a model in plain SQL shows
    format      of this table
    columns     of it, without those of bookkeeping: {name: type}
    shows       the same of what the model shows of it
    view        what stands before and after that table in the SELECT that the model shows; none where it is the table
    shown_as    its columns with the types of `shows`, as SQL; none where it has these
    identity    the columns that tell its windows apart, or its groups, as it records them
    record      what a table of windows records of itself; of a rollup nothing
    windows     their spec, from there; none for a rollup
    bounds      which of the columns that it shows are bounds of its windows, see _segments.sql
    version     that is read, as the hook source_version gives it
    table_id    what it gives as the identity of the table
    generation  number of the build that made the table
#}
{% macro _above(relation, session) %}
    {%- set stored = event_windows._stored_behind(relation) -%}
    {%- set above = {
        'name': relation | string, 'stored': stored, 'columns': {}, 'shown_as': none,
        'view': event_windows._select_around(stored)
            if stored.identifier | lower != relation.identifier | lower else none
    } -%}
    {#- a build between the two would give the version of one table and the number of another -#}
    {%- for _ in range(9) if above.version is undefined -%}
        {%- set before = event_windows._record_in(event_windows._properties(stored)) -%}
        {%- set format = event_windows._recorded_format(before.properties) -%}
        {%- set now = event_windows._of_format(format, 'source_version', stored) -%}
        {%- set record = event_windows._record_in(event_windows._properties(stored)) -%}
        {%- if before.generation == record.generation -%}
            {%- do above.update({
                'format': format, 'version': now.version, 'table_id': now.identity, 'generation': record.generation,
                'record': record
            }) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if above.version is undefined -%}
        {{ event_windows._stop(above.name ~ ' is built again and again while this run reads it: run it later') }}
    {%- endif -%}
    {%- set columns = event_windows._columns_above(stored, above.view) -%}
    {%- set then = event_windows._columns_above(
        event_windows._of_format(above.format, 'at_version', stored, above.version), above.view
    ) -%}
    {%- set moved = then.keys() | reject('in', columns.keys() | list) | list
        + columns.keys() | reject('in', then.keys() | list) | list -%}
    {%- if moved -%}
        {{ event_windows._stop('columns of ' ~ stored ~ ' were added, renamed or dropped since its last commit ('
            ~ moved | join(', ') ~ '), and it is read as it was then: run ' ~ above.name
            ~ ' until it has a new row, or with --full-refresh, and this after it') }}
    {%- endif -%}
    {%- set record = above.record -%}
    {%- set otherwise = event_windows._why_shown_otherwise(record, session) if above.view else none -%}
    {%- do event_windows._stop_if(
        above.name ~ ' ' ~ otherwise ~ ': run that model before this one, in sessions of the same settings'
            if otherwise else none
    ) -%}
    {%- do above.update({
        'windows': event_windows._recorded_spec(record) if record.spec else none,
        'identity': record.spec.key + ['window_start', 'window_end'] if record.spec
            else fromjson(record.properties['event_windows.rollup']).groups,
        'columns': columns, 'shows': columns
    }) -%}
    {%- do above.update({'bounds': event_windows._bounds_of(above)}) -%}
    {%- if above.view -%}
        {%- set shows = event_windows._described('select * from ' ~ relation) -%}
        {%- do above.update({'shows': dict(shows), 'shown_as': event_windows._cast_to(shows, above)}) -%}
    {%- endif -%}
    {{- return(above) -}}
{% endmacro %}


{#
    The columns of the SELECT that a model shows of its table, as SQL, of the types that a query of the model finds: a
    table of Iceberg, or a view in one of its catalogues, has an INT for a SMALLINT, and 200 * 200 of these is another
    number. None where all are of them.
#}
{% macro _cast_to(shows, above) %}
    {%- set selected = event_windows._described('select * from ' ~ event_windows._as_shown(above, above.stored)) -%}
    {%- if selected == shows %}{{- return(none) -}}{% endif -%}
    {%- do event_windows._stop_if(
        above.name ~ ' has other columns than its SELECT: run that model before this one'
            if selected | map('first') | list != shows | map('first') | list else none
    ) -%}
    {%- set columns = [] -%}
    {%- for name, type in shows -%}
        {%- set column, same = event_windows._name(name), type == selected[loop.index0][1] -%}
        {%- set why = event_windows._why_not_written(type) if not same else none -%}
        {%- do event_windows._stop_if("column '" ~ name ~ "' of " ~ above.name ~ ' ' ~ why if why else none) -%}
        {%- do columns.append(column if same else event_windows._typed(column, type) ~ ' as ' ~ column) -%}
    {%- endfor -%}
    {{- return(columns | join(', ')) -}}
{% endmacro %}


{#
    The columns by which rows of the model above are followed, [[name, whether it must be compared as text]]: those that
    tell them apart or, where it does not show these, all that it shows, which several rows may have in common.
#}
{% macro _identity_of_rows(above, format) %}
    {%- set told = above.shows.keys() | map('lower') | list if not above.view else [] -%}
    {%- set hidden = above.identity | map('lower') | reject('in', told) | list -%}
    {%- set identity = [] -%}
    {%- for name, type in above.shows.items() if hidden or event_windows._is_among(name, above.identity) -%}
        {%- set strange = event_windows._cannot_be_found(type)
            or event_windows._of_format(format, 'type_problem', type) -%}
        {%- do identity.append([name, strange is not none]) -%}
    {%- endfor -%}
    {{- return(identity) -}}
{% endmacro %}


{# Which of these columns have another text in JSON each time, where rows are followed by them. #}
{% macro _refuse_texts_anew(above, identity) %}
    {%- set problems = [] -%}
    {%- for name, as_text in identity if as_text
        and modules.re.search('map<(binary|struct|array)', above.shows[name]) -%}
        {%- do problems.append('without GROUP BY it follows rows of ' ~ above.name ~ ' by their column ' ~ name
            ~ ', too, of the type ' ~ above.shows[name] ~ ': as JSON Spark names such keys of a map by where they lie '
            ~ 'in memory, so that no row is found again: let the model show map_entries(' ~ name ~ '), or group the '
            ~ 'rollup by columns') -%}
    {%- endfor -%}
    {%- do event_windows._refuse(problems) -%}
{% endmacro %}


{# Which of the tables that a text reads is the model to follow: {'place', 'relation'}. #}
{% macro _find_above(tables) %}
    {%- set found = [] -%}
    {%- set here = run_query('select current_catalog() as name').rows[0]['name']
        if tables | map('length') | select('gt', 2) | list else none -%}
    {#- a table of the same name in another catalogue is another one; a schema may be in another one, as `a.b` -#}
    {%- for parts in tables -%}
        {%- set in_here = parts | length > 2 and parts[0] | lower == here | lower -%}
        {%- set start = 1 if in_here or (parts | length > 2 and event_windows._is_catalogue(parts[0])) else 0 -%}
        {%- set is_here = parts | length > 1 and (in_here or not start) -%}
        {%- set relation = api.Relation.create(schema=parts[start:-1] | join('.'), identifier=parts[-1])
            if is_here else none -%}
        {%- if relation is not none and event_windows._stored_behind(relation) -%}
            {%- do found.append({'place': loop.index0, 'relation': relation}) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if not found -%}
        {{ event_windows._raise("the SQL of model '" ~ model.name ~ "'", ["FROM names no model with "
            ~ "materialized='windowed' or 'rollup' (it has " ~ (tables | map('join', '.') | join(', ') or 'no table')
            ~ '): read one with ref(), and run it before this one; through a view it is not followed, through a '
            ~ 'rollup it is']) }}
    {%- elif found | length > 1 -%}
        {{ event_windows._raise("the SQL of model '" ~ model.name ~ "'", ['FROM names windowed models or '
            ~ 'rollups more than once (' ~ found | map(attribute='relation') | join(', ') ~ '), and one can be '
            ~ 'followed, once: write a rollup of each, and a model that joins them']) }}
    {%- endif -%}
    {{- return(found[0]) -}}
{% endmacro %}


{# The table of a windowed model or a rollup that a relation is, or shows; none for any other. #}
{% macro _stored_behind(relation) %}
    {%- set state = event_windows._shown_state(relation) -%}
    {%- set table = state if state is not none else event_windows._found(relation) -%}
    {%- if not table or table.is_view %}{{- return(none) -}}{% endif -%}
    {{- return(table if event_windows._recorded_format(event_windows._own_properties(table)) else none) -}}
{% endmacro %}


{# The model above at the version that is read, as a relation in brackets; of its windows those of some segments. #}
{% macro _above_now(above, segments=none) %}
    {%- set rows -%}
        (select {{ event_windows._asked_of_spark_alone(above.columns) }} from {{ event_windows._of_format(
            above.format, 'at_version', above.stored, above.version
        ) }}{{ ' where ' ~ segments if segments is not none }})
    {%- endset -%}
    {{- return(event_windows._as_shown(above, rows)) -}}
{% endmacro %}


{#
    The same of its rows that another version had and this one has not, and the other way round: what was there only
    between the two no SELECT gives now, and none gave then.
#}
{% macro _above_changed(above, from_version) %}
    {%- set rows = event_windows._not_in_pairs(above.columns, event_windows._of_format(
        above.format, 'moved_rows', above.stored, above.columns, from_version, above.version, none
    )) -%}
    {{- return(event_windows._as_shown(
        above, '(select ' ~ event_windows._asked_of_spark_alone(above.columns) ~ ' from (\n' ~ rows | trim ~ '\n))'
    )) -}}
{% endmacro %}


{#
    The columns of the model above, those of floating numbers so that no format answers a condition on them in Spark's
    place (see _asked_of_spark): which of its files hold a NaN beside a number changes with each refresh.
#}
{% macro _asked_of_spark_alone(columns) %}
    {%- set shown = [] -%}
    {%- for column, type in columns.items() -%}
        {%- set name = event_windows._name(column) -%}
        {%- do shown.append(
            'element_at(array(' ~ name ~ '), 1) as ' ~ name if event_windows._has_floats(type) else name
        ) -%}
    {%- endfor -%}
    {{- return(shown | join(', ')) -}}
{% endmacro %}


{% macro _as_shown(above, rows) %}
    {%- if not above.view %}{{- return(rows) -}}{% endif -%}
    {%- set shown = '(' ~ above.view[0] ~ rows ~ above.view[1] ~ ')' -%}
    {{- return('(select ' ~ above.shown_as ~ ' from ' ~ shown ~ ')' if above.shown_as else shown) -}}
{% endmacro %}
