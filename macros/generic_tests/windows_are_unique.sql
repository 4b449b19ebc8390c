{# Windows that are in the table more than once: the same key, start and end. #}
{% test windows_are_unique(model, key=none) %}
    {{ adapter.dispatch('test_windows_are_unique', 'event_windows')(windows=model, key=key) }}
{% endtest %}


{% macro default__test_windows_are_unique(windows, key) %}
    {%- set table = event_windows._tested_windows('windows_are_unique', windows, key) -%}
    {%- if not table.key %}{{- return('') -}}{% endif -%}
    {%- set window = event_windows._names(table.key + ['window_start', 'window_end']) -%}
select {{ window }}, count(*) as times
from {{ table.sql }}
group by {{ window }}
having count(*) > 1
{% endmacro %}
