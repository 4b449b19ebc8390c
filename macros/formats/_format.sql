{#
    The interface of table formats. A format is a folder of macros `_<format>_<hook>`; nothing outside macros/formats
    knows one by name. The format of a relation is handed to each call: that of a model is in its config, that of a
    source is what the catalogue says. docs/adding-a-format.md goes through them.

    create(relation, sql, partition_by=, properties=, followed=)  SQL that creates or replaces a table in one commit,
        from a SELECT. followed: its changes will be asked for
    create_if_absent(relation, columns)  SQL that creates an empty table where there is none. A comment at its end,
        `/* event_windows at last <SQL> */`, is what to send instead where a killed run left the table's place taken
    type_problem(type)  what of a column's type no table of the format can hold; none if it can
    name_problem(name, followed)  what in a column's name no table of the format can hold, or none whose changes will be
        asked for; none if it can
    stored_type(type)  the type with which a column comes back: it, or a larger one
    latest(relation)  makes the session see the last commit of other processes
    set_back(relations, since)  which tables show an earlier state than they did since a time in microseconds: their
        names as one text, as SQL; none where their properties are set back as well
    commit_problem(relation, properties)  why a table with these properties, or this session, would not commit a MERGE,
        or would commit two at once; none if all is well
    session_problem(session, catalogue)  why a session with these settings, {setting: value}, would not commit to tables
        of a catalogue, or would store other values in them; none if all is well
    tells_commit(properties)  which commit a table with these properties shows now; none where a table that replaces it
        keeps none of them
    was_replaced(relation)  whether a table with properties of ours was replaced by somebody else
    reshape(relation, columns, properties, partition_by=, followed=)  statements after which a table has just these
        columns, [[name, name in the table now, whether they are the same]], in this order, with their values, and these
        properties beside its own. These come with the last of them; sent again after some were, they do the others
    insert_once(relation, columns, sql, number)  SQL: one commit of a refresh's rows, those of a SELECT, which bear its
        number in _ew_refresh; columns in quotes; none if such rows are there. It must fail where rows of this refresh
        or a later one are committed while it is under way
    looked_at(segment, number)  which rows a refresh's MERGE looks at, as a condition on `stored`: those from a segment
        on. It must fail where rows of this number or a later one are committed while it is under way, in any segment
    merged(relation, result, also=)  {'inserted', 'updated', 'deleted', 'surely'} of a MERGE, from what it returned or,
        without that, of the table's last one. surely: the format says that it changed rows. `also` is a SELECT of one
        value; a format that asks the table may ask that with it: 'also'
    changes(relation, columns, identity, from_version, to_version)  SELECT of what commits changed: the columns
        {name: type}, change_type, change_version (a whole number that grows), change_time
    source_version(relation)  {'version', 'identity'} of a source table now; the identity is another one where the table
        was dropped and created again
    source_commits(relation, from_version, identity, now)  what was done to a source table after a version: {'problem',
        'commits', 'rewritten', 'untouched', 'moved'}, see _source_since
    added_rows(relation, from_version, to_version)  FROM and WHERE, alias arrived: the rows that came into a source
        table after one version (none: all) and not after another
    named_version(relation, called)  what of a table a relation names that has no log of its own, as a branch; none if
        it names the table, which the catalogue calls `called`, or if that is not known
    at_version(relation, version)  what follows FROM: a table as of a version of source_version
    moved_rows(relation, columns, from_version, to_version, commits=none)  SELECT of the columns of each row that a
        commit after one such version, and not after another, took away or put there; with `commits`, ids of
        source_commits, those alone. _ew_sign is -1 or 1; rows with the same values are no change where these add up to
        0 in one _ew_commit. With `commits` what added_rows gives as a new row is not to be made up for
    images_problem(relation, from_version, to_version)  why these cannot be told; none if they can
    lost_rows(relation, from_version, to_version)  why added_rows, which were read once, cannot be read again; none if
        they can
    log_outgrows(relation, from_version, to_version, least)  whether moved_rows reads more rows than the table has, and
        than `least`
    functions_problem()  why this session cannot make SQL functions, where that is the format's doing; none if it can
    holds_views(settings, extensions)  whether a catalogue of the format's own, with these settings and '' for its
        class, holds views that a session with these SQL extensions makes; none if it is none of its own, or if that
        cannot be told
    makes_views(settings, extensions)  whether views that such a session makes in such a catalogue are of the format's
        making, also where it is the session's own
    made_view(information)  whether a view of the session's own catalogue, of which Spark tells this, is such a one
    view_problem(type)  what of a column's type no such view can show; none if it can

    Their names; the first is that of models that do not say.
#}
{% macro _formats() %}
    {{- return(['delta', 'iceberg']) -}}
{% endmacro %}


{# Calls a hook of a format. #}
{% macro _of_format(format, hook) %}
    {%- set macros = context['event_windows'] -%}
    {%- if macros['_' ~ format ~ '_' ~ hook] is not defined -%}
        {{ exceptions.raise_compiler_error(
            "event_windows: format '" ~ format ~ "' lacks the hook '" ~ hook ~ "': write a macro _" ~ format ~ '_'
                ~ hook ~ ', see macros/formats/_format.sql'
        ) }}
    {%- endif -%}
    {{- return(macros['_' ~ format ~ '_' ~ hook](*varargs, **kwargs)) -}}
{% endmacro %}


{#
    What became of a source table since a version that was read: {'problem': why the rows that are new since cannot be
    told from others, none if they can; 'same': whether it has just the rows that it had}. Its format says:

    commits    [{'id', 'kind', 'what'}] of each commit since that touched rows, the last one first. 'append': it only
               added rows; 'rewrite': the same rows in other files; 'change': anything else, also rows that it only
               deleted, which may have been loaded again since
    rewritten  why new rows are not told after a rewrite; none if they are
    problem    why commits or rows cannot be told at all; none if they can
    untouched  whether no commit has touched rows; left out by a format that reads old versions as long as any
    moved      why rows that were read may have other values now though no commit touched them; none, or left out, if
               they have not

    `retracts`: the keys of changed rows are made anew, so that changes are no problem by themselves. Values that moved
    are: no log tells which.
#}
{% macro _source_since(format, relation, from_version, identity, now, retracts=false) %}
    {%- if from_version | string == now.version | string and identity == now.identity -%}
        {{- return({'problem': none, 'same': true}) -}}
    {%- endif -%}
    {%- set found = event_windows._of_format(format, 'source_commits', relation, from_version, identity, now) -%}
    {%- for commit in found.commits -%}
        {%- if (commit.kind == 'change' and not retracts) or (commit.kind != 'append' and found.rewritten) -%}
            {{- return({'same': false, 'problem': 'its rows were not only added to (' ~ commit.what ~ ')'
                ~ (', and ' ~ found.rewritten if commit.kind == 'rewrite' or retracts)}) -}}
        {%- endif -%}
    {%- endfor -%}
    {{- return({
        'problem': found.problem or (found.moved if retracts and found.moved else none),
        'same': found.untouched | default(false)
    }) -}}
{% endmacro %}


{# Why no table of a format can have a column of this name; none if it can. `followed` as in the hook create. #}
{% macro _why_no_name(format, name, followed=true) %}
    {%- set strange = event_windows._of_format(format, 'name_problem', name, followed) -%}
    {{- return('has ' ~ strange ~ ' in its name, which no table in ' ~ format ~ ' can hold: give it another name'
        if strange else none) -}}
{% endmacro %}


{# Why no view of a format's own making shows a column of this type; none if one does. #}
{% macro _why_not_viewed(format, type) %}
    {%- set strange = event_windows._of_format(format, 'view_problem', type) -%}
    {{- return('is of type ' ~ type ~ (' (' ~ strange ~ ')' if strange not in type) ~ ', which no view in ' ~ format
        ~ ' can show: cast it in the SELECT' if strange else none) -}}
{% endmacro %}


{# Why no column that users name can be called so, in any format; none if it can. #}
{% macro _why_own_name(name) %}
    {{- return('begins with _ew_, as columns of this package do: give it another name'
        if (name | lower).startswith('_ew_') else none) -}}
{% endmacro %}


{# Why no table of a format can have a column of this type, and what `mends` it; none if it can. #}
{% macro _why_no_type(format, type, mends) %}
    {%- set strange = event_windows._of_format(format, 'type_problem', type) -%}
    {%- if strange -%}
        {{- return('is of type ' ~ type ~ (' (' ~ strange ~ ')' if strange not in type) ~ ', which no table in '
            ~ format ~ ' can hold' ~ mends) -}}
    {%- endif -%}
    {{- return(event_windows._why_not_written(type)) -}}
{% endmacro %}


{# Why this session cannot make SQL functions, whatever format a model has; none if it can. #}
{% macro _functions_problem() %}
    {%- for format in event_windows._formats() if event_windows._of_format(format, 'functions_problem') -%}
        {{- return(event_windows._of_format(format, 'functions_problem')) -}}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}


{# {name: value} of every property of a table, each of ours that was written in parts as one. #}
{% macro _properties(relation) %}
    {%- set properties, parts = {}, {} -%}
    {%- for row in run_query('show tblproperties ' ~ relation)
        if row['value'] or row['key'] not in event_windows._recorded_names() -%}
        {%- set part = modules.re.fullmatch('(event_windows[.]\\w+)[.](\\d+)', row['key']) -%}
        {%- set name = part.group(1) if part else row['key'] -%}
        {%- if row['value'] == '*********(redacted)' and name in event_windows._recorded_names() -%}
            {{ exceptions.raise_compiler_error(
                'event_windows: Spark does not tell what ' ~ relation ~ ' records in ' ~ row['key'] ~ ': it blots out '
                    ~ 'properties in which it finds the pattern spark.redaction.regex or '
                    ~ 'spark.sql.redaction.options.regex of this session, as in the name of a column: give it patterns '
                    ~ 'that name no column of a model, or leave both as they are by default, and run it again'
            ) }}
        {%- endif -%}
        {%- do (parts if part else properties).update({row['key']: row['value']}) -%}
    {%- endfor -%}
    {%- for name, value in properties.items() if name in event_windows._recorded_names() and value.startswith('@') -%}
        {%- set count, first = value[1:].split(' ', 1) -%}
        {%- set texts = [first] -%}
        {%- for place in range(1, count | int) %}{% do texts.append(parts[name ~ '.' ~ place]) %}{% endfor -%}
        {%- do properties.update({name: texts | join}) -%}
    {%- endfor -%}
    {{- return(properties) -}}
{% endmacro %}


{# The names of properties in which tables record something. An empty one says nothing. #}
{% macro _recorded_names() %}
    {%- set names = [] -%}
    {%- for name in ['spec', 'build', 'reads', 'published', 'view', 'shown', 'shows', 'shows_commit', 'progress',
        'progress_1', 'progress_2', 'progress_3', 'expired', 'last_published', 'late_again', 'reshaping', 'rollup',
        'without_rows'] -%}
        {%- do names.append('event_windows.' ~ name) -%}
    {%- endfor -%}
    {{- return(names) -}}
{% endmacro %}


{#
    Those that bear progress: of the last refreshes that did so, of which the largest number counts. A slow run writes
    its own, and sets nothing back.
#}
{% macro _progress_names() %}
    {%- set names = [] -%}
    {%- for name in event_windows._recorded_names() if name.startswith('event_windows.progress') -%}
        {%- do names.append(name) -%}
    {%- endfor -%}
    {{- return(names) -}}
{% endmacro %}


{#
    _properties without what we have recorded, where somebody else has replaced the table since (materialized='table'
    for a while). What takes a table for ours for the first time asks for these.
#}
{% macro _own_properties(relation) %}
    {%- set properties = event_windows._properties(relation) -%}
    {%- set format = event_windows._recorded_format(properties) -%}
    {%- if format and event_windows._of_format(format, 'was_replaced', relation) -%}
        {%- for name in properties.keys() | list if name.startswith('event_windows.') -%}
            {%- do properties.pop(name) -%}
        {%- endfor -%}
    {%- endif -%}
    {{- return(properties) -}}
{% endmacro %}


{# The format of a table, as the table itself records it; none for one that is not ours. #}
{% macro _recorded_format(properties) %}
    {%- set recorded = properties.get('event_windows.spec') or properties.get('event_windows.rollup') -%}
    {{- return(fromjson(recorded).file_format if recorded else none) -}}
{% endmacro %}


{# SQL that sets properties. #}
{% macro _set_properties(relation, properties) %}
    {{- return('alter table ' ~ relation ~ ' set tblproperties (' ~ event_windows._property_list(properties) ~ ')') -}}
{% endmacro %}


{#
    Properties as they go into SQL, a long one in parts: `@3 ...` is the first of three, `<name>.1` the second; what an
    earlier value has left after them is none of it. A Hive metastore holds 32,672 characters of each
    (TABLE_PARAMS.PARAM_VALUE), and Iceberg writes all of them there.
#}
{% macro _property_list(properties) %}
    {%- set pairs, longest = [], 32000 -%}
    {%- for name, value in properties.items() -%}
        {%- set text = value if value is string else event_windows._unredacted_json(value) -%}
        {%- set count = [(text | length + longest - 1) // longest, 1] | max -%}
        {%- for place in range(count) -%}
            {%- set part = ('@' ~ count ~ ' ' if count > 1 and not place else '')
                ~ text[place * longest:(place + 1) * longest] -%}
            {%- do pairs.append("'" ~ name ~ ('.' ~ place if place else '') ~ "' = " ~ event_windows._literal(part)) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{- return(pairs | join(', ')) -}}
{% endmacro %}


{#
    JSON that SHOW TBLPROPERTIES gives back: Spark blots out a value in which it finds "url" or a word for a secret
    (spark.sql.redaction.options.regex, spark.redaction.regex), and a model's columns may well be called so. Two letters
    in each of these words are written as escapes, which means the same in JSON. Other patterns than Spark's own may
    find anything, see _properties.
#}
{% macro _unredacted_json(value) %}
    {%- set text = namespace(json=tojson(value)) -%}
    {%- for letter, escape in {'r': '0072', 'R': '0052', 'k': '006b', 'K': '004b'}.items() -%}
        {#- not the r of an escape that is there already -#}
        {%- set text.json = modules.re.sub('(?<!\\\\)' ~ letter, '\\\\u' ~ escape, text.json) -%}
    {%- endfor -%}
    {{- return(text.json | replace('t\\u0072ue', 'true')) -}}
{% endmacro %}


{# What CREATE TABLE has in common: name, columns, format, partitions, properties, query. #}
{% macro _create_table(how, relation, format, properties, sql=none, columns=none, partition_by=none) %}
{{ how }} {{ relation }}
{%- if columns %} (
    {% for name, type in columns.items() -%}
        {{- event_windows._name(name) }} {{ type }}{{ ', ' if not loop.last }}
    {%- endfor %}
){% endif %}
using {{ format }}
{%- if partition_by %}
partitioned by ({{ partition_by }})
{%- endif %}
tblproperties ({{ event_windows._property_list(properties) }})
{%- if sql %}
as
{{ sql }}
{%- endif %}
{% endmacro %}


{# A SELECT of columns {name: type} and no rows. #}
{% macro _no_rows(columns) %}
    {{- return('select\n    ' ~ event_windows._nulls(columns.items()) | join(',\n    ') ~ '\nwhere false') -}}
{% endmacro %}


{# One MERGE that inserts, updates and deletes: _ew_place is 0 for a row as it is now, and more for one that is gone. #}
{% macro _merge_into(relation, source, condition, columns) %}
merge into {{ relation }} as stored
using (
{{ source }}
) as change
on {{ condition }}
when matched and change._ew_place > 0 then delete
when matched then update set
    {% for column in columns %}{{ column }} = change.{{ column }}{{ ',\n    ' if not loop.last }}{% endfor %}
when not matched and change._ew_place = 0 then insert ({{ columns | join(', ') }})
    values ({% for column in columns %}change.{{ column }}{{ ', ' if not loop.last }}{% endfor %})
{% endmacro %}


{# The rows of a SELECT, unless the table has rows of this refresh, or those of a run of it, already. #}
{% macro _unless_there(relation, sql, number, run_id=none) %}
    {%- set of_run = ' and run_id = ' ~ event_windows._literal(run_id) if run_id is not none else '' %}
select *
from (
{{ sql }}
) as found
where not exists (select 1 from {{ relation }} where _ew_refresh = {{ number }}{{ of_run }})
{% endmacro %}
