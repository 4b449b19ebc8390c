{#
    What follows from a commit whose run was killed, or is slow: found missing by whoever comes next, and done again
    from the same rows. Each step looks for its own number first where a second time would show. Where nothing is
    missing only rows of m__dropped go that were never counted: their runs ended before their commit, or another run's
    commit took their number.
#}
{% macro _follow_up(spec, tables, record, done) %}
    {%- set progress = record.progress -%}
    {%- set seen = event_windows._beside_of(spec, tables, record, done) -%}
    {%- do event_windows._stop_if(event_windows._set_back(spec, tables, record, seen)) -%}
    {%- do event_windows._take_up_clocks(spec, tables, record, seen, done) -%}
    {%- set unfinished = event_windows._is_unfinished(spec, record, seen) -%}
    {%- if unfinished -%}
        {%- set run = event_windows._resumed_run(progress, done.statements) -%}
        {%- do event_windows._say('finishing what run ' ~ run.run_id ~ ' began') -%}
        {%- do event_windows._stop_if(event_windows._about_lost(spec, progress)) -%}
        {%- if progress.rebuilt %}{% do event_windows._open_rebuilt(spec, tables, run, progress.rebuilt) %}{% endif -%}
        {%- do event_windows._read_rows(event_windows._without_rebuilt(spec, run), tables, run, {'rows': none}) -%}
        {#-
            its clocks are in the log, and before them a build writes its dropped rows: nothing is told from rows. Nor
            are they where its windows tell them
        -#}
        {%- do run.update({'clocked': (seen.clocked or 0) >= run.number}) -%}
        {%- if event_windows._logs_clocks(spec, run) and not run.clocked
            and (run.full or not event_windows._windows_tell_clocks(spec)) -%}
            {%- do event_windows._stop_if(event_windows._ends_by(
                run, event_windows._about_other_rows(spec, run)
            )) -%}
        {%- endif -%}
        {%- do run.read.update({
            'rows': event_windows._rows_then(progress), 'scopes': progress.scopes, 'clock': progress.clock,
            'skipped': progress.get('skipped', 0), 'moved_windows': progress.get('moved_windows', 0)
        }) -%}
        {%- if run.full -%}
            {%- if not run.clocked -%}
                {%- do event_windows._keep_late_rows(spec, tables, run) -%}
                {#- its dropped rows are told by the grace there is now: which were late before, nobody knows -#}
                {%- if done.late_again -%}
                    {%- do event_windows._record_late_again(tables, done, 'all') -%}
                    {%- do done.update({'late_again': 'all'}) -%}
                {%- endif -%}
            {%- endif -%}
            {%- do event_windows._count_built(tables, run) -%}
            {%- do event_windows._write_build(spec, tables, run) -%}
        {%- else -%}
            {%- do event_windows._count_dropped(tables, run) -%}
            {%- if progress.rebuilt or event_windows._changes_windows(run) -%}
                {%- do run.update({'merged': event_windows._merged(spec, tables, run)}) -%}
            {%- endif -%}
            {%- do event_windows._complete(spec, tables, run) -%}
        {%- endif -%}
        {%- do done.runs.append(run) -%}
    {%- endif -%}
    {%- if seen.uncounted -%}
        {%- do event_windows._drop_uncounted(tables, progress, done, none if unfinished else seen.uncounted) -%}
    {%- endif -%}
    {#- of a run that ended before its commit, or is about to: if this one commits, they go -#}
    {%- do done.update({'rivalled': seen.dropped is not none and seen.dropped > progress.number}) -%}
{% endmacro %}


{#
    Why what follows from a commit cannot be told; none if it can. Rows without an arrival order are read again by
    versions of the source, and changes that more keys had than a record names: it need not have these any more.
#}
{% macro _about_lost(spec, progress) %}
    {%- set rebuilt, problems = progress.rebuilt or {}, [] -%}
    {%- if (rebuilt.classes or '').startswith('md5 ') and rebuilt.to is not none -%}
        {%- set table = event_windows._followed_table(spec) -%}
        {%- set identity = progress.followed.identity if progress.followed else none -%}
        {%- set again = event_windows._made_again(table.format, table.table, identity) -%}
        {%- do problems.append(again or event_windows._of_format(
            table.format, 'images_problem', table.table, rebuilt['from'], rebuilt.to
        )) -%}
    {%- endif -%}
    {%- if not spec.arrival and progress.through -%}
        {%- set again = event_windows._made_again(spec.source.format, spec.relation, progress.get('source')) -%}
        {%- do problems.append(again or event_windows._of_format(
            spec.source.format, 'lost_rows', spec.relation, progress.from[0][1] if progress.from else none,
            progress.through[0][1]
        )) -%}
    {%- endif -%}
    {%- set problem = problems | select | first -%}
    {{- return('run ' ~ progress.run_id ~ ' has committed, and ended before all that follows from it, and the rows '
        ~ 'that it had read cannot be read again: ' ~ problem ~ '; run with --full-refresh' if problem else none) -}}
{% endmacro %}


{#
    Why clocks cannot be told from the rows that a run had read, since there are fewer, more or other ones now; none if
    they can. One that committed late, with a number of theirs, is in no window: by its time others would be late that
    are counted. Where the source's log is followed the refresh that comes next makes the keys of these rows anew, if
    the log reaches back. Records of former versions of the package have no digest.
#}
{% macro _about_other_rows(spec, run) %}
    {%- set progress = run.progress -%}
    {%- set read = [[event_windows._rows_then(progress), progress, run.read]] -%}
    {%- if run.rebuilt -%}
        {%- do read.append([progress.rebuilt.rows, progress.rebuilt, run.rebuilt.run.read]) -%}
    {%- endif -%}
    {%- for then, record, there in read
        if (there.rows != then or record.get('digest', there.digest) != there.digest)
            and not event_windows._tells_since(spec, progress.followed) -%}
        {%- set now = there.rows -%}
        {{- return('run ' ~ run.run_id ~ ' has committed, and ended before all that follows from it. It had read '
            ~ then ~ ' row(s), ' ~ (
                'of which ' ~ now ~ ' are there now: the clocks of the others are not known' if now < then
                else 'and between the same numbers there are ' ~ now ~ ' now: which ones came since, and are not '
                    ~ 'counted, is not known, and so are not the clocks of those that are' if now > then
                else 'and some of these were updated since, or are gone and others came: the clocks of those that were '
                    ~ 'read are not known'
            ) ~ '; run with --full-refresh') -}}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}


{# How many rows the run of a commit had read, beside those of keys that it made anew. #}
{% macro _rows_then(progress) %}
    {{- return(progress.rebuilt.others if progress.rebuilt else progress.last) -}}
{% endmacro %}


{# Whether the source's log is followed, and tells what has changed since a version up to which it was. #}
{% macro _tells_since(spec, followed) %}
    {%- if not followed or not event_windows._follows(spec) %}{{- return(false) -}}{% endif -%}
    {%- set table = event_windows._followed_table(spec) -%}
    {%- set now = event_windows._of_format(table.format, 'source_version', table.table) -%}
    {{- return(now.identity == followed.identity and not event_windows._of_format(
        table.format, 'images_problem', table.table, followed.version, now.version
    )) -}}
{% endmacro %}


{#
    Whether a table is another one than it was, as its format tells the two apart; none if it is not. To ask makes the
    session see the table as it is now, which what is asked next must see too.
#}
{% macro _made_again(format, relation, identity) %}
    {%- set now = event_windows._of_format(format, 'source_version', relation).identity -%}
    {{- return('the table was replaced, or dropped and created again' if identity and now != identity else none) -}}
{% endmacro %}


{#
    The last numbers of what stands beside the windows: told (the ledger, if not below that of the windows), clocked,
    dropped; and how many dropped rows are uncounted. The table of windows comes first, so that none that follow
    its commits can have more, unless it was set back; dropped rows go before a commit, by one number.
    Of final windows the last number under which the ledger says that some were published (due), and under which some
    were; and which tables show an earlier state than their properties are of, where the format tells.
#}
{% macro _beside_of(spec, tables, record, done) %}
    {%- set of_final = spec.emit == 'final' and record.published -%}
    {%- set published = '(select max(_ew_refresh) from ' ~ tables.model ~ ')' if of_final else 'null' -%}
    {%- set asked, kept = {'told': 'null', 'due': 'null', 'published': published}, [] -%}
    {%- for table in [tables.windows, tables.clocks, tables.dropped] if load_cached_relation(table) is not none -%}
        {%- do kept.append(table) -%}
    {%- endfor -%}
    {%- if load_cached_relation(tables.runs) is not none -%}
        {#- what is below the last number is of no matter, and the ledger grows for ever -#}
        {%- do asked.update({'told': '(' ~ event_windows._last_told(
            tables, '_ew_refresh >= ' ~ record.progress.number
        ) ~ ')'}) -%}
        {%- if of_final -%}
            {%- do asked.update({'due': '(' ~ event_windows._last_told(
                tables, '_ew_refresh >= ' ~ record.generation ~ ' and windows_inserted > 0'
            ) ~ ')'}) -%}
        {%- endif -%}
    {%- endif -%}
    {%- for name, table, what in [
        ['clocked', tables.clocks, 'max(_ew_refresh) from ' ~ tables.clocks],
        ['dropped', tables.dropped, 'max(_ew_refresh) from ' ~ tables.dropped],
        ['uncounted', tables.dropped, 'count(*) ' ~ event_windows._from_uncounted(tables, record.progress)]
    ] -%}
        {%- do asked.update({
            name: '(select ' ~ what ~ ')' if load_cached_relation(table) is not none else 'null'
        }) -%}
    {%- endfor -%}
    {%- set sql -%}
select
    {%- for name, number in asked.items() %}
    {{ number }} as {{ name }},
    {%- endfor %}
    {{ event_windows._of_format(spec.file_format, 'set_back', kept, record.generation) or "''" }} as set_back
    {%- endset -%}
    {%- set row = event_windows._row(done, 'last', sql) -%}
    {%- set seen = {'set_back': row['set_back']} -%}
    {%- for name in asked -%}
        {%- do seen.update({name: event_windows._number(row[name])}) -%}
    {%- endfor -%}
    {{- return(seen) -}}
{% endmacro %}


{# Whether something that follows from the last commit is missing. #}
{% macro _is_unfinished(spec, record, seen) %}
    {%- set number = record.progress.number -%}
    {{- return(seen.told is none or seen.told < number
        or (spec.leaves_after is not none and record.expired < number)) -}}
{% endmacro %}


{#
    Why the table and what stands beside it do not belong together; none where they do, and where another run has gone
    on after the record was read: whatever this one would merge finds its number taken.
#}
{% macro _set_back(spec, tables, record, seen) %}
    {%- set problem = event_windows._about_apart(spec, tables, record, seen) -%}
    {%- if problem
        and event_windows._read_record(spec, tables.windows).progress.number > record.progress.number -%}
        {{- return(none) -}}
    {%- endif -%}
    {{- return(problem) -}}
{% endmacro %}


{#
    The same by what was read. A build that was slow, or whose run had died, may publish when a later one has ended, of
    which the ledger tells, and the record.
#}
{% macro _about_apart(spec, tables, record, seen) %}
    {%- set number = record.progress.number -%}
    {%- if not record.published and [seen.told or 0, record.last_published] | max >= number -%}
        {{- return(event_windows._published_apart(tables)) -}}
    {%- endif -%}
    {#- the ledger may have lost its lines; a slow run of the build before may have written its property since -#}
    {%- set due = [seen.due or 0, record.last_published if record.last_published >= record.generation else 0] | max -%}
    {%- if seen.published is not none %}{% set due = [due, record.generation] | max %}{% endif -%}
    {%- set lacks = (seen.published or 0) < due -%}
    {#- another run may have published between the two answers -#}
    {%- if lacks %}{% do event_windows._see_latest(spec, tables) %}{% endif -%}
    {%- set lacks = lacks and (event_windows._last_number(tables.model) or 0) < due -%}
    {%- set back = seen.set_back or (tables.model if lacks else none) -%}
    {%- if back -%}
        {{- return(back ~ ' shows an earlier state than what stands beside it is of (restore, rollback, rows deleted '
            ~ 'by hand): run with --full-refresh') -}}
    {%- endif -%}
    {#- over tables without a row no guard of a MERGE sees that a build has replaced one by the other -#}
    {%- if not record.bare and record.last_number < record.generation -%}
        {{- return(tables.windows ~ ' has rows of the table before its last build (a refresh was under way meanwhile, '
            ~ 'or a rollback): run with --full-refresh') -}}
    {%- endif -%}
    {#- rows are dropped under the next number before that is committed: they tell of the one before -#}
    {%- set dropped = seen.dropped - 1 if seen.dropped is not none else none -%}
    {%- set beside = [seen.told, seen.clocked, seen.published, dropped] | reject('none') | list -%}
    {%- set ahead = beside | select('gt', number) | list -%}
    {#- a refresh that has ended has written its own clocks, if it was to, and one whose rows have left before that -#}
    {%- set left = not record.bare and record.last_number < number -%}
    {%- set ended = record.progress.logs and seen.told is not none and seen.told >= number -%}
    {%- set logged = number if left or ended else record.progress.logged -%}
    {%- set behind = logged is not none and (seen.clocked or 0) < logged -%}
    {{- return(none if not (ahead or behind) else (
        'the last refresh that its table records is ' ~ number ~ ', and the last that stands beside it is '
            ~ (ahead | max if ahead else seen.clocked)
            ~ ': one of the two was set back, or belongs to another table (restore, rollback, clone): run with '
            ~ '--full-refresh'
    )) -}}
{% endmacro %}
