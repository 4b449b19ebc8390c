{#
    A Delta table as a source without an arrival order. A version is a commit, with /tracked where the table tracks
    rows: each row says in which version it came then, and keeps that through OPTIMIZE. With /fed it keeps a change data
    feed, which has each row that a commit inserted. Between versions that both have neither, new rows are those in
    files that the earlier version, which must still be readable, did not have: that tells while files are not
    rewritten, and a backfill of row tracking leaves old rows in theirs.
#}
{% macro _delta_source_version(relation) %}
    {#- asked first: a version that does not track rows yet must not be called one that does -#}
    {%- set properties = event_windows._properties(relation) -%}
    {%- set tracked = event_windows._delta_is_on(properties, 'enableRowTracking') -%}
    {%- set fed = event_windows._delta_is_on(properties, 'enableChangeDataFeed') -%}
    {%- set version = run_query('describe history ' ~ relation ~ ' limit 1').rows[0]['version'] | int -%}
    {{- return({
        'version': version ~ ('/tracked' if tracked else '') ~ ('/fed' if fed else ''),
        'identity': run_query('describe detail ' ~ relation).rows[0]['id']
    }) -}}
{% endmacro %}


{# Whether a property of Delta is true, which it takes in capitals, too. #}
{% macro _delta_is_on(properties, name) %}
    {{- return(properties.get('delta.' ~ name) | lower == 'true') -}}
{% endmacro %}


{#
    What a commit of the history did to such a property: 'on', 'off', which taking it away is, too, or none. What is
    taken away is a list of names; and others may have been set with it, of the user's own, too.
#}
{% macro _delta_switched(row, name) %}
    {%- set found = modules.re.search(
        '(?i)(?<![\\w.])delta[.]' ~ name ~ '\\b(?:\\W*:\\W*(true)\\b)?', row['operationParameters'] | string
    ) -%}
    {{- return(('on' if found.group(1) else 'off') if found else none) -}}
{% endmacro %}


{# What _delta_source_version made: the number of the commit, whether rows were tracked, and changes fed. #}
{% macro _delta_read_version(version) %}
    {%- set parts = (version | string).split('/') -%}
    {{- return({'number': parts[0] | int, 'tracked': 'tracked' in parts, 'fed': 'fed' in parts}) -}}
{% endmacro %}


{% macro _delta_added_rows(relation, from_version, to_version) %}
    {%- set to = event_windows._delta_read_version(to_version) -%}
    {%- set from = event_windows._delta_read_version(from_version) if from_version is not none else none %}
    {%- if from and event_windows._delta_tells_by_feed(relation, from, to) -%}
        {{- return(event_windows._delta_fed_rows(relation, from.number, to.number)) -}}
    {%- endif %}
        from {{ relation }} version as of {{ to.number }} as arrived
    {%- if from and from.tracked and to.tracked %}
        where _metadata.row_commit_version > {{ from.number }}
    {%- elif from %}
        left anti join (
            select distinct _metadata.file_path as file_path from {{ relation }} version as of {{ from.number }}
        ) as seen on _metadata.file_path = seen.file_path
    {%- endif %}
{% endmacro %}


{#
    Whether new rows are told by the feed: where rows are tracked by the log that tells changes, too, since what was
    written as it was is no change in a feed, and new by its number.
#}
{% macro _delta_tells_by_feed(relation, from, to) %}
    {{- return(from.fed and to.fed
        and (not (from.tracked and to.tracked) or event_windows._delta_feeds(relation, from))) -}}
{% endmacro %}


{# Rows that commits after one version inserted; those of a rewritten file that stayed as they were are none. #}
{% macro _delta_fed_rows(relation, from, to) %}
    {%- set columns = run_query('describe query select * from ' ~ relation).columns['col_name'].values() -%}
    {%- if from >= to %}
        from {{ relation }} version as of {{ to }} as arrived
        where false
    {%- else %}
        from (
            select {{ event_windows._names(columns) }}
            from {{ event_windows._delta_feed(relation, from + 1, to) }}
            where _change_type = 'insert'
        ) as arrived
    {%- endif %}
{% endmacro %}


{#
    The feed of commits from one version to another, both inclusive; without the other to the latest. By path: a feed by
    name is to Spark, in one statement, the same as the table itself or another range of it (Delta 4.4).
#}
{% macro _delta_feed(relation, first, last=none) %}
    {{- return('table_changes_by_path('
        ~ event_windows._literal(run_query('describe detail ' ~ relation).rows[0]['location']) ~ ', '
        ~ [first, last] | reject('none') | join(', ') ~ ')') -}}
{% endmacro %}


{#
    Whether a table has kept its change data feed since a version that was read: what was switched on later, or off for
    a while, has gaps.
#}
{% macro _delta_feeds(relation, from) %}
    {%- if not event_windows._delta_is_on(event_windows._properties(relation), 'enableChangeDataFeed') -%}
        {{- return(false) -}}
    {%- endif -%}
    {%- for row in run_query('describe history ' ~ relation) if row['version'] | int > from.number -%}
        {%- set switched = event_windows._delta_switched(row, 'enableChangeDataFeed') -%}
        {%- if switched == 'off' or (switched and not from.fed) -%}
            {{- return(false) -}}
        {%- endif -%}
    {%- endfor -%}
    {{- return(true) -}}
{% endmacro %}


{% macro _delta_source_commits(relation, from_version, identity, now) %}
    {%- set found = {'problem': none, 'commits': [], 'rewritten': none} -%}
    {%- set from = event_windows._delta_read_version(from_version) -%}
    {%- set to = event_windows._delta_read_version(now.version) -%}
    {%- if identity != now.identity -%}
        {%- do found.update({'problem': 'the table was replaced (by a build or, of a windowed model, also for other '
            ~ 'columns than it had), or dropped and created again'}) -%}
    {%- elif from.number > to.number -%}
        {%- do found.update({'problem': 'the table was set back to an earlier version'}) -%}
    {%- endif -%}
    {%- set commits, made = [], [] -%}
    {%- if not found.problem -%}
        {%- set between = to.number - from.number -%}
        {#- and some that may have come meanwhile; where these are more, all that there are -#}
        {%- for limit in [' limit ' ~ (between + 20), ''] if commits | length < between -%}
            {%- do commits.clear() -%}
            {%- do made.clear() -%}
            {%- for row in run_query('describe history ' ~ relation ~ limit)
                if from.number <= row['version'] | int <= to.number -%}
                {%- do made.append(row['timestamp']) -%}
                {%- if row['version'] | int > from.number %}{% do commits.append(row) %}{% endif -%}
            {%- endfor -%}
        {%- endfor -%}
    {%- endif -%}
    {%- if not found.problem and commits | length < to.number - from.number -%}
        {%- do found.update({'problem': 'what was done to it since version ' ~ from.number ~ ' is not recorded any '
            ~ 'more (delta.logRetentionDuration)'}) -%}
    {%- endif -%}
    {%- for row in commits -%}
        {%- set kind = event_windows._delta_kind_of_commit(row, from.tracked) -%}
        {%- if kind -%}
            {%- do found.commits.append({
                'id': row['version'] | int, 'kind': kind, 'what': row['operation'] ~ ' in version ' ~ row['version']
            }) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do found.update({
        'untouched': not found.problem and not found.commits,
        'moved': event_windows._delta_moved_columns(commits, from.number, to.number)
    }) -%}
    {%- if not (from.tracked and to.tracked) and not (from.fed and to.fed) -%}
        {%- do found.update({'rewritten': 'it neither kept a change data feed (delta.enableChangeDataFeed) nor '
            ~ 'tracked rows (delta.enableRowTracking) when it was last read'}) -%}
        {%- if not found.problem and found.commits -%}
            {%- set too_old = event_windows._delta_too_old(relation, made[-1]) -%}
            {%- do found.update({
                'problem': too_old ~ ', and it does not track rows (delta.enableRowTracking)' if too_old else none
            }) -%}
        {%- endif -%}
    {%- endif -%}
    {{- return(found) -}}
{% endmacro %}


{#
    What a commit was; none where it touched no row. Modes are told from parameters, whose text holds conditions of the
    user's too: an overwrite says by itself that it is one. Trino calls each of its commits a blind append. Where rows
    were tracked, and are no longer, they can lose the version in which they came.
#}
{% macro _delta_kind_of_commit(row, tracked) %}
    {%- set operation, parameters = row['operation'], row['operationParameters'] | string -%}
    {%- set modes = modules.re.findall('["\'](?:mode|outputMode)["\']\\s*:\\s*["\'](\\w+)["\']', parameters) -%}
    {%- if tracked and event_windows._delta_switched(row, 'enableRowTracking') == 'off' -%}
        {{- return('change') -}}
    {%- elif operation in (
        'SET TBLPROPERTIES', 'UNSET TBLPROPERTIES', 'ADD COLUMNS', 'CHANGE COLUMN', 'CHANGE COLUMNS', 'RENAME COLUMN',
        'ADD CONSTRAINT', 'DROP CONSTRAINT', 'UPGRADE PROTOCOL', 'SET TABLE COMMENT', 'COMPUTE STATS', 'CLUSTER BY',
        'VACUUM START', 'VACUUM END', 'ROW TRACKING BACKFILL', 'ADD FEATURE', 'DROP FEATURE', 'DROP COLUMNS',
        'REPLACE COLUMNS', 'Empty Commit', 'Deletion Vector Tombstones'
    ) -%}
        {{- return(none) -}}
    {%- elif operation in ('OPTIMIZE', 'REORG') -%}
        {{- return('rewrite') -}}
    {%- elif modes | reject('equalto', 'Append') | list -%}
        {{- return('change') -}}
    {%- elif modes and operation in ('WRITE', 'STREAMING UPDATE', 'COPY INTO')
        or (operation not in ('DELETE', 'MERGE', 'TRUNCATE', 'UPDATE')
            and row['isBlindAppend'] | string | lower == 'true') -%}
        {{- return('append') -}}
    {%- endif -%}
    {{- return('change') -}}
{% endmacro %}


{# Which columns went or got another name, by these rows of the history; none if none did. #}
{% macro _delta_moved_columns(history, from, to) %}
    {%- set moved = [] -%}
    {%- for row in history if from < row['version'] | int <= to
        and row['operation'] in ['RENAME COLUMN', 'DROP COLUMNS', 'REPLACE COLUMNS'] -%}
        {%- do moved.append(row['operation'] | lower ~ ' ' ~ row['operationParameters']) -%}
    {%- endfor -%}
    {{- return('columns of it were renamed or dropped since (' ~ moved | join('; ') ~ '), and another one may have '
        ~ 'such a name now' if moved else none) -}}
{% endmacro %}


{#
    Delta does not read a version any more from which files may have been deleted: delta.deletedFileRetentionDuration
    after it was made. In which zone times come is the connection's affair: the time now comes the same way.
#}
{% macro _delta_too_old(relation, made) %}
    {%- set kept = event_windows._properties(relation).get('delta.deletedFileRetentionDuration', 'interval 1 week') -%}
    {%- set now = run_query('select current_timestamp() as now').rows[0]['now'] -%}
    {%- if run_query(
        "select count(*) as n from (select 1) where timestamp_ntz '" ~ made ~ "' + cast("
            ~ event_windows._literal(kept) ~ " as interval) < timestamp_ntz '" ~ now ~ "'"
    ).rows[0]['n'] > 0 -%}
        {{- return('the version that was read last is older than Delta reads one (' ~ kept ~ ')') -}}
    {%- endif -%}
    {{- return(none) -}}
{% endmacro %}
