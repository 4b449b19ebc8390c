{#
    The stored clocks: m__ew_clocks, a log of the stream time of scopes, and m__stream_time, a view over it. The largest
    is the clock, so that to append twice is harmless, and the clock before a refresh is the largest below its number.
    Where windows tell clocks, those written since the log had its last line go beside it, and it grows only now and
    then; else each refresh appends. One line of each has no clock: its number says that the log and the table of
    windows belong together.
#}
{% macro _clocks_columns(spec) %}
    {%- set scope = event_windows._types_of(event_windows._clock_scope(spec), spec) -%}
    {{- return(dict(scope, _ew_clock='bigint', _ew_refresh='bigint')) -}}
{% endmacro %}


{#
    Whether a refresh appends to the log. It is recorded with the commit (`logs`), so that whoever does what follows
    from it does the same.
#}
{% macro _logs_clocks(spec, run) %}
    {%- if run.progress %}{{- return(run.progress.logs) -}}{% endif -%}
    {{- return(run.full or run.advance_to is not none or not event_windows._windows_tell_clocks(spec)
        or run.number - event_windows._logged_before(run) >= 20) -}}
{% endmacro %}


{#
    What a refresh appends: the latest event time of each scope in the slices, or in the windows since the last line;
    with advance_to, that time for all scopes that there are. Nothing after a refresh of which the ledger has a line
    (`told`): a later one may have made keys anew, whose clocks would come back.
#}
{% macro _append_clocks(spec, tables, run, told=none) %}
    {%- set scope = event_windows._clock_scope(spec) -%}
    {%- set all = event_windows._names_before(scope) -%}
    {%- set grouped = ' group by ' ~ event_windows._names(scope) if scope else '' -%}
    {%- set selects = [] -%}
    {%- if not run.full and event_windows._windows_tell_clocks(spec) -%}
        {%- do selects.append('select ' ~ all ~ 'max(' ~ event_windows._of_window('stored_newest', spec, 'stored')
            ~ ') as _ew_clock from ' ~ tables.windows ~ ' as stored where _ew_refresh > '
            ~ event_windows._logged_before(run) ~ ' and _ew_refresh <= ' ~ run.number ~ grouped) -%}
    {%- else -%}
        {%- for slices in event_windows._slices_of(spec, tables, run) -%}
            {%- do selects.append('select ' ~ all ~ 'max(_ew_last) as _ew_clock from ' ~ slices
                ~ ' where _ew_first is not null' ~ grouped) -%}
        {%- endfor -%}
    {%- endif -%}
    {%- if run.advance_to is not none -%}
        {%- do selects.append('select ' ~ all ~ run.advance_to ~ ' as _ew_clock from ('
            ~ (event_windows._scopes_at_all(spec, tables, run) | trim) ~ ') as known') -%}
    {%- endif -%}
    {%- set marker = event_windows._nulls(event_windows._clocks_columns(spec).items())[:-1] -%}
    {%- do selects.append('select ' ~ marker | join(', ')) %}
insert into {{ tables.clocks }} ({{ all }}_ew_clock, _ew_refresh)
select {{ all }}_ew_clock, {{ event_windows._bigint(run.number) }} as _ew_refresh
from (
    {{ selects | join('\n    union all\n    ') }}
) as clocks
{%- if told %}
where not exists ({{ told }})
{%- endif %}
{% endmacro %}


{#
    Scopes with a clock after the commit, of which every window of theirs tells that has no line in the log yet, the one
    too that bears the record of a refresh that changes none; of keys that are made anew those with rows, which their
    windows tell where they can: it may be that rows are gone since the commit.
#}
{% macro _scopes_at_all(spec, tables, run) %}
    {%- set scope = event_windows._clock_scope(spec) -%}
    {%- set columns = event_windows._names(scope) or '1 as _ew_one' -%}
    {%- set selects = [] -%}
    {%- if not run.full -%}
        {%- do selects.append('select ' ~ columns ~ ' from ('
            ~ (event_windows._stored_clocks(spec, tables, run.generation, scope, run.number) | trim) ~ ') as known'
            ~ (' where not ' ~ event_windows._is_rebuilt(spec, 'known', run.rebuilt.among)
                if run.rebuilt)) -%}
        {%- if run.rebuilt and event_windows._windows_tell_clocks(spec) -%}
            {%- do selects.append('select ' ~ columns ~ ' from ' ~ tables.windows ~ ' where _ew_refresh = '
                ~ run.number) -%}
        {%- endif -%}
    {%- endif -%}
    {%- for slices in event_windows._slices_of(spec, tables, run) -%}
        {%- do selects.append('select ' ~ columns ~ ' from ' ~ slices ~ ' where _ew_first is not null') -%}
    {%- endfor -%}
    select distinct * from ({{
        selects | join(' union all ') or 'select ' ~ columns ~ ' from ' ~ tables.clocks ~ ' where false'
    }}) as scopes
{% endmacro %}


{# The slices that clocks are told from, where the windows do not tell them: of new rows, and of keys made anew. #}
{% macro _slices_of(spec, tables, run) %}
    {%- if not run.full and event_windows._windows_tell_clocks(spec) %}{{- return([]) -}}{% endif -%}
    {{- return(([tables.slices] if run.read.rows else []) + ([tables.rebuilt_slices] if run.rebuilt else [])) -}}
{% endmacro %}


{#
    Stream time as users see it, up to a refresh if one is given: one row per key, per partition or in all. Lines of
    another generation do not count.
#}
{% macro _shown_clocks(spec, tables, generation, to=none) %}
{%- set shown = event_windows._shown_scope(spec) %}
select
    {{ event_windows._names_before(shown) }}{{ event_windows._time_from_micros('max(_ew_clock)', spec) }} as stream_time
from (
    {{ event_windows._stored_clocks(spec, tables, generation, shown, to) | trim }}
) as clocks
{{- '\ngroup by ' ~ event_windows._names(shown) if shown }}
{% endmacro %}


{# All that tells clocks, as lines of a scope and _ew_clock: of the log, and of windows written since its last line. #}
{% macro _stored_clocks(spec, tables, generation, scope, to=none) %}
    select {{ event_windows._names_before(scope) }}_ew_clock
    from {{ tables.clocks }}
    where _ew_clock is not null and _ew_refresh >= {{ generation }}
    {{- ' and _ew_refresh <= ' ~ to if to is not none }}
    {%- if event_windows._windows_tell_clocks(spec) %}
    union all
    select {{ event_windows._names_before(scope) }}{{ event_windows._of_window('stored_newest', spec, 'stored') }}
    from {{ tables.windows }} as stored
    where _ew_refresh > (select max(_ew_refresh) from {{ tables.clocks }})
    {%- endif %}
{% endmacro %}


{#
    Takes lines away that a later one has overtaken, of refreshes before this one, those without a clock too, so that
    the log stays as long as there are scopes, twice at most. The clocks before this refresh stay: who finds its line of
    the ledger gone does again what follows from its commit, and asks them.
#}
{% macro _compact_clocks(spec, tables, run) %}
    {%- set scope = event_windows._clock_scope(spec) %}
merge into {{ tables.clocks }} as logged
using (
    select
        {{ event_windows._names_before(scope) }}max(_ew_clock) as _ew_latest,
        max_by(_ew_refresh, named_struct('clock', _ew_clock, 'number', _ew_refresh)) as _ew_since
    from {{ tables.clocks }}
    where _ew_clock is not null and _ew_refresh >= {{ run.generation }} and _ew_refresh < {{ run.number }}
    {{- '\n    group by ' ~ event_windows._names(scope) if scope }}
    union all
    select {{ 'null, ' * scope | length }}null, {{ run.number }}
) as latest
on {{ event_windows._equal(scope, 'logged', 'latest', null_safe=true) }}
    {#- where the scope has nulls, or is empty, a line without a clock is of no scope all the same #}
    and (logged._ew_clock is null) = (latest._ew_latest is null)
    and logged._ew_refresh < {{ run.number }}
    and (
        logged._ew_refresh < {{ run.generation }} or logged._ew_clock < latest._ew_latest
        or logged._ew_refresh < latest._ew_since
    )
when matched then delete
{% endmacro %}
