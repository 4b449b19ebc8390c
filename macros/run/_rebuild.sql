{#
    Keys whose windows are made anew in a refresh, from all of their rows that are there now, beside the other keys,
    which are refreshed from new rows: both in one commit. The rows of these keys are a build of their own, up to the
    same bounds. run.rebuilt is none, or

    spec, tables, run   as a build of these keys has them
    among               which keys, see _is_rebuilt
    what                see _keys_to_rebuild; and how many keys
    before              {'segment', 'scopes', 'clock'}, see _stored_of_rebuilt

    Returns the spec of the other rows.
#}
{% macro _rebuild(spec, tables, run, done) %}
    {%- set what = event_windows._keys_to_rebuild(spec, run, done) -%}
    {%- if what is none %}{{- return(spec) -}}{% endif -%}
    {%- do event_windows._stop_if(what.problem) -%}
    {%- if not event_windows._open_rebuilt(spec, tables, run, what) -%}
        {%- if what.where and done.late_again != 'all' -%}
            {%- do event_windows._say('no key has the condition of event_windows__rebuild: ' ~ what.where) -%}
        {%- endif -%}
        {{- return(spec) -}}
    {%- endif -%}
    {%- set rebuilt = run.rebuilt -%}
    {%- do event_windows._refuse([event_windows._ends_by(run, event_windows._why_no_rebuild(spec))]) -%}
    {%- do event_windows._keep_late_rows(rebuilt.spec, rebuilt.tables, rebuilt.run) -%}
    {%- set row = event_windows._row(run, 'rebuilt', event_windows._stored_of_rebuilt(spec, tables, run)) -%}
    {%- set before = {} -%}
    {%- for name in ['segment', 'scopes', 'clock'] -%}
        {%- do before.update({name: event_windows._number(row[name])}) -%}
    {%- endfor -%}
    {%- do rebuilt.update({'before': before}) -%}
    {{- return(event_windows._without_rebuilt(spec, run)) -}}
{% endmacro %}


{# Which keys these are, and the slices of their rows; whether there is a key. #}
{% macro _open_rebuilt(spec, tables, run, what) %}
    {%- set rebuilt = event_windows._found_rebuilt(spec, tables, run, what) -%}
    {%- if not rebuilt %}{{- return(false) -}}{% endif -%}
    {%- do event_windows._read_rows(rebuilt.spec, rebuilt.tables, rebuilt.run, {'rows': none}) -%}
    {%- do run.update({'rebuilt': rebuilt}) -%}
    {{- return(true) -}}
{% endmacro %}


{# What run.rebuilt is before its rows are read; none where there is no such key. #}
{% macro _found_rebuilt(spec, tables, run, what) %}
    {%- set named = event_windows._named_keys(spec, tables, run, what) -%}
    {%- if not named['keys'] %}{{- return(none) -}}{% endif -%}
    {%- set inner = event_windows._new_run(run.number, run.generation, full=true, statements=run.statements) -%}
    {%- do inner.update({'run_id': run.run_id, 'to': run.to, 'views': run.views}) -%}
    {%- set among = {'classes': named.classes} -%}
    {{- return({
        'spec': dict(spec, among=dict(among, others=false)), 'run': inner, 'among': among,
        'tables': dict(tables, slices=tables.rebuilt_slices, late=tables.rebuilt_late),
        'what': dict(what, keys=named['keys'], classes=event_windows._recorded_classes(named.classes))
    }) -}}
{% endmacro %}


{#
    {'keys': how many, 'classes': as a list, none for those of all keys}. A run that is resumed has those of its commit:
    a condition that asks another table, or a SELECT that joins one, may name others by now, and those are gone of which
    nothing is left.
#}
{% macro _named_keys(spec, tables, run, what) %}
    {%- set recorded = what.get('classes', '') -%}
    {%- if recorded is none or recorded and not recorded.startswith('md5 ') -%}
        {{- return({'keys': what['keys'], 'classes': recorded}) -}}
    {%- endif -%}
    {#- text, since a query over views upon views is analysed for minutes -#}
    {%- set row = event_windows._row(
        run, 'rebuilt',
        'select count(*) as n, ' ~ event_windows._classes_as_list(event_windows._rebuilt_class(spec), most=50000)
            ~ ' as classes from (\n' ~ event_windows._rebuilt_keys(spec, tables, run, what) | trim ~ '\n) as rebuilt'
    ) -%}
    {#- of a clock that keys share any row may have said what stream time was when one of another key was dropped -#}
    {%- set classes = event_windows._listed_classes(row['classes']) if spec.clock == 'key' else none -%}
    {#- keys of late rows are made anew once more, since nothing records yet that they were -#}
    {%- if recorded and not what.late_rows and event_windows._recorded_classes(classes) != recorded -%}
        {{ event_windows._stop('run ' ~ run.run_id ~ ' has committed, and ended before all that follows from it. It '
            ~ 'had made ' ~ what['keys'] ~ ' key(s) anew, and which ones cannot be told any more; run with '
            ~ '--full-refresh') }}
    {%- endif -%}
    {{- return({'keys': row['n'] | int, 'classes': classes}) -}}
{% endmacro %}


{# As each row that the commit writes bears them: themselves where they are few. #}
{% macro _recorded_classes(classes) %}
    {%- if classes is none %}{{- return(none) -}}{% endif -%}
    {%- set sorted = classes.split(', ') | sort -%}
    {{- return(sorted | join(', ') if sorted | length <= 100 else 'md5 ' ~ local_md5(sorted | join(', '))) -}}
{% endmacro %}


{# The spec of the rows of all other keys. #}
{% macro _without_rebuilt(spec, run) %}
    {{- return(dict(spec, among=dict(run.rebuilt.among, others=true)) if run.rebuilt else spec) -}}
{% endmacro %}


{#
    What is stored of the keys: the oldest segment that has a window of theirs; and of all others how many clocks, and
    the latest.
#}
{% macro _stored_of_rebuilt(spec, tables, run) %}
{%- set known = event_windows._clocks_before(spec, event_windows._clocks_until(tables, run)) | trim -%}
{%- set these = event_windows._is_rebuilt(spec, 'known', run.rebuilt.among) %}
select
    (
        select min(_ew_segment) from {{ tables.windows }} as stored
        where {{ event_windows._is_rebuilt(spec, 'stored', run.rebuilt.among) }}
    ) as segment,
    {%- if spec.clock != 'key' %}
    0 as scopes,
    (
        select max({{ event_windows._of_window('stored_newest', spec, 'stored') }})
        from {{ tables.windows }} as stored
        where not {{ event_windows._is_rebuilt(spec, 'stored', run.rebuilt.among) }}
    ) as clock
    {%- else %}
    (select count_if(not {{ these }}) from ({{ known }}) as known) as scopes,
    (select max(if({{ these }}, null, known._ew_before)) from ({{ known }}) as known) as clock
    {%- endif %}
{% endmacro %}


{#
    What the keys change in the windows table: their windows as they are now, each in the place of the stored one that
    it is, and stored windows that are gone, of several alike one, with which all go. Where nothing is left to bear the
    record, a window of another key does.
#}
{% macro _rebuilt_changes(spec, tables, run, columns, carries) %}
{%- set rebuilt = run.rebuilt -%}
{%- set absorbs = event_windows._trait('absorbs', spec) -%}
{%- set identity = ['window_start'] + ([] if absorbs else ['window_end']) -%}
{#- where sessions leave the state two of a key can begin at one instant -#}
{%- set ranked = absorbs and spec.retention is not none -%}
{%- set rank = 'row_number() over (partition by ' ~ event_windows._names(spec.key + ['window_start'])
    ~ ' order by window_end)' -%}
{#- and where each row has a gap of its own also end at one: the MERGE cannot tell these apart -#}
{%- set bounds = spec.key + ['window_start', 'window_end'] -%}
{%- set alike = 'partition by ' ~ event_windows._names(bounds) if ranked and spec.window.gap_by else none -%}
{%- set counted = '*, count(*) over (' ~ alike ~ ') as _ew_alike' -%}
{%- set is_one = event_windows._is_rebuilt(spec, 'stored', rebuilt.among) -%}
{%- set these = tables.windows ~ ' as stored where ' ~ is_one -%}
{%- set others = tables.windows ~ ' as stored where not ' ~ is_one -%}
{%- set same -%}
    {{ event_windows._same_key(spec, 'stored', 'anew') }}
    {%- for name in identity + (['_ew_rank'] if ranked else []) %} and stored.{{ name }} = anew.{{ name }}{% endfor %}
{%- endset -%}
{%- set merged, carried = [], [] -%}
{%- for name, sql in columns -%}
    {%- set told = {'_ew_progress': sql}.get(name) -%}
    {%- do merged.append(
        (told or 'if(anew._ew_refresh is null, stored.' ~ name ~ ', anew.' ~ name ~ ')') ~ ' as ' ~ name
    ) -%}
    {%- do carried.append({'_ew_progress': sql, '_ew_refresh': sql}.get(name, 'stored.' ~ name) ~ ' as ' ~ name) -%}
{%- endfor -%}
rebuilt_windows as (
    {{ event_windows._build_windows(rebuilt.spec, rebuilt.tables, rebuilt.run) | trim }}
),

rebuilt_changes as (
    select
        {{ merged | join(',\n        ') }},
        if(anew._ew_refresh is null, 1, 0) as _ew_place,
        if(stored._ew_segment is null, null, {{ event_windows._stored_window('stored') }}) as _ew_was
    from {{ '(select *, ' ~ rank ~ ' as _ew_rank from rebuilt_windows)' if ranked else 'rebuilt_windows' }} as anew
    full outer join (
        {%- if alike %}
        select *, if(_ew_alike > 1, null, {{ rank }}) as _ew_rank
        from (
            select {{ counted }}, row_number() over ({{ alike }} order by _ew_refresh) as _ew_nth
            from {{ these }}
        ) as stored
        where _ew_nth = 1
        {%- else %}
        select *{{ ', ' ~ rank ~ ' as _ew_rank' if ranked }} from {{ these }}
        {%- endif %}
    ) as stored on {{ same }}
    {%- if carries %}
    union all
    select {{ carried | join(', ') }}, 0 as _ew_place, {{ event_windows._stored_window('stored') }} as _ew_was
    from (
        select * from {{ '(select ' ~ counted ~ ' from ' ~ others ~ ') as stored where _ew_alike = 1' if alike
            else others }}
        order by stored._ew_segment desc, {{ event_windows._names(bounds, 'stored') }}
        limit 1
    ) as stored
    {%- endif %}
)
{% endmacro %}
