{#
    Keys whose windows are made anew in a refresh, from all of their rows that are there now, beside the other keys,
    which are refreshed from new rows: both in one commit. The rows of these keys are a build of their own, up to the
    same bounds: run.rebuilt is none, or

    spec, tables, run   as a build of these keys has them
    keys                a cached view of the keys
    what                see _keys_to_rebuild
    windows             a cached view of their windows as they are now
    before              {'segment', 'scopes', 'clock', 'anew'}, see _stored_of_rebuilt

    Returns the spec of the other rows.
#}
{% macro _rebuild(spec, tables, run, done) %}
    {%- set what = event_windows._keys_to_rebuild(spec, run, done) -%}
    {%- if what is none or not event_windows._open_rebuilt(spec, tables, run, what) -%}
        {{- return(spec) -}}
    {%- endif -%}
    {%- set rebuilt = run.rebuilt -%}
    {%- do event_windows._check_can_rebuild(spec) -%}
    {%- do event_windows._keep_late_rows(rebuilt.spec, rebuilt.tables, rebuilt.run) -%}
    {%- do event_windows._statement(
        run, 'rebuilt', 'cache lazy table ' ~ rebuilt.windows ~ ' as\n'
            ~ event_windows._build_windows(rebuilt.spec, rebuilt.tables, rebuilt.run) | trim
    ) -%}
    {%- do run.views.append(rebuilt.windows) -%}
    {%- set row = event_windows._row(run, 'rebuilt', event_windows._stored_of_rebuilt(spec, tables, run)) -%}
    {%- set before = {} -%}
    {%- for name in ['segment', 'scopes', 'clock', 'anew'] -%}
        {%- do before.update({name: event_windows._number(row[name])}) -%}
    {%- endfor -%}
    {%- do rebuilt.update({'before': before}) -%}
    {{- return(event_windows._without_rebuilt(spec, run)) -}}
{% endmacro %}


{# The keys and the slices of their rows, cached; whether there is a key. #}
{% macro _open_rebuilt(spec, tables, run, what) %}
    {%- set names = event_windows._rebuilt_names(tables) -%}
    {%- do event_windows._statement(
        run, 'rebuilt', 'cache lazy table ' ~ names['keys'] ~ ' as\n'
            ~ event_windows._rebuilt_keys(spec, tables, run, what) | trim
    ) -%}
    {%- do run.views.append(names['keys']) -%}
    {%- set n = event_windows._row(run, 'rebuilt', 'select count(*) as n from ' ~ names['keys'])['n'] | int -%}
    {%- if not n %}{{- return(false) -}}{% endif -%}
    {%- set inner = event_windows._new_run(run.number, run.generation, full=true, statements=run.statements) -%}
    {%- do inner.update({'run_id': run.run_id, 'to': run.to, 'views': run.views}) -%}
    {%- set rebuilt = {
        'spec': dict(spec, among={'keys': names['keys'], 'others': false}),
        'tables': dict(tables, slices=names.slices, late=names.late), 'run': inner, 'keys': names['keys'],
        'windows': names.windows, 'what': dict(what, keys=n)
    } -%}
    {%- do event_windows._read_rows(rebuilt.spec, rebuilt.tables, inner, {'rows': none}) -%}
    {%- do run.update({'rebuilt': rebuilt}) -%}
    {{- return(true) -}}
{% endmacro %}


{% macro _rebuilt_names(tables) %}
    {%- set names = {} -%}
    {%- for name in ['keys', 'slices', 'late', 'windows'] -%}
        {%- do names.update({name: event_windows._name(
            tables.model.identifier ~ '__ew_rebuilt_' ~ name ~ '_' ~ tables.place
        )}) -%}
    {%- endfor -%}
    {{- return(names) -}}
{% endmacro %}


{# The spec of the rows of all other keys. #}
{% macro _without_rebuilt(spec, run) %}
    {{- return(dict(spec, among={'keys': run.rebuilt['keys'], 'others': true}) if run.rebuilt else spec) -}}
{% endmacro %}


{#
    What is stored of the keys: the oldest segment that has a window of theirs, and how many clocks; the latest clock of
    all others; and how many windows there are anew.
#}
{% macro _stored_of_rebuilt(spec, tables, run) %}
{%- set scope = event_windows._clock_scope(spec) -%}
{%- set shared = spec.clock != 'key' -%}
{%- set known = event_windows._clocks_before(spec, event_windows._clocks_until(tables, run)) | trim -%}
{%- set of_keys = run.rebuilt['keys'] ~ ' as rebuilt on '
    ~ event_windows._equal(scope, 'known', 'rebuilt', null_safe=true) %}
{%- set among = event_windows._join_rebuilt(spec, run.rebuilt['keys'], 'stored') %}
select
    (select min(_ew_segment) from {{ tables.windows }} as stored left semi {{ among }}) as segment,
    {%- if shared %}
    0 as scopes,
    (
        select max({{ event_windows._of_window('stored_newest', spec, 'stored') }})
        from {{ tables.windows }} as stored
        left anti {{ among }}
    ) as clock,
    {%- else %}
    (select count(*) from ({{ known }}) as known left semi join {{ of_keys }}) as scopes,
    (select max(known._ew_before) from ({{ known }}) as known left anti join {{ of_keys }}) as clock,
    {%- endif %}
    (select count(*) from {{ run.rebuilt.windows }}) as anew
{% endmacro %}


{# `join <keys> on ...`: a null is a key like any other here, so that rows that no window can count belong to one. #}
{% macro _join_rebuilt(spec, keys, alias) %}
    {%- set same = event_windows._equal(spec.key, alias, 'rebuilt', null_safe=true) -%}
    {{- return('join ' ~ keys ~ ' as rebuilt on ' ~ same) -}}
{% endmacro %}


{#
    What the keys change in the windows table: their windows as they are now, each in the place of the stored one that
    it is, and stored windows that are gone. Where nothing is left to bear the record, a window of another key does.
#}
{% macro _rebuilt_changes(spec, tables, run, columns, carries) %}
{%- set rebuilt = run.rebuilt -%}
{%- set identity = ['window_start'] + ([] if event_windows._trait('absorbs', spec) else ['window_end']) -%}
{%- set same -%}
    {{ event_windows._same_key(spec, 'stored', 'anew') }}
    {%- for name in identity %} and stored.{{ name }} = anew.{{ name }}{% endfor %}
{%- endset -%}
{%- set names, gone, carried = [], [], [] -%}
{%- for name, sql in columns -%}
    {%- set own = {'_ew_progress': sql} -%}
    {%- do names.append(own.get(name, 'anew.' ~ name) ~ ' as ' ~ name) -%}
    {%- do gone.append('stored.' ~ name) -%}
    {%- do carried.append({'_ew_progress': sql, '_ew_refresh': sql}.get(name, 'stored.' ~ name) ~ ' as ' ~ name) -%}
{%- endfor -%}
rebuilt_stored as (
    select stored.*
    from {{ tables.windows }} as stored
    left semi {{ event_windows._join_rebuilt(spec, rebuilt['keys'], 'stored') }}
),

rebuilt_changes as (
    select {{ names | join(', ') }}, 0 as _ew_place,
        if(stored._ew_segment is null, null, {{ event_windows._stored_window('stored') }}) as _ew_was
    from {{ rebuilt.windows }} as anew
    left join rebuilt_stored as stored on {{ same }}
    union all
    select {{ gone | join(', ') }}, 1 as _ew_place, {{ event_windows._stored_window('stored') }} as _ew_was
    from rebuilt_stored as stored
    left anti join {{ rebuilt.windows }} as anew on {{ same }}
    {%- if carries %}
    union all
    select {{ carried | join(', ') }}, 0 as _ew_place, {{ event_windows._stored_window('stored') }} as _ew_was
    from (
        select stored.*
        from {{ tables.windows }} as stored
        left anti {{ event_windows._join_rebuilt(spec, rebuilt['keys'], 'stored') }}
        order by stored._ew_segment desc
        limit 1
    ) as stored
    {%- endif %}
)
{% endmacro %}
