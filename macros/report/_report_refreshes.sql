{# The last refreshes of a model from the ledger, the slowest of all, and how many there were. #}
{% macro _report_refreshes(relation, limit) %}
    {%- set asked = event_windows._reported_model(relation) -%}
    {%- if not asked.spec %}{{- return(event_windows._report_nothing()) -}}{% endif -%}
    {%- set fields = {
        'run_id': 'run_id', 'number': '_ew_refresh',
        'started': 'unix_micros(started_at)', 'finished': 'unix_micros(finished_at)',
        'stream_time': 'unix_micros(stream_time)'
    } -%}
    {%- for column in [
        'rows_read', 'rows_late', 'rows_late_partial', 'rows_skipped', 'keys_rebuilt', 'rows_rebuilt',
        'windows_inserted', 'windows_updated', 'windows_deleted'
    ] %}{% do fields.update({column: column}) %}{% endfor -%}
with
refreshes as (
    select *, row_number() over (order by _ew_refresh desc) as _ew_place,
        row_number() over (order by unix_micros(finished_at) - unix_micros(started_at) desc, _ew_refresh) as _ew_slow
    {{ event_windows._from_ledger(asked.tables) }}
)

{{ event_windows._report_line('refresh', fields) }}
from refreshes
where _ew_place <= {{ limit }}
union all
{{ event_windows._report_line('slowest', fields) }}
from refreshes
where _ew_slow = 1
union all
{{ event_windows._report_line('all', {'n': 'count(*)'}) }}
from refreshes
{% endmacro %}
