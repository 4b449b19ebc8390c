{# A refresh: first whatever was interrupted, with the bounds that it had; then what has arrived since. #}
{% macro _refresh(spec, tables, record, advance_to) %}
    {%- set last = namespace(progress=record.progress) -%}
    {%- for pending in record.pending -%}
        {%- set last.progress = event_windows._finish_interrupted(spec, tables, pending, last.progress) -%}
    {%- endfor -%}
    {%- set pending = event_windows._new_pending(full=false, refresh=last.progress.refresh + 1, advance_to=advance_to, from=last.progress.through) -%}
    {%- set read = event_windows._read_rows(spec, tables, pending, last.progress) -%}
    {%- if read.rows == 0 and read.clocks_moved == 0 -%}
        {%- do event_windows._forget(tables) -%}
        {{- return({'message': 'nothing new', 'windows': 0, 'sql': '-- nothing new'}) -}}
    {%- endif -%}
    {%- do pending.update({'to': read.to}) -%}
    {%- do event_windows._begin(tables.windows, pending) -%}
    {%- do event_windows._keep_replay(spec, tables, pending, read, tables.stream_time) -%}
    {%- do event_windows._write_dropped(spec, tables, pending, read) -%}
    {%- if read.rows == 0 -%}
        {{- return(event_windows._complete_refresh(spec, tables, pending, read, [0, 0, 0], '-- no new rows, clocks advanced')) -}}
    {%- endif -%}
    {%- set sql = event_windows._merge(spec, tables, pending, read) -%}
    {%- set merged = event_windows._of_format('merge_counts', tables.windows, run_query(sql)) -%}
    {{- return(event_windows._complete_refresh(spec, tables, pending, read, merged, sql)) -}}
{% endmacro %}


{# What a refresh does after its MERGE, which was the commit. #}
{% macro _complete_refresh(spec, tables, pending, read, merged, sql) %}
    {%- do event_windows._move_clocks(spec, tables, pending, read) -%}
    {%- do event_windows._publish(spec, tables, pending) -%}
    {%- do event_windows._write_ledger(spec, tables, pending, read, merged) -%}
    {%- do event_windows._expire(spec, tables, pending) -%}
    {%- do event_windows._finish(tables.windows, pending, event_windows._progress(pending, read)) -%}
    {%- do event_windows._forget(tables, read) -%}
    {{- return({
        'message': read.rows ~ ' rows: ' ~ merged[0] ~ ' windows inserted, ' ~ merged[1] ~ ' updated, ' ~ merged[2] ~ ' deleted',
        'windows': merged | sum, 'sql': sql
    }) -}}
{% endmacro %}


{#
    Finishes a refresh that another run began. If the ledger has its row, only what comes after that is done again. Its MERGE
    is done if a row bears its number; otherwise it is done now, over the same rows: dropped rows that are there already
    are not written again, and lateness depends on nothing else. Returns the progress that it wrote.
#}
{% macro _finish_interrupted(spec, tables, pending, progress) %}
    {{ log('event_windows: finishing the refresh of ' ~ tables.windows ~ ' that run ' ~ pending.run_id ~ ' left unfinished', info=true) }}
    {%- if event_windows._in_ledger(tables, pending) -%}
        {%- do event_windows._expire(spec, tables, pending) -%}
        {%- set finished = event_windows._progress(pending, event_windows._clocks_kept(spec, tables)) -%}
        {%- do event_windows._finish(tables.windows, pending, finished) -%}
        {{- return(finished) -}}
    {%- endif -%}
    {%- set read = event_windows._read_rows(spec, tables, pending, progress) -%}
    {%- if pending.full -%}
        {%- do event_windows._keep_replay(spec, tables, pending, read) -%}
        {%- do event_windows._complete_build(spec, tables, pending, read, '') -%}
        {{- return(event_windows._progress(pending, read)) -}}
    {%- endif -%}
    {%- set committed = run_query('select count(*) as n from (select 1 from ' ~ tables.windows ~ ' where _ew_refresh >= ' ~ pending.refresh ~ ' limit 1)').rows[0]['n'] > 0 -%}
    {%- if committed -%}
        {%- set merged = event_windows._of_format('merge_counts', tables.windows) -%}
    {%- elif read.rows == 0 -%}
        {%- set merged = [0, 0, 0] -%}
    {%- else -%}
        {%- do event_windows._keep_replay(spec, tables, pending, read, tables.stream_time) -%}
        {%- do event_windows._write_dropped(spec, tables, pending, read) -%}
        {%- set merged = event_windows._of_format('merge_counts', tables.windows, run_query(event_windows._merge(spec, tables, pending, read))) -%}
    {%- endif -%}
    {%- do event_windows._complete_refresh(spec, tables, pending, read, merged, '') -%}
    {{- return(event_windows._progress(pending, read)) -}}
{% endmacro %}


{#
    Reads the new rows, once: their slices are cached, and from these comes what the rest of the refresh must know: how many rows there
    are, in how many keys a row could be late, how far back windows are touched, which clocks move. `progress` is that of
    the refresh before, none in a build.
#}
{% macro _read_rows(spec, tables, pending, progress=none) %}
    {%- set read = namespace(
        rows=0, nulls=0, doubtful=0, replay=false, first=none, arrival_from=none, arrival_to=none, to=[],
        clocks_moved=0, clock_least=none, clock=progress.clock if progress else none, scopes=progress.scopes if progress else 0
    ) -%}
    {%- set to = pending.to or event_windows._bounds_to(spec, pending) -%}
    {#- a partition without new rows keeps its place -#}
    {%- set moved = to | map('first') | list -%}
    {%- set read.to = to + pending.from | rejectattr(0, 'in', moved) | list -%}
    {%- set any = read.to != pending.from or pending.full -%}
    {%- if not any and pending.advance_to is none %}{{- return(read) -}}{% endif -%}
    {%- set new_rows = event_windows._new_rows(spec, {'from': pending.from, 'to': to if any else []}) -%}
    {%- do event_windows._forget(tables) -%}
    {%- do event_windows._cache(tables.slices, event_windows._slices(spec, tracked=true, rows='(\n    ' ~ new_rows | trim ~ '\n) as new_rows')) -%}
    {%- do event_windows._cache(tables.clocks, event_windows._clocks(spec, tables, pending)) -%}
    {%- set row = run_query(event_windows._summary(spec, tables, stored=not pending.full)).rows[0] -%}
    {%- set clocks = [read.clock, row['clock_latest']] | reject('none') | map('int') | list -%}
    {%- set read.rows = row['rows_read'] | int -%}
    {%- set read.nulls = row['rows_null'] | int -%}
    {%- set read.doubtful = row['doubtful'] | int -%}
    {%- set read.clocks_moved = row['clocks_moved'] | int -%}
    {%- set read.clock_least = row['clock_least'] | int if row['clock_least'] is not none else none -%}
    {%- set read.clock = (clocks | max) if clocks else none -%}
    {%- set read.scopes = read.scopes + row['scopes_new'] | int -%}
    {%- set read.first = row['first'] | int if row['first'] is not none else none -%}
    {%- set read.arrival_from = row['arrival_from'] | int if row['arrival_from'] is not none else none -%}
    {%- set read.arrival_to = row['arrival_to'] | int if row['arrival_to'] is not none else none -%}
    {%- set read.replay = read.doubtful > 0 and spec.arrival is not none -%}
    {%- if read.replay or event_windows._of_type('traits', spec).made_by_function %}{% do event_windows._check_registered(spec) %}{% endif -%}
    {{- return(read) -}}
{% endmacro %}


{#
    Caches a query, when another first needs it. It must hold no CTE: its number would be another one in each query that uses
    the view, and Spark would not find it in the cache. Few rows are to be in few partitions: Spark decides when it plans the
    query whether it may do so.
#}
{% macro _cache(view, sql) %}
    {%- set may_be_few = 'spark.sql.optimizer.canChangeCachedPlanOutputPartitioning' -%}
    {%- do run_query('set ' ~ may_be_few ~ ' = true') -%}
    {%- do run_query('cache lazy table ' ~ view ~ ' as\n' ~ sql | trim) -%}
    {%- do run_query('reset ' ~ may_be_few) -%}
{% endmacro %}


{# One row about the slices, the clocks that they move and the keys in which a row could be late. #}
{% macro _summary(spec, tables, stored) %}
{%- set margin = event_windows._doubt_margin(spec) -%}
with
{% if margin is not none %}
clocks as (
    select * from {{ tables.clocks }}
),

{{ event_windows._doubtful_steps(spec, tables.slices, before=stored, stored=tables.windows if stored else none) | trim }},
{% endif %}
read as (
    select
        coalesce(sum(_ew_rows), 0) as rows_read,
        coalesce(sum(_ew_rows) filter (where _ew_first is null), 0) as rows_null,
        {{ 'min(_ew_arrival_from)' if spec.arrival else 'cast(null as bigint)' }} as arrival_from,
        {{ 'max(_ew_arrival_to)' if spec.arrival else 'cast(null as bigint)' }} as arrival_to,
        min(_ew_first) as first
    from {{ tables.slices }}
),

moved as (
    select
        min(_ew_after) as clock_least,
        max(_ew_after) as clock_latest,
        count_if(_ew_before is null) as scopes_new,
        count_if(_ew_before is null or _ew_before < _ew_after) as clocks_moved
    from {{ tables.clocks }}
)

select
    read.*,
    moved.*,
    {{ '(select count(*) from doubtful)' if margin is not none else '0' }} as doubtful
from read
cross join moved
{% endmacro %}


{#
    The rows of the doubtful keys and the replay of these keys, kept: both the dropped rows and the MERGE need them, and
    the replay must see the stored windows as they are before the MERGE.
#}
{% macro _keep_replay(spec, tables, pending, read, stream_time=none) %}
    {%- if not read.replay %}{{- return('') -}}{% endif -%}
    {%- do run_query(event_windows._of_format('create', tables.suspects, sql='with\n'
        ~ event_windows._suspect_steps(spec, tables, pending, read, stream_time) ~ '\nselect * from suspects')) -%}
    {%- set sql %}
with
suspects as (
    select * from {{ tables.suspects }}
),
{% if not pending.full %}
slices as (
    select * from {{ tables.slices }} where _ew_first is not null
),

{{ event_windows._reach_steps(spec, tables, read) | trim }},

{{ event_windows._suspect_window_steps(spec, tables) | trim }},
{% endif %}
replayed as (
    {{ event_windows._of_type('replay', spec, not pending.full) | trim }}
)

select * from replayed
    {%- endset -%}
    {%- do run_query(event_windows._of_format('create', tables.replayed, sql=sql)) -%}
{% endmacro %}


{#
    The CTEs up to suspects: rows of the doubtful keys, and of keys with a row that no window can count, in the order of
    arrival with the stream time at arrival.
#}
{% macro _suspect_steps(spec, tables, pending, read, stream_time) %}
    {%- set doubt = read.doubtful > 0 -%}
new_rows as (
    {{ event_windows._new_rows(spec, {'from': pending.from, 'to': read.to}) | trim }}
),
{% if doubt %}
slices as (
    select * from {{ tables.slices }} where _ew_first is not null
),

{%- if stream_time %}

clocks as (
    select * from {{ tables.clocks }}
),
{%- endif %}

{{ event_windows._doubtful_steps(spec, 'slices', before=stream_time is not none, stored=tables.windows if stream_time else none) | trim }},
{% endif %}
watched as (
    {%- if doubt %}
    select *, true as _ew_doubtful from doubtful
    {%- endif %}
    {%- if doubt and read.nulls > 0 %}
    union all
    {%- endif %}
    {%- if read.nulls > 0 %}
    select distinct {{ event_windows._names(spec.key, 'slices') }}, false as _ew_doubtful
    from {{ tables.slices }} as slices
    {%- if doubt %}
    left anti join doubtful on {{ event_windows._equal(spec.key, 'slices', 'doubtful') }}
    {%- endif %}
    where slices._ew_first is null
    {%- endif %}
),
{% if spec.clock != 'key' %}
{{ event_windows._clocked_rows(spec, event_windows._range_width(read)) | trim }},
{% endif %}
{{ event_windows._suspects(spec, 'watched', stream_time) | trim }}
{% endmacro %}


{# Doubtful keys and their stored windows, from what is cached. #}
{% macro _suspect_window_steps(spec, tables) %}
doubtful as (
    select distinct {{ event_windows._names(spec.key) }} from {{ tables.suspects }} where _ew_doubtful
),

suspect_windows as (
    {{ event_windows._suspect_windows(spec) | trim }}
)
{% endmacro %}


{#
    Lateness where all new rows came in at one instant (no arrival order): a window that they make is late if it is closed
    at the stream time that earlier refreshes left. Ends with judged_windows, each with _ew_late.
#}
{% macro _at_once_steps(spec, tables) %}
{%- set scope = event_windows._clock_scope(spec) -%}
clocks as (
    select * from {{ tables.clocks }}
),

judged_windows as (
    select windows.*, coalesce({{ event_windows._of_type('closed_window', spec, 'windows', 'clocks._ew_before') }}, false) as _ew_late
    from windows
    inner join clocks on {{ event_windows._equal(scope, 'windows', 'clocks') or 'true' }}
)
{% endmacro %}


{# About 50,000 rows a range of arrivals, however sparse the numbers are. #}
{% macro _range_width(read) %}
    {{- return([(read.arrival_to - read.arrival_from + 1) // ([read.rows // 50000, 1] | max), 1] | max) -}}
{% endmacro %}


{# Steps 7 and 8: what changes in the windows table, as one MERGE. The guard keeps a refresh from being merged twice. #}
{% macro _merge(spec, tables, pending, read) %}
    {%- set doubt = read.replay -%}
    {%- set at_once = read.doubtful > 0 and not read.replay -%}
    {%- set columns = event_windows._final_columns(spec, stored=true, refresh=pending.refresh) -%}
    {%- set source %}
with
slices as (
    select * from {{ tables.slices }} where _ew_first is not null
),

{{ event_windows._reach_steps(spec, tables, read) | trim }},
{% if doubt %}
{{ event_windows._suspect_window_steps(spec, tables) | trim }},

suspects as (
    select * from {{ tables.suspects }} where _ew_doubtful
),

replayed as (
    select * from {{ tables.replayed }}
),
{% endif %}
pieces as (
    {{ event_windows._pieces(spec, doubtful=doubt, reach=true) | trim }}
),

{{ event_windows._window_steps(spec, doubt=doubt, reach=true) | trim }},
{% if at_once %}
{{ event_windows._at_once_steps(spec, tables) | trim }},

open_windows as (
    select * from judged_windows where not _ew_late
),
{% endif %}
changes as (
    -- place 0 is the window as it is now, matched with the stored one of the same start; the others are absorbed
    select windows.*, posexplode(concat(array(_ew_same), array_except(_ew_stored, array(_ew_same)))) as (_ew_place, _ew_was)
    from (
        select *, try_element_at(filter(_ew_stored, stored -> stored.window_start = window_start), 1) as _ew_same
        from {{ 'open_windows' if at_once else 'windows' }}
    ) as windows
    left anti join (select 1 from {{ tables.windows }} where _ew_refresh >= {{ pending.refresh }} limit 1) as merged
)

select
    {% for name, expression in columns %}{{ expression if expression == name else expression ~ ' as ' ~ name }},
    {% endfor -%}
    _ew_place,
    _ew_was
from changes
    {%- endset -%}
    {%- set condition -%}
    {{ event_windows._equal(spec.key, 'stored', 'change') }}
    and stored.window_start = change._ew_was.window_start
    and stored.window_end = change._ew_was.window_end
    and stored._ew_segment = change._ew_was._ew_segment
    and stored._ew_segment >= {{ event_windows._segment_from(spec, read) }}
    {%- endset -%}
    {{- return(event_windows._of_format('merge', tables.windows, source, condition, columns | map('first') | list)) -}}
{% endmacro %}


{# Drops what a refresh works with, also what one that failed left behind in this session. #}
{% macro _forget(tables, read=none) %}
    {%- for view in [tables.clocks, tables.slices] %}{% do run_query('drop view if exists ' ~ view) %}{% endfor -%}
    {%- if read and read.replay -%}
        {%- do run_query('drop table if exists ' ~ tables.suspects) -%}
        {%- do run_query('drop table if exists ' ~ tables.replayed) -%}
    {%- endif -%}
{% endmacro %}
