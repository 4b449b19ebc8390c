{#
    emit='final': windows live in m__state, and m gets each of them once, when it has closed. It closes in the refresh
    that moves its clock past the end of its grace, so the log of clocks tells which ones those are: before that refresh
    and after it. Once the ledger has its line that is done, by whomever, and the log may have lost the lines before it.
#}
{% macro _publish(spec, tables, run) %}
    {%- if spec.emit != 'final' %}{{- return('') -}}{% endif -%}
    {%- set columns = event_windows._published_columns(spec) | map('first') | list + ['_ew_segment', '_ew_refresh'] -%}
    {%- do event_windows._statement(run, 'publish', event_windows._of_format(
        spec.file_format, 'insert_once', tables.model, columns,
        event_windows._newly_closed(spec, tables, run) | trim, run.number
    )) -%}
{% endmacro %}


{#
    The same for a build, in one commit: readers see the old table or the new one. The table says who made it. Where the
    run of the build was killed the windows say so too: its own statement may still be under way, and would set back
    what refreshes have published since.
#}
{% macro _publish_all(spec, tables, run) %}
    {%- if spec.emit != 'final' %}{{- return('') -}}{% endif -%}
    {%- set publisher = event_windows._publisher(tables, run) -%}
    {%- if publisher is none -%}
        {%- set there = load_cached_relation(tables.model) -%}
        {%- if there is not none and there.is_view %}{% do adapter.drop_relation(there) %}{% endif -%}
        {%- do event_windows._statement(run, 'publish', event_windows._of_format(
            spec.file_format, 'create', tables.model,
            sql=event_windows._newly_closed(spec, tables, run),
            partition_by='_ew_segment',
            followed=true,
            properties={
                'event_windows.spec': event_windows._fingerprint(spec),
                'event_windows.build': {'number': run.number, 'publisher': invocation_id}
            }
        )) -%}
        {%- do event_windows._made(tables.model) -%}
    {%- endif -%}
    {%- if run.resumed -%}
        {%- do event_windows._statement(run, 'progress', event_windows._set_properties(
            tables.windows,
            {'event_windows.published': {'number': run.number, 'publisher': publisher or invocation_id}}
        )) -%}
    {%- endif -%}
{% endmacro %}


{# Who has published the build that this run finishes, since when windows may have left the state; none if nobody. #}
{% macro _publisher(tables, run) %}
    {%- if not run.resumed or load_cached_relation(tables.model) is none %}{{- return(none) -}}{% endif -%}
    {%- set published = event_windows._record_in(event_windows._properties(tables.model)) -%}
    {{- return(published.build.publisher if published.generation == run.number else none) -}}
{% endmacro %}


{# Windows that the clocks of this refresh have closed, with what the published table shows of them. #}
{% macro _newly_closed(spec, tables, run) %}
{%- set shown = event_windows._shown_scope(spec) -%}
{%- set until = event_windows._of_window('stored_until', spec, 'stored') -%}
{%- set of_refresh = '_ew_refresh >= ' ~ run.generation ~ ' and _ew_refresh <= ' ~ run.number %}
with
clocks as (
    select
        {{ event_windows._names_before(shown) }}max(_ew_clock) as _ew_after,
        max(if(_ew_refresh < {{ run.number }}, _ew_clock, null)) as _ew_before
    from {{ tables.clocks }}
    where _ew_clock is not null and {{ of_refresh }}
    {{- '\n    group by ' ~ event_windows._names(shown) if shown }}
),

closed as (
    select stored.*
    from {{ tables.windows }} as stored
    inner join clocks on {{ event_windows._equal(shown, 'stored', 'clocks', null_safe=spec.null_keys) }}
    where (clocks._ew_before is null or clocks._ew_before < clocks._ew_after)
        {#- none of a build that came since: what that had closed it has published itself #}
        and stored._ew_refresh <= {{ run.number }}
        and {{ event_windows._closed(spec, until, 'clocks._ew_after') }}
        and not coalesce({{ event_windows._closed(spec, until, 'clocks._ew_before') }}, false)
)

select
    {{- event_windows._select_columns(event_windows._published_columns(spec)) }},
    _ew_segment,
    {{ event_windows._bigint(run.number) }} as _ew_refresh
from {{ event_windows._as_spark_has_them(spec, 'closed') if spec.plain else 'closed' }}
where {{ event_windows._asked_of_spark(spec.plain.having) if spec.plain and spec.plain.having is not none else 'true' }}
{%- if not run.full %}
    and not exists (
        {{ event_windows._told_lines(tables, run) }}
    )
{%- endif %}
{% endmacro %}


{# [[name, SQL over the windows table]] of the table that shows windows where they are not shown as they are stored. #}
{% macro _published_columns(spec) %}
    {%- if spec.plain %}{{- return(event_windows._shown_columns(spec)) -}}{% endif -%}
    {%- set columns = [] -%}
    {%- for column in spec.key + ['window_start', 'window_end'] + spec.aggregates | map(attribute='name') | list -%}
        {%- set name = event_windows._name(column) -%}
        {%- do columns.append([name, name]) -%}
    {%- endfor -%}
    {{- return(columns) -}}
{% endmacro %}
