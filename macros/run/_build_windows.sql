{# The SELECT of a build. #}
{% macro _build_windows(spec, tables, run) %}
with
{{ event_windows._pipeline(spec, event_windows._flow(spec, tables, run)) | trim }}

select
    {{- event_windows._select_columns(event_windows._window_columns(spec, run.number)) }}
from windows
{% endmacro %}
