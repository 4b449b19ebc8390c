{#
    With source_changes='retract' and skipped_rows='rebuild' the log of the source's table is followed: that of the
    relation itself, or of the one table whose rows a SELECT gives row by row. A refresh records the version up to which
    it has, asked after the bounds, and reads rows as of it: what changes later is in the next refresh's part of it.
#}
{% macro _follows(spec) %}
    {{- return(spec.source_changes == 'retract' or spec.skipped_rows == 'rebuild') -}}
{% endmacro %}


{# Sets run.followed; returns why the log cannot be followed, none if it can. #}
{% macro _follow_source(spec, run) %}
    {%- if not event_windows._follows(spec) or flags.EMPTY %}{{- return(none) -}}{% endif -%}
    {%- set table = event_windows._followed_table(spec) -%}
    {#- before the version: what gets another name meanwhile is told by the next run -#}
    {%- set meanings = event_windows._meanings_in(table.table) -%}
    {%- set now = event_windows._of_format(table.format, 'source_version', table.table) -%}
    {%- if not spec.arrival -%}
        {#- the same version that rows are read at -#}
        {%- do now.update({'version': run.to[0][1]}) -%}
    {%- endif -%}
    {%- if not run.previous.get('followed') -%}
        {%- set problem = event_windows._log_problem(spec, table, now) -%}
        {%- if problem %}{{- return(problem) -}}{% endif -%}
    {%- endif -%}
    {%- do run.update({'followed': {
        'table': table.table | string, 'version': now.version, 'identity': now.identity
    }}) -%}
    {%- if table.views -%}
        {#- a view keeps its name whatever its text is #}
        {%- do run.followed.update({'texts': local_md5(table.views | join('; '))}) -%}
    {%- endif -%}
    {%- if meanings %}{% do run.followed.update({'meanings': meanings}) %}{% endif -%}
    {{- return(none) -}}
{% endmacro %}


{#
    {name: what it means, in short} of the aggregates of a table of ours; none of any other table. One that is gone may
    leave its name to another without a build, and on Iceberg without a commit of rows.
#}
{% macro _meanings_in(table) %}
    {%- set meanings = {} -%}
    {%- set recorded = event_windows._record_in(event_windows._own_properties(table)).spec or {} -%}
    {%- for name, identity in recorded.get('aggregates', {}).items() -%}
        {%- do meanings.update({name: local_md5(event_windows._compared_sql(identity))[:8]}) -%}
    {%- endfor -%}
    {{- return(meanings) -}}
{% endmacro %}


{#
    The spec with its rows as of the version up to which the log is followed: what went and came back while rows were
    read shows in no version. Where columns were changed since the table's last row its version has others (Iceberg):
    then the rows are those that are there.
#}
{% macro _at_followed(spec, run) %}
    {%- if not spec.arrival or not run.followed or event_windows._is_blank(run.followed) -%}
        {{- return(spec) -}}
    {%- endif -%}
    {%- set table = event_windows._followed_table(spec) -%}
    {%- set version = event_windows._of_format(table.format, 'at_version', table.table, run.followed.version) -%}
    {#- in their order: two columns may have changed names -#}
    {%- if dict(event_windows._described('select * from ' ~ version)).items() | list != table.columns.items() | list -%}
        {{- return(spec) -}}
    {%- endif -%}
    {{- return(dict(spec, rows=version if table.direct
        else '(' ~ table.before ~ '(select * from ' ~ version ~ ')' ~ table.after ~ ')')) -}}
{% endmacro %}


{# The spec with its rows as the last refresh saw them, as far as a version of the table that it follows has them. #}
{% macro _as_read(asked) %}
    {%- set spec, followed = asked.spec, asked.progress.followed if asked.progress else none -%}
    {%- if not followed or event_windows._is_blank(followed) or event_windows._is_view()
        or not event_windows._is_running() -%}
        {{- return(spec) -}}
    {%- endif -%}
    {%- set table = event_windows._followed_table(spec) -%}
    {%- set version = event_windows._of_format(table.format, 'at_version', table.table, followed.version) -%}
    {%- if event_windows._of_format(table.format, 'source_version', table.table).identity != followed.identity
        or event_windows._said_against('select * from ' ~ version) is not none -%}
        {{- return(spec) -}}
    {%- endif -%}
    {{- return(event_windows._at_followed(spec, {'followed': followed})) -}}
{% endmacro %}


{# Why a log cannot be followed from now on; none if it can. #}
{% macro _log_problem(spec, table, now) %}
    {%- if 'event_windows.shows' in event_windows._properties(table.table) -%}
        {%- set problem = 'that model is no view, and its table is written anew by each run that changes windows' -%}
        {%- set mend = 'write that model as a call of event_windows.windowed(...), or this one as a rollup' -%}
    {%- elif not event_windows._is_blank(now) -%}
        {%- set problem = event_windows._of_format(
            table.format, 'images_problem', table.table, now.version, now.version
        ) -%}
        {%- set mend = 'switch one of them on' -%}
    {%- endif -%}
    {{- return('what changes in ' ~ table.table ~ ' cannot be told, which ' ~ event_windows._what_follows(spec)
        ~ ' needs: ' ~ problem ~ '; ' ~ mend if problem else none) -}}
{% endmacro %}


{# The same where a build would begin to follow it. #}
{% macro _followed_problem(spec) %}
    {%- if not event_windows._follows(spec) or spec.source.empty %}{{- return(none) -}}{% endif -%}
    {%- set table = event_windows._followed_table(spec) -%}
    {{- return(event_windows._log_problem(
        spec, table, event_windows._of_format(table.format, 'source_version', table.table)
    )) -}}
{% endmacro %}


{# Whether a version is that of an Iceberg table without a snapshot, and so without a row that could change. #}
{% macro _is_blank(seen) %}
    {{- return(seen.version | string == '0' and seen.identity is none) -}}
{% endmacro %}


{% macro _about_log(spec, table, problem) %}
    {{- return('what changed in ' ~ table.table ~ ' since the last refresh cannot be told, which '
        ~ event_windows._what_follows(spec) ~ ' needs: ' ~ problem ~ '; run with --full-refresh') -}}
{% endmacro %}


{# The option that asks for the log. #}
{% macro _what_follows(spec) %}
    {{- return("source_changes='retract'" if spec.source_changes == 'retract' else "skipped_rows='rebuild'") -}}
{% endmacro %}


{#
    What is recorded of it. Of a refresh that does not follow the log nothing, so that the next one which does begins;
    but of rows without an order, which are read by the table's versions all the same, what its columns were.
#}
{% macro _followed_progress(spec, run) %}
    {{- return(run.followed or (none if spec.arrival else run.previous.get('followed'))) -}}
{% endmacro %}


{#
    Up to where the last refresh has followed the log. Of rows without an order it is where it read to. A refresh of a
    model that did not follow it says nothing of changes before it: then this one begins.
#}
{% macro _followed_before(spec, run) %}
    {%- if not run.followed %}{{- return(none) -}}{% endif -%}
    {%- if not spec.arrival -%}
        {{- return({
            'version': run.from[0][1], 'identity': run.previous.source,
            'meanings': (run.previous.get('followed') or {}).get('meanings')
        } if run.from else none) -}}
    {%- endif -%}
    {#- before a run has read rows (--empty) there is nothing to be counted anew -#}
    {%- if run.from and not run.previous.get('followed') -%}
        {%- do event_windows._say('what changed in ' ~ run.followed.table ~ ' before now was not followed, and stays '
            ~ 'as it was counted: --full-refresh, or the var event_windows__rebuild, count it anew') -%}
    {%- endif -%}
    {{- return(run.previous.get('followed')) -}}
{% endmacro %}


{#
    Whether a refresh records how far it has followed the log, or read a table by its versions, where nothing is new,
    too: the first that follows it, and where there were commits without such rows (compaction). What comes later is
    told from there on, and the log before may be gone by then.
#}
{% macro _moves_on(spec, run) %}
    {%- if not spec.arrival %}{{- return(run.to != run.previous.through) -}}{% endif -%}
    {{- return(run.followed is not none and not event_windows._is_followed_to(run.previous.get('followed'), run)) -}}
{% endmacro %}


{# Whether the log was followed up to here before. #}
{% macro _is_followed_to(before, run) %}
    {%- set now = run.followed -%}
    {{- return(before is mapping and before.version | string == now.version | string
        and before.identity == now.identity) -}}
{% endmacro %}


{#
    The changes since the last refresh, as _keys_to_rebuild has them; none where there are none; or the `problem` that
    stops the run.
#}
{% macro _changed_since(spec, run) %}
    {%- set now, before = run.followed, event_windows._followed_before(spec, run) -%}
    {%- if not before %}{{- return(none) -}}{% endif -%}
    {%- set table = event_windows._followed_table(spec) -%}
    {#- where none was recorded the table itself was read, or another version of the package recorded it otherwise -#}
    {%- if before.get('texts') != now.get('texts')
        and (before.get('texts') or before.get('table', now.table) != now.table) -%}
        {{- return({'problem': event_windows._about_log(
            spec, table, 'the text of a view between it and the model was changed'
        )}) -}}
    {%- endif -%}
    {%- for name, meaning in (before.meanings or {}).items()
        if (now.meanings or {}).get(name, meaning) != meaning -%}
        {{- return({'problem': event_windows._about_log(
            spec, table, 'its column ' ~ name ~ ' was that of another aggregate'
        )}) -}}
    {%- endfor -%}
    {#- from a table without a row no row was read, or from another one before it, whose rows are in no log now -#}
    {%- set began_blank = event_windows._is_blank(before) and not (spec.arrival and run.from) -%}
    {%- if event_windows._is_followed_to(before, run) or began_blank %}{{- return(none) -}}{% endif -%}
    {%- set found = event_windows._of_format(
        table.format, 'source_commits', table.table, before.version, before.identity, now
    ) -%}
    {%- if found.untouched and not found.moved %}{{- return(none) -}}{% endif -%}
    {%- set problem = found.problem if now.identity != before.identity else event_windows._of_format(
        table.format, 'images_problem', table.table, before.version, now.version
    ) -%}
    {%- if problem %}{{- return({'problem': event_windows._about_log(spec, table, problem)}) -}}{% endif -%}
    {%- set commits = found.commits | selectattr('kind', 'equalto', 'change') | map(attribute='id') | list -%}
    {%- if not found.commits or (not spec.arrival and not commits) %}{{- return(none) -}}{% endif -%}
    {{- return({'from': before.version, 'to': now.version, 'commits': none if spec.arrival else commits}) -}}
{% endmacro %}


{#
    The table whose log is followed: {'table', 'format', 'columns', 'direct'}; of a SELECT also `before` and `after`,
    what stands around the table in its text, and the texts of `views` between. `own` is what arrival order, key and
    partition are called in the table where its rows alone tell the keys: other tables in the text may have lost, by
    now, what a row was joined with. None where they do not tell, and where the text reads no other table.
#}
{% macro _followed_table(spec) %}
    {%- if spec.followed is defined %}{{- return(spec.followed) -}}{% endif -%}
    {%- if spec.source -%}
        {%- set found = {'table': spec.relation, 'format': spec.source.format, 'direct': true, 'own': {}} -%}
    {%- else -%}
        {%- set found = event_windows._row_by_row(spec) -%}
    {%- endif -%}
    {%- do found.update({'columns': dict(event_windows._described('select * from ' ~ found.table))}) -%}
    {%- do spec.update({'followed': found}) -%}
    {{- return(found) -}}
{% endmacro %}


{# The one table below a SELECT, or a view that is a model, and the text around it. #}
{% macro _row_by_row(spec) %}
    {%- do event_windows._refuse([event_windows._planner_not_there('the SELECT that this model is over')]) -%}
    {%- set read = namespace(
        query='select * from ' ~ spec.relation, column=spec.arrival or '', before='', after='', found=none,
        own=[spec.arrival or ''] + spec.key + ([spec.partition] if spec.partition else []), joined=false,
        made=none, session=none
    ) -%}
    {%- set views = [] -%}
    {%- for _ in range(20) if read.found is none -%}
        {%- set below = event_windows._read_row_by_row(read.query, read.column, read.own) -%}
        {%- set problem = below.problem if below.problem is defined
            else event_windows._may_give_new_rows(spec, below) or event_windows._reads_beside(below) -%}
        {%- if problem -%}
            {%- do event_windows._refuse_to_follow(
                spec, problem ~ ': give one table, or a SELECT over one that takes its rows one by one'
            ) -%}
        {%- endif -%}
        {%- if read.made -%}
            {%- do event_windows._refuse([event_windows._why_other_view(read.made, below, read.session)]) -%}
        {%- endif -%}
        {%- set read.column, read.joined = below.column, read.joined or below.joined -%}
        {%- set own = [] -%}
        {%- for traced in below.more %}{% do own.append(event_windows._surely_below(below, traced)) %}{% endfor -%}
        {%- set read.own = own -%}
        {%- set read.before, read.after = read.before ~ below.before, below.after ~ read.after -%}
        {%- set found = event_windows._described_in_full(below.table) -%}
        {%- set said = found.said -%}
        {%- if said.get('Provider') in event_windows._formats() -%}
            {%- set version = event_windows._of_format(
                said['Provider'], 'named_version', below.table, said.get('Name')
            ) -%}
            {%- if version -%}
                {%- do event_windows._refuse_to_follow(
                    spec, below.table ~ ' is ' ~ version ~ ', which has no log of its own: read the table'
                ) -%}
            {%- endif -%}
            {%- set read.found = {'table': below.table, 'format': said['Provider'], 'direct': false,
                'own': event_windows._own(spec, read.own, found.columns) if read.joined else none,
                'before': read.before, 'after': read.after, 'views': views} -%}
        {%- elif event_windows._text_of_view(below.table, found) -%}
            {%- set read.query = said['View Text'] -%}
            {%- set read.session = read.session or event_windows._session_of_views() -%}
            {%- set read.made = {
                'view': below.table, 'text': read.query, 'in': said.get('View Catalog and Namespace', '')
            } -%}
            {#- the columns that it had when it was made: its text may give others by now, too -#}
            {%- set read.before = read.before ~ '(select ' ~ event_windows._names(found.columns | list) ~ ' from (' -%}
            {%- set read.after = '))' ~ read.after -%}
            {%- do views.append(event_windows._compared_sql(read.query)) -%}
        {%- else -%}
            {%- do event_windows._refuse_to_follow(
                spec, below.table ~ ' is no table in ' ~ event_windows._formats() | join(' or ')
                    ~ ', nor a view of this project whose text the catalogue tells: read one'
            ) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(read.found) -}}
{% endmacro %}


{% macro _refuse_to_follow(spec, why) %}
    {%- do event_windows._refuse([
        'the log of what it reads is to be followed (' ~ event_windows._what_follows(spec) ~ '), and ' ~ why
    ]) -%}
{% endmacro %}


{#
    What of this session views are compared with: {'in': [catalogue, schema], 'told': as _told_session has it}. A view
    keeps its own.
#}
{% macro _session_of_views() %}
    {%- set row = run_query('select current_catalog() as catalogue, current_schema() as its_schema, '
        ~ event_windows._session_columns()).rows[0] -%}
    {{- return({'in': [row['catalogue'], row['its_schema']], 'told': event_windows._told_session(row)}) -}}
{% endmacro %}


{#
    Why the text of a view, which reads `below`, gives other values in its place than the view does; none if it gives
    the same. Spark casts its columns to the types that they had when it was made, completes names by where that was,
    and reads it with settings of the session that made it.
#}
{% macro _why_other_view(made, below, session) %}
    {%- set then, now = (made.in | replace('`', '')).split('.', 1)[:3 - below.least], session.in[:3 - below.least] -%}
    {%- if then != now -%}
        {{- return(made.view ~ ' was made in ' ~ then | join('.') ~ ', which completes the names in its text, and this '
            ~ 'session is in ' ~ now | join('.') ~ ': run that view again, or name its tables with their catalogue and '
            ~ 'schema') -}}
    {%- endif -%}
    {%- set given, differ = dict(event_windows._described(made.text)), [] -%}
    {%- for name, type in event_windows._described('select * from ' ~ made.view) if given[name] != type -%}
        {%- do differ.append(name ~ ' was ' ~ type ~ ' and is ' ~ given[name]) -%}
    {%- endfor -%}
    {%- set full = fromjson(run_query('describe table extended ' ~ made.view ~ ' as json').rows[0][0]) -%}
    {%- do differ.extend(event_windows._other_session(
        event_windows._kept_session(full.get('view_creation_spark_configuration', {})), session.told
    )) -%}
    {{- return('since ' ~ made.view ~ ' was made, ' ~ differ | join(', ') ~ ', and a view goes on with what was: run '
        ~ 'that view again, or give this session the settings that it was made with' if differ else none) -}}
{% endmacro %}


{# What the reader of plain SQL says of one SELECT; where it asks for the types of the table below, with these. #}
{% macro _read_row_by_row(query, column, more, types=none) %}
    {%- set below = event_windows._asked_planner(query, {'row_by_row': column, 'more': more, 'types': types}) -%}
    {%- if below.asks is not defined %}{{- return(below) -}}{% endif -%}
    {%- set asked = event_windows._described('select * from ' ~ below.asks) -%}
    {{- return(event_windows._read_row_by_row(query, column, more, asked)) -}}
{% endmacro %}


{#
    What is called so in a SELECT, as the one table below it calls it; none where one is not surely a column of that,
    among those that are `there`.
#}
{% macro _own(spec, columns, there) %}
    {%- set there = there | map('lower') | list -%}
    {%- if columns | map('lower') | reject('in', there) | list %}{{- return(none) -}}{% endif -%}
    {{- return({'arrival': columns[0], 'key': columns[1:1 + spec.key | length],
        'partition': columns[-1] if spec.partition else none}) -}}
{% endmacro %}


{#
    The column of the table below that a column of the text surely is, as the reader traced it; else empty. Where the
    text does not say whose it is, it must be a column of that table alone.
#}
{% macro _surely_below(below, traced) %}
    {%- if not traced or not traced.column %}{{- return('') -}}{% endif -%}
    {%- if not traced.others %}{{- return(traced.column) -}}{% endif -%}
    {%- set having = [] -%}
    {%- for table in [below.table] + traced.others -%}
        {%- if traced.column | lower in event_windows._columns_there(table) %}{% do having.append(table) %}{% endif -%}
    {%- endfor -%}
    {{- return(traced.column if having == [below.table] else '') -}}
{% endmacro %}


{#
    Why new rows may be those of another table than the one below, where others are joined to it: a change of such a row
    would go unseen. None where the arrival order is surely a column of that one alone.
#}
{% macro _may_give_new_rows(spec, below) %}
    {%- if not below.others or not spec.arrival %}{{- return(none) -}}{% endif -%}
    {{- return(none if event_windows._surely_below(below, below)
        else 'it is not sure that new rows are those of ' ~ below.table ~ ", the first in FROM: arrival_order '"
            ~ spec.arrival ~ "' must be a column of it, and of no other table in the text, and no alias may give that "
            ~ 'name') -}}
{% endmacro %}


{# What a text reads of the columns that a format gives a table beside its own; none where it reads none. #}
{% macro _reads_beside(below) %}
    {%- set columns = event_windows._columns_there(below.table) if below.beside else [] -%}
    {%- set beside = below.beside | reject('in', columns) | list -%}
    {{- return('it reads ' ~ beside | join(', ') ~ ', which says where a row lies, and which no row in a log has'
        if beside else none) -}}
{% endmacro %}
