{#
    What refreshes changed in a windowed model, from one version of its table to another, both inclusive: its public
    columns with change_type (insert, update_preimage, update_postimage, delete), change_version and change_time.
    Without from_version: the windows as they stand, as inserts of the latest version, for what begins to follow them.
#}
{% macro changes(relation=none, from_version=none, to_version=none) %}
    {{ return(adapter.dispatch('changes', 'event_windows')(
        relation=relation, from_version=from_version, to_version=to_version, unknown=[kwargs, varargs]
    )) }}
{% endmacro %}


{% macro default__changes(relation, from_version, to_version, unknown) %}
    {{ event_windows._needs_spark('changes(...)') }}
{% endmacro %}


{% macro spark__changes(relation, from_version, to_version, unknown) %}
    {%- set problems = event_windows._unknown_options('relation, from_version, to_version', unknown) -%}
    {%- set versions = {} -%}
    {%- for option, value in {'from_version': from_version, 'to_version': to_version}.items() -%}
        {#- what a query returned is a decimal to dbt -#}
        {%- set whole = value is number and value is not boolean and value >= 0 and value == value | int -%}
        {%- if value is not none and not whole -%}
            {%- do problems.append(option ~ " is '" ~ value ~ "': give a version of the table, a whole number, or "
                ~ "leave it out") -%}
        {%- endif -%}
        {%- do versions.update({option: value | int if whole else none}) -%}
    {%- endfor -%}
    {%- if versions.to_version is not none
        and (versions.from_version is none or versions.to_version < versions.from_version) -%}
        {%- do problems.append("to_version is '" ~ to_version ~ "' and from_version is '" ~ from_version
            ~ "': give a from_version that is not after it, or leave it out") -%}
    {%- endif -%}
    {%- set table = event_windows._windowed_table('changes(...)', relation, problems) -%}
    {%- if not table.spec -%}
        {{- return('select * from ' ~ table.sql ~ '\nwhere false /* not there yet: it cannot be asked for its changes '
            ~ '*/') -}}
    {%- endif -%}
    {%- set public = table.columns -%}
    {#- what a MERGE updates: a session keeps its start, another window both ends -#}
    {%- set identity = event_windows._known_key(table.spec.key) + ['window_start']
        + ([] if event_windows._trait('absorbs', table.spec) else ['window_end']) -%}
    {%- if table.shown and table.shown.public -%}
        {#- final windows of plain SQL, under the names that the SELECT gives them -#}
        {%- do event_windows._check_is_shown(table, identity, problems) -%}
        {%- if problems %}{{ event_windows._raise('changes(...)', problems) }}{% endif -%}
        {%- set public = table.shown.public -%}
        {%- set named = [] -%}
        {%- for column in identity if column in table.shown.names -%}
            {%- do named.append(table.shown.names[column]) -%}
        {%- endfor -%}
        {%- set identity = named -%}
    {%- endif -%}
    {%- set own = ['change_type', 'change_version', 'change_time'] -%}
    {%- for column in public if column | lower in own -%}
        {{ event_windows._raise('changes(...)', ["column '" ~ column ~ "' of " ~ table.sql ~ ' clashes with a column '
            ~ 'of the changes (' ~ own | join(', ') ~ '): give the aggregate another name']) }}
    {%- endfor -%}
    {{- return(event_windows._of_format(
        table.spec.file_format, 'changes', table.relation, public, identity, versions.from_version,
        versions.to_version
    )) -}}
{% endmacro %}
