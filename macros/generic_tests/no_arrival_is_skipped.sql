{#
    Rows that came with an arrival number below the last one read, so that no refresh has read them: those that
    refreshes since the last build have noticed, those that a count of the source finds now, and those of a partition
    whose numbers went back, as after a topic was created again. Neither is asked where the source's log is followed:
    the next refresh takes what came below, and a newest row that is deleted sets numbers back; nor is a count where
    other tables are joined, of which a later row is no arrival. `source` is the relation that the model is over, where
    the one that it was built over cannot be read; not of a model in plain SQL.
#}
{% test no_arrival_is_skipped(model, source=none) %}
    {{ adapter.dispatch('test_no_arrival_is_skipped', 'event_windows')(windows=model, rows=source) }}
{% endtest %}


{% macro default__test_no_arrival_is_skipped(windows, rows) %}
    {%- set problems = [] -%}
    {%- if windows is string -%}
        {%- do problems.append('it takes no where: it reads the ledger and the source, not the windows') -%}
    {%- endif -%}
    {%- set asked = event_windows._tested_model('no_arrival_is_skipped', windows, problems, rows) -%}
    {%- if not asked.spec %}{{- return('') -}}{% endif -%}
    {%- if asked.spec.arrival and not asked.readable -%}
        {{ event_windows._raise('test no_arrival_is_skipped', [event_windows._why_unreadable(asked)]) }}
    {%- endif -%}
    {%- set through = asked.progress.through if asked.progress else [] %}
select run_id, finished_at, rows_skipped, 'noticed by this refresh, and not read' as problem
{{ event_windows._from_ledger(asked.tables, '_ew_refresh >= ' ~ asked.generation ~ ' and rows_skipped > 0') }}
{%- if asked.spec.arrival and through and not asked.progress.followed %}
{%- if not event_windows._joins_others(asked) %}
union all
select null, null, skipped, 'in the source now, up to the last number read, and not read'
from (
    select count(*) - {{ asked.progress.rows }} as skipped
    {{ event_windows._arrived_rows(asked.spec, {'from': [], 'to': through}) | trim }}
) as recounted
where skipped > 0
{%- endif %}
union all
select null, null, n, 'in the source now, where numbers went back since they were read'
from (
    {{ event_windows._gone_back(asked.spec, through) | trim | indent }}
) as gone_back
{%- endif %}
{% endmacro %}


{# Whether the text that a model is over, of a SELECT or of a view, joins tables. #}
{% macro _joins_others(asked) %}
    {%- set relation = asked.spec.relation -%}
    {%- set text = event_windows._described_in_full(relation).said.get('View Text', '')
        if relation is not string and event_windows._is_running() else relation -%}
    {{- return('join' in event_windows._compared_words(text)) -}}
{% endmacro %}
