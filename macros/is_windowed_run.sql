{#
    Whether this run refreshes a windowed model from new rows, and does not build it, end a build that was killed, or
    read the first rows after a build that had none: is_incremental() of materialized='windowed'. A unit test overrides
    it with `overrides: macros: {event_windows.is_windowed_run: true}`.
#}
{% macro is_windowed_run() %}
    {%- if execute %}{% do graph.setdefault('event_windows_asked', {}).update({model.unique_id: true}) %}{% endif -%}
    {%- if 'event_windows_answer' in context %}{{ return(context.event_windows_answer) }}{% endif -%}
    {{ return(adapter.dispatch('is_windowed_run', 'event_windows')()) }}
{% endmacro %}


{% macro default__is_windowed_run() %}
    {%- if not execute or model.resource_type != 'model' or config.get('materialized') != 'windowed' -%}
        {{- return(false) -}}
    {%- endif -%}
    {%- set as_built = model.unique_id in graph.get('event_windows_as_built', []) -%}
    {%- if as_built or event_windows._existing(this) is none or should_full_refresh() -%}
        {{- return(false) -}}
    {%- endif -%}
    {%- set refreshes = event_windows._is_built(this) -%}
    {#- dbt brings in the ephemeral models that it meets: the text of a build is compared, which may read others -#}
    {%- if refreshes and event_windows._ephemeral_below(model) %}{% do event_windows._text_of_a_build() %}{% endif -%}
    {{ return(refreshes) }}
{% endmacro %}
