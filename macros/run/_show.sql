{#
    Makes the view, where it is not there or its text has changed. With emit='final' windows are published to a table
    instead.
#}
{% macro _show(spec, tables, run) %}
    {%- if not event_windows._is_shown_by_view(spec) %}{{- return('') -}}{% endif -%}
    {%- set there = load_cached_relation(tables.model) -%}
    {%- if there is not none and not there.is_view %}{% do adapter.drop_relation(there) %}{% endif -%}
    {%- set comment = ' comment ' ~ event_windows._literal(model.description)
        if config.persist_relation_docs() and model.description else '' -%}
    {%- do event_windows._statement(
        run, 'show',
        'create or replace view ' ~ tables.model ~ comment ~ ' as\n' ~ event_windows._shown(spec, tables.windows)
    ) -%}
    {%- do adapter.cache_added(tables.model.incorporate(type='view')) -%}
{% endmacro %}


{#
    After the SELECT or the HAVING of a model has changed, over windows that stay as they are; where m is a table and
    the catalogue holds views now; or where the view was dropped or another one is in its place (materialized='view'
    for a while), as far as the catalogue lists views and tells their text.
#}
{% macro _show_anew(spec, tables, record, done) %}
    {%- set property = event_windows._view_property(spec) -%}
    {%- set there = load_cached_relation(tables.model) -%}
    {%- set by_view = event_windows._is_shown_by_view(spec) -%}
    {%- set is_view = there.is_view if there is not none else spec.home.catalogue != 'spark_catalog' -%}
    {%- set told = there.information or '' -%}
    {%- set is_other = 'View Text: ' in told
        and 'View Text: ' ~ event_windows._shown(spec, tables.windows) | trim not in told -%}
    {%- if property and (by_view and (not is_view or is_other) or record.view != property['event_windows.view']) -%}
        {%- if by_view -%}
            {%- do event_windows._show(spec, tables, done) -%}
        {%- elif there is none -%}
            {%- do event_windows._drop_unlisted_view(spec, tables.model, record) -%}
        {%- endif -%}
        {%- do event_windows._statement(
            done, 'show', event_windows._of_format(spec.file_format, 'set_properties', tables.windows, property)
        ) -%}
    {%- endif -%}
{% endmacro %}


{# Where a table is to be: a catalogue beside the session's own need not list a view that has its name. #}
{% macro _drop_unlisted_view(spec, relation, record) %}
    {%- set was_view = record and record.shown and record.shown.by == 'view'
        and relation.identifier == this.identifier -%}
    {%- if spec.home.catalogue != 'spark_catalog' and (event_windows._has_views(spec) or was_view) -%}
        {%- do run_query('drop view if exists ' ~ relation) -%}
    {%- endif -%}
{% endmacro %}
