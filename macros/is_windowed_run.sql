{#
    Whether this run refreshes a windowed model from new rows, and does not build it: is_incremental() of
    materialized='windowed'. A unit test overrides it with `overrides: macros: {event_windows.is_windowed_run: true}`.
#}
{% macro is_windowed_run() %}
    {{ return(adapter.dispatch('is_windowed_run', 'event_windows')()) }}
{% endmacro %}


{% macro default__is_windowed_run() %}
    {%- if not execute or model.resource_type != 'model' or config.get('materialized') != 'windowed' -%}
        {{- return(false) -}}
    {%- endif -%}
    {{ return(event_windows._existing(this) is not none and not should_full_refresh()) }}
{% endmacro %}
