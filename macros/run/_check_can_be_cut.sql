{# If a build of several commits were killed between two of them, the next run would see other rows as the rest. #}
{% macro _check_can_be_cut(seen) %}
    {%- if seen.more and event_windows._asks_is_windowed_run() -%}
        {{ event_windows._stop('event_windows__max_rows_per_refresh would cut its build in '
            ~ 'several commits, and its SQL asks is_windowed_run(), so that a refresh does not see all rows that are '
            ~ 'left: leave the var out of the run that builds it') }}
    {%- endif -%}
{% endmacro %}
