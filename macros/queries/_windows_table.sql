{#
    What a query must know of a relation of windows:

    sql        what follows FROM
    columns    {name: type} of its public columns; empty where it cannot be asked: while dbt parses, a CTE, not there
               yet
    relation   as the database has it, none for text and where it cannot be asked
    spec       what a windows table records of itself (_fingerprint), none for any other relation
    shown      what a model in plain SQL shows of its windows, see _shown_windows.sql; none where all of it
    shown_by   what it records of that, {'view', 'shown'}, where a session has a part in its values; else none
    progress   how far it was refreshed, and generation, the number of its build, in a windows table
#}
{% macro _windows_table(relation, problems) %}
    {%- set table = {
        'sql': none, 'columns': {}, 'relation': none, 'spec': none, 'shown': none, 'shown_by': none, 'progress': none,
        'generation': none
    } -%}
    {%- if relation is not string and relation.render is not defined -%}
        {%- do problems.append('relation is missing: give a ref, a source, or a SELECT in parentheses') -%}
        {{- return(table) -}}
    {%- endif -%}
    {%- do table.update({'sql': relation if relation is string else relation.render()}) -%}
    {%- if execute and relation is not string and not relation.is_cte -%}
        {%- do table.update({'relation': event_windows._found(relation)}) -%}
        {%- set state = event_windows._shown_state(relation) -%}
        {%- if state is not none %}{% do table.update({'sql': state.render(), 'relation': state}) %}{% endif -%}
    {%- endif -%}
    {%- if table.relation and not table.relation.is_view -%}
        {%- set record = event_windows._recorded(table.relation) -%}
        {%- set of_another = event_windows._of_another_layout(record, table.relation) -%}
        {%- if of_another %}{% do problems.append(of_another) %}{% endif -%}
        {%- do table.update({'spec': record.spec, 'progress': record.progress, 'generation': record.generation}) -%}
        {%- do table.update({'shown': none if of_another else event_windows._shown_windows(record, problems)}) -%}
        {%- if table.shown and record.spec.emit != 'final' and record.view -%}
            {%- do table.update({'shown_by': {'view': record.view, 'shown': record.shown}}) -%}
        {%- endif -%}
    {%- endif -%}
    {%- if table.relation or (execute and relation is string and relation.strip().startswith('(')) -%}
        {%- do table.columns.update(event_windows._columns_of('select * from ' ~ table.sql)) -%}
        {%- if table.shown and table.spec.emit == 'final' -%}
            {%- do event_windows._as_stored(
                table, table.spec.types[table.spec.event_time], event_windows._row_counts(table.spec)
            ) -%}
        {%- endif -%}
        {%- set names = table.columns.keys() | map('lower') | list -%}
        {%- set is_rollup = record and 'event_windows.rollup' in record.properties -%}
        {%- if is_rollup -%}
            {%- do problems.append('relation ' ~ table.sql ~ ' is a rollup, whose rows are groups and no windows: ask '
                ~ "it by a SELECT, and follow it by another rollup") -%}
        {%- endif -%}
        {%- for column in ['window_start', 'window_end'] if column not in names and not is_rollup -%}
            {%- do problems.append('relation ' ~ table.sql ~ " has no column '" ~ column ~ "': give one that holds "
                ~ "windows; its columns are " ~ table.columns.keys() | join(', ')) -%}
        {%- endfor -%}
        {%- if table.shown and table.shown.windows -%}
            {%- do table.update({'sql': table.shown.windows | join(table.sql)}) -%}
        {%- endif -%}
    {%- endif -%}
    {{- return(table) -}}
{% endmacro %}


{# The type of window_start, none where it is not known. #}
{% macro _window_time_type(table) %}
    {{- return(event_windows._type_of('window_start', table)) -}}
{% endmacro %}


{#
    The same, of a table that must be a windowed model's. Commands that run the SQL stop where it is not; while dbt
    parses, and where it compiles before anything was built, there is nothing to ask: then spec is none.
#}
{% macro _windowed_table(where, relation, problems) %}
    {%- set table = event_windows._windows_table(relation, problems) -%}
    {%- if execute and not table.spec and not problems
        and (table.columns or flags.WHICH not in ('compile', 'generate')) -%}
        {%- do problems.append('relation ' ~ table.sql ~ " is no table of a windowed model: give a ref to a model "
            ~ "with materialized='windowed' that has been run") -%}
    {%- endif -%}
    {%- if problems %}{{ event_windows._raise(where, problems) }}{% endif -%}
    {{- return(table) -}}
{% endmacro %}


{#
    The windows behind a model in plain SQL that shows them as they are now, by a view, which the catalogue need not
    list, or as a table; none for any other relation, such as one that dbt has made since in the place of that. A node
    that is no windowed model any more says so first: what is in its place may be a table that kept properties of ours
    (Iceberg), or a view whose text dbt's cache has of before.
#}
{% macro _shown_state(relation) %}
    {%- set node = event_windows._node_that_makes(relation) -%}
    {%- if node and node.config.materialized != 'windowed' %}{{- return(none) -}}{% endif -%}
    {%- set state = event_windows._found(event_windows._beside(relation, 'state')) -%}
    {%- if not state or state.is_view %}{{- return(none) -}}{% endif -%}
    {%- set spec = event_windows._record_in(event_windows._properties(state)).spec -%}
    {%- if not spec or spec.plain is none or spec.emit == 'final' %}{{- return(none) -}}{% endif -%}
    {%- set shown = event_windows._found(relation) -%}
    {{- return(state if not shown or event_windows._shows_windows(shown, state) else none) -}}
{% endmacro %}


{# Whether what has the name of the model shows these windows, as far as the catalogue tells the text of a view. #}
{% macro _shows_windows(shown, windows) %}
    {%- if not shown.is_view -%}
        {%- set properties = event_windows._properties(shown) -%}
        {{- return('event_windows.shows' in properties and 'event_windows.rollup' not in properties) -}}
    {%- endif -%}
    {{- return(event_windows._may_read(shown, windows)) -}}
{% endmacro %}
