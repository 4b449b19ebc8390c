{# One key: its latest rows with stream time at their arrival, and its latest windows. `key` is {column: text}. #}
{% macro _report_timeline(relation, key, limit) %}
    {%- set asked = event_windows._reported_model(relation) -%}
    {%- if not asked.spec %}{{- return(event_windows._report_nothing()) -}}{% endif -%}
    {%- set spec = asked.spec -%}
    {%- set condition = event_windows._report_where(key, spec) -%}
with
{{ event_windows._report_rows(spec, condition, asked.bounds) | trim }},

{{ event_windows._report_windows(asked) | trim }},

rows_of_key as (
    select * from report_rows where {{ condition }}
    order by {{ event_windows._name(spec.arrival or spec.event_time) }} desc
    limit {{ limit }}
),

windows_of_key as (
    select * from report_windows where {{ condition }} order by _ew_first desc limit {{ limit }}
)

{{ event_windows._report_line('row', event_windows._report_row_fields(spec)) }}
from rows_of_key as wanted
{{ event_windows._report_join_dropped(asked) | trim }}
union all
{{ event_windows._report_line('window', {
    'start': '_ew_first', 'end': '_ew_end', 'rows': '_ew_rows', 'closed': '_ew_closed', 'shown': '_ew_shown'
}) }}
from windows_of_key
union all
{{ event_windows._report_line('all', {'n': 'count(*)'}) }}
from report_rows
where {{ condition }}
{% endmacro %}
