{# How windows and clocks stand: open, closed and the largest windows; clocks far ahead of others; idle keys. #}
{% macro _report_health(relation, limit) %}
    {%- set asked = event_windows._reported_model(relation) -%}
    {%- if not asked.spec %}{{- return(event_windows._report_nothing()) -}}{% endif -%}
    {%- set spec = asked.spec -%}
    {%- set key = event_windows._names(spec.key) -%}
    {%- set window = {
        'key': event_windows._report_texts(spec.key, spec), 'start': '_ew_first', 'end': '_ew_end', 'rows': '_ew_rows',
        'closed': '_ew_closed', 'shown': '_ew_shown'
    } -%}
    {%- set scope = event_windows._shown_scope(spec) -%}
with
{{ event_windows._report_windows(asked) | trim }},

largest as (
    select * from report_windows
    order by {{ '_ew_rows desc' if asked.count else '_ew_end - _ew_first desc' }}, _ew_first
    limit {{ limit }}
),

clocks as (
    select {{ event_windows._names_before(scope) -}} {{ event_windows._time_micros('stream_time', spec) }} as _ew_clock
    from {{ event_windows._stream_time_of(asked) | indent }} as shown
    {#- one clock of all is there before any row has moved it #}
    where stream_time is not null
),

fastest as (
    select * from clocks order by _ew_clock desc limit {{ limit }}
),

idle_keys as (
    select {{ key }}, count(*) as _ew_windows, max(_ew_end) as _ew_end
    from report_windows
    where _ew_idle
    group by {{ key }}
),

most_idle as (
    select * from idle_keys order by _ew_end limit {{ limit }}
)

{{ event_windows._report_line('windows', {
    'all': 'count(*)', 'closed': 'count_if(_ew_closed)', 'open': 'count_if(not _ew_closed)',
    'idle': 'count_if(_ew_idle)', 'not_shown': 'count_if(not _ew_shown)'
}) }}
from report_windows
union all
{{ event_windows._report_line('largest', window) }}
from largest
union all
{{ event_windows._report_line('clocks', {
    'n': 'count(*)', 'latest': 'max(_ew_clock)', 'median': 'percentile_approx(_ew_clock, 0.5)',
    'now': 'unix_micros(current_timestamp())'
}) }}
from clocks
union all
{{ event_windows._report_line('fast', {'key': event_windows._report_texts(scope, spec), 'clock': '_ew_clock'}) }}
from fastest
union all
{{ event_windows._report_line('idle_keys', {'n': 'count(*)'}) }}
from idle_keys
union all
{{ event_windows._report_line('idle', {
    'key': event_windows._report_texts(spec.key, spec), 'windows': '_ew_windows', 'end': '_ew_end'
}) }}
from most_idle
union all
{{ event_windows._report_line('dropped', {'reason': 'reason', 'n': 'count(*)'}) }}
from {{ event_windows._counted_dropped(asked) }}
group by reason
{% endmacro %}


{#
    How many rows refreshes have read since the table was built: those of keys that were made anew, too, of which the
    ledger tells apart.
#}
{% macro _report_rows_read(asked) %}
    {{- return(asked.progress.rows if asked.progress else 0) -}}
{% endmacro %}


{# Rows that refreshes have read since the table was built, beside those that the source has up to there now. #}
{% macro _report_accounts(relation) %}
    {%- set asked = event_windows._reported_model(relation) -%}
    {%- if not asked.spec %}{{- return(event_windows._report_nothing()) -}}{% endif -%}
    {%- set spec, tables, progress = asked.spec, asked.tables, asked.progress -%}
    {%- set read = event_windows._report_line('ledger', {
        'read': event_windows._report_rows_read(asked),
        'skipped': 'coalesce(sum(rows_skipped), 0)', 'rebuilt': 'coalesce(sum(keys_rebuilt), 0)'
    }) ~ ' ' ~ event_windows._from_ledger(tables, '_ew_refresh >= ' ~ asked.generation) -%}
    {%- if not spec.arrival %}{{- return(read) -}}{% endif -%}
{{ read }}
union all
{{ event_windows._report_line('source', {'n': 'count(*)'}) }}
from (
    {{ event_windows._new_rows(
        event_windows._as_read(asked) if spec.source else spec, {'from': [], 'to': progress.through if progress else []}
    ) | trim }}
) as arrived
{% endmacro %}
