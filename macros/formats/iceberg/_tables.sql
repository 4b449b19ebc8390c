{#
    Iceberg as a table format: see macros/formats/_format.sql. Tables are copied on write, so that they need no
    maintenance to be read fast; a refresh touches few files of few segments. Commits that only met another one are
    tried again by Iceberg itself.
#}
{% macro _iceberg_create(relation, sql, partition_by=none, properties={}, followed=false) %}
    {#- a replaced table keeps the properties that are not given: what it recorded was of another table -#}
    {%- set empty = dict.fromkeys(event_windows._recorded_names() if properties else [], '') -%}
    {{- event_windows._create_table(
        'create or replace table', relation, 'iceberg',
        dict(dict(event_windows._iceberg_table_properties(), **empty), **properties), sql, partition_by=partition_by
    ) -}}
{% endmacro %}


{% macro _iceberg_create_if_absent(relation, columns) %}
    {{- event_windows._create_table(
        'create table if not exists', relation, 'iceberg', event_windows._iceberg_table_properties(), columns=columns
    ) -}}
{% endmacro %}


{# Isolation and staging of commits are Iceberg's own defaults: a catalogue may give its tables others. #}
{% macro _iceberg_table_properties() %}
    {{- return({
        'write.merge.mode': 'copy-on-write', 'write.update.mode': 'copy-on-write',
        'write.delete.mode': 'copy-on-write',
        'write.merge.distribution-mode': 'none', 'commit.retry.num-retries': '20',
        'write.metadata.delete-after-commit.enabled': 'true', 'write.metadata.previous-versions-max': '100',
        'write.merge.isolation-level': 'serializable', 'write.wap.enabled': 'false'
    }) -}}
{% endmacro %}


{#
    Of two MERGEs that only insert, isolation by snapshot lets both commit. Where a table takes part in WAP the session
    decides whether a commit goes to the table, to a branch or to nobody.
#}
{% macro _iceberg_commit_problem(relation, properties) %}
    {%- set isolation, alter = 'write.merge.isolation-level', 'alter table ' ~ relation ~ ' set tblproperties ' -%}
    {%- if properties.get(isolation, 'serializable') | lower != 'serializable' -%}
        {{- return('the table ' ~ relation ~ ' has ' ~ isolation ~ ' ' ~ properties[isolation] ~ ', by which two runs '
            ~ 'at once may both commit: ' ~ alter ~ "('" ~ isolation ~ "' = 'serializable')") -}}
    {%- endif -%}
    {%- for setting in ['spark.wap.id', 'spark.wap.branch'] if properties.get('write.wap.enabled') | lower == 'true' -%}
        {%- set value = event_windows._session_setting(setting) -%}
        {%- if value is not none -%}
            {{- return(setting ~ " is set in this session ('" ~ value ~ "'), and the table " ~ relation ~ ' has '
                ~ 'write.wap.enabled, so that a refresh would be staged and not committed: unset it, or ' ~ alter
                ~ "('write.wap.enabled' = 'false')") -}}
        {%- endif -%}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}


{# A catalogue can make every table take part in WAP, whatever it is made with. #}
{% macro _iceberg_session_problem(session, catalogue) %}
    {%- set forced = 'spark.sql.catalog.' ~ catalogue ~ '.table-override.write.wap.enabled' -%}
    {%- for setting in ['spark.wap.id', 'spark.wap.branch']
        if session.get(forced) | lower == 'true' and session.get(setting) -%}
        {{- return(setting ~ " is set in this session ('" ~ session[setting] ~ "'), and " ~ forced ~ ' is true, so '
            ~ 'that what is written would be staged and not committed: unset one of them') -}}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}


{#
    Format version 3 has variant, which a catalogue in a Hive metastore cannot name: it refuses the table (Iceberg 1.12,
    "Invalid column type: unknown").
#}
{% macro _iceberg_type_problem(type) %}
    {{- return(event_windows._type_within(type, ['variant', 'interval', 'time', 'void'])) -}}
{% endmacro %}


{% macro _iceberg_name_problem(name, followed=false) %}
    {{- return(none) -}}
{% endmacro %}


{# Iceberg's smallest number is an int. #}
{% macro _iceberg_stored_type(type) %}
    {{- return(modules.re.sub('(?<![\\w`])(tinyint|smallint)(?![\\w`:])', 'int', type)) -}}
{% endmacro %}


{# A catalog that caches tables would show one as it was up to half a minute ago. #}
{% macro _iceberg_latest(relation) %}
    {%- do run_query('refresh table ' ~ relation) -%}
{% endmacro %}


{#
    After a rollback the table shows a snapshot of before, and its properties are those of now: then a snapshot that was
    made since, and after the first of those that it goes back to, is none of them. One of an older table, which a build
    has replaced, is before the first.
#}
{% macro _iceberg_set_back(relations, since) %}
    {%- set histories, told = [], [] -%}
    {%- for relation in relations -%}
        {%- set name = event_windows._literal(relation | string) -%}
        {%- do histories.append('select ' ~ name
            ~ ' as name, is_current_ancestor as is_now, made_current_at as made from ' ~ relation ~ '.history') -%}
        {%- do told.append('if(max(if(name = ' ~ name ~ ' and not is_now, made, null)) > greatest(min(if(name = ' ~ name
            ~ ' and is_now, made, null)), timestamp_micros(' ~ since ~ ')), ' ~ name ~ ', null)') -%}
    {%- endfor -%}
    {{- return("(\n        select concat_ws(\n            ', ',\n            " ~ told | join(',\n            ')
        ~ '\n        ) from (\n            ' ~ histories | join(' union all\n            ') ~ '\n        )\n    )') -}}
{% endmacro %}


{# CREATE OR REPLACE keeps the properties that it does not give, but for that of the snapshot, which none can give. #}
{% macro _iceberg_tells_commit(properties) %}
    {{- return(properties.get('current-snapshot-id')) -}}
{% endmacro %}


{# Nor does it keep any column. #}
{% macro _iceberg_was_replaced(relation) %}
    {{- return('_ew_refresh' not in event_windows._columns_there(relation)) -}}
{% endmacro %}


{#
    Columns have numbers, so that files stay as they are, and a commit of another writer meanwhile goes well with it.
    What a run that was killed has done already is seen in the table, which says from the first of these statements to
    the last that its columns may be others than it records. A version is read with the names that it was written
    under: so in the end no row is appended, which makes a version with those of now.
#}
{% macro _iceberg_reshape(relation, columns, properties, partition_by, followed) %}
    {%- set alter = 'alter table ' ~ relation ~ ' ' -%}
    {%- set there, kept, statements = [], [], [] -%}
    {%- for row in run_query('describe query select * from ' ~ relation) -%}
        {%- do there.append(event_windows._name(row['col_name'])) -%}
    {%- endfor -%}
    {%- set gone = there | reject('in', columns | map('first') | list + columns | map(attribute=1) | list) | list -%}
    {%- if gone %}{% do statements.append(alter ~ 'drop columns (' ~ gone | join(', ') ~ ')') %}{% endif -%}
    {%- set names = {} -%}
    {%- for name, before, same in columns if before in there and not same -%}
        {%- do names.update({before: name}) -%}
        {%- do statements.append(alter ~ 'rename column ' ~ before ~ ' to ' ~ name) -%}
    {%- endfor -%}
    {%- for column in there if column not in gone %}{% do kept.append(names.get(column, column)) %}{% endfor -%}
    {%- for name, before, same in columns -%}
        {%- if name not in kept -%}
            {{ event_windows._stop('the table ' ~ relation ~ ' lacks the column ' ~ before ~ ', which it recorded: run '
                ~ 'with --full-refresh') }}
        {%- elif kept[loop.index0] != name -%}
            {%- do kept.remove(name) -%}
            {%- do kept.insert(loop.index0, name) -%}
            {%- do statements.append(alter ~ 'alter column ' ~ name
                ~ (' first' if loop.first else ' after ' ~ columns[loop.index0 - 1][0])) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set under_way = 'event_windows.reshaping' -%}
    {{- return([event_windows._set_properties(relation, {under_way: 'true'})] + statements + [
        'insert into ' ~ relation ~ ' select * from ' ~ relation ~ ' where false',
        event_windows._set_properties(relation, dict(properties, **{under_way: ''}))
    ]) -}}
{% endmacro %}


{#
    Of a MERGE Iceberg asks whether files came meanwhile that may have rows which it looks at; of the guard, another
    scan of the table, it asks nothing. Rows of this number there are none yet, so that no file more is read.
#}
{% macro _iceberg_looked_at(segment, number) %}
    {{- return('(stored._ew_segment >= ' ~ segment ~ ' or stored._ew_refresh >= ' ~ number ~ ')') -}}
{% endmacro %}


{#
    Iceberg commits what an INSERT has appended whatever came between. A MERGE that could update is refused where rows
    came that it would have looked at; where it found none of its number, its commit is an append for those who follow
    the table.
#}
{% macro _iceberg_insert_once(relation, columns, sql, number) %}
merge into {{ relation }} as stored
using (
{{ event_windows._unless_there(relation, sql, number) | trim }}
) as inserted
on stored._ew_refresh = inserted._ew_refresh and stored._ew_refresh >= {{ number }}
when matched then update set _ew_refresh = inserted._ew_refresh
when not matched then insert ({{ columns | join(', ') }})
    values ({% for column in columns %}inserted.{{ column }}{{ ', ' if not loop.last }}{% endfor %})
{% endmacro %}


{# Spark writes what a MERGE did into the summary of its snapshot (SPARK-52689). One that did nothing has one too. #}
{% macro _iceberg_merged(relation, result=none, also=none) %}
    {%- set counted, written = [], [] -%}
    {%- for what in ['inserted', 'updated', 'deleted'] -%}
        {%- set rows = "cast(summary['spark.merge-into.num-target-rows-" ~ what ~ "'] as bigint)" -%}
        {%- do counted.append(rows ~ ' as ' ~ what) -%}
        {%- do written.append(rows ~ ' > 0') -%}
    {%- endfor -%}
    {%- if also %}{% do counted.append('(' ~ also ~ ') as also') %}{% endif -%}
    {%- set found = run_query(
        'select ' ~ counted | join(', ') ~ ' from ' ~ relation
            ~ '.snapshots where ' ~ written | join(' or ') ~ ' order by committed_at desc limit 1'
    ).rows -%}
    {%- set counts = {'inserted': 0, 'updated': 0, 'deleted': 0, 'surely': false} -%}
    {%- if found | length -%}
        {%- for what in ['inserted', 'updated', 'deleted'] -%}
            {%- do counts.update({what: found[0][what] | int}) -%}
        {%- endfor -%}
        {%- if also %}{% do counts.update({'also': found[0]['also']}) %}{% endif -%}
    {%- endif -%}
    {{- return(counts) -}}
{% endmacro %}


{# The parser of Iceberg 1.12 stops at CREATE FUNCTION with an error that has no text. #}
{% macro _iceberg_functions_problem() %}
    {%- if 'IcebergSparkSessionExtensions' not in (event_windows._session_setting('spark.sql.extensions') or '') -%}
        {{- return(none) -}}
    {%- endif -%}
    {{- return("Iceberg's SQL extensions, which this session has, do not take CREATE FUNCTION: leave query_functions "
        ~ 'out, or leave them out of spark.sql.extensions (Spark 4 does what this package needs without them)') -}}
{% endmacro %}
