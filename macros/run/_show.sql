{#
    Makes the view, where it is not there or its text has changed. With emit='final' windows are published to a table
    instead.
#}
{% macro _show(spec, tables, run) %}
    {%- if not event_windows._is_shown_by_view(spec) %}{{- return('') -}}{% endif -%}
    {%- set there = load_cached_relation(tables.model) -%}
    {%- if there is not none and not there.is_view %}{% do adapter.drop_relation(there) %}{% endif -%}
    {%- do event_windows._statement(
        run, 'show',
        'create or replace view ' ~ tables.model ~ event_windows._comments_of_view(spec) ~ ' as\n'
            ~ event_windows._shown(spec, tables.windows)
    ) -%}
    {#- added to its cache dbt goes on with what it knows: the text of the view that was there -#}
    {%- if there is not none %}{% do adapter.cache_dropped(there) %}{% endif -%}
    {%- do event_windows._made(tables.model, 'view') -%}
{% endmacro %}


{#
    After the SELECT or the HAVING of a model has changed, or settings of the session by which values are told, over
    windows that stay as they are; and where m is no view of them.
#}
{% macro _show_anew(spec, tables, record, done) %}
    {%- set property = event_windows._other_view(spec, tables, record) -%}
    {%- if property -%}
        {%- if event_windows._is_shown_by_view(spec) -%}
            {%- do event_windows._show(spec, tables, done) -%}
        {%- elif load_cached_relation(tables.model) is none -%}
            {%- do event_windows._drop_unlisted_view(spec, tables.model, record) -%}
        {%- endif -%}
        {%- do event_windows._statement(done, 'show', event_windows._set_properties(tables.windows, property)) -%}
    {%- endif -%}
{% endmacro %}


{# What is to be recorded of the view, or the table, where it is to be another one; none where it stays. #}
{% macro _other_view(spec, tables, record) %}
    {%- set property = event_windows._view_property(spec) -%}
    {%- set is_lost = event_windows._is_shown_by_view(spec) and not event_windows._is_in_its_place(spec, tables) -%}
    {{- return(property if property and (is_lost or record.view != property['event_windows.view']) else none) -}}
{% endmacro %}


{# The view of the clocks, where the catalogue holds any. #}
{% macro _show_clocks(spec, tables, run, generation) %}
    {%- if event_windows._has_views(spec) -%}
        {%- do event_windows._statement(
            run, 'clocks', 'create or replace view ' ~ tables.stream_time ~ ' as\n'
                ~ event_windows._shown_clocks(spec, tables, generation) | trim
        ) -%}
        {%- do event_windows._made(tables.stream_time, 'view') -%}
    {%- endif -%}
{% endmacro %}


{# The same where it was dropped: a catalogue beside the session's own need not list it. #}
{% macro _show_lost_clocks(spec, tables, done) %}
    {%- if spec.home.catalogue == 'spark_catalog' and load_cached_relation(tables.stream_time) is none -%}
        {%- do event_windows._show_clocks(spec, tables, done, done.progress.generation) -%}
    {%- endif -%}
{% endmacro %}


{#
    Whether the view is there, and is ours: not where m is a table since the catalogue held no views, where it was
    dropped, or where another one is in its place (materialized='view' for a while, one that a format has made). A
    catalogue beside the session's own need not list views, nor tell their text: then it is.
#}
{% macro _is_in_its_place(spec, tables) %}
    {%- set there = load_cached_relation(tables.model) -%}
    {%- if there is none %}{{- return(spec.home.catalogue != 'spark_catalog') -}}{% endif -%}
    {%- set told = there.information or '' -%}
    {%- set ours = 'View Text: ' ~ event_windows._shown(spec, tables.windows) | trim ~ '\n' -%}
    {{- return(there.is_view and not event_windows._is_view_of_a_format(there)
        and ('View Text: ' not in told or ours in told)) -}}
{% endmacro %}


{# Where a table is to be: a catalogue beside the session's own need not list a view that has its name. #}
{% macro _drop_unlisted_view(spec, relation, record) %}
    {%- set was_view = record and record.shown and record.shown.by == 'view'
        and relation.identifier == this.identifier -%}
    {%- if spec.home.catalogue != 'spark_catalog' and (event_windows._has_views(spec) or was_view) -%}
        {%- do run_query('drop view if exists ' ~ relation) -%}
    {%- endif -%}
{% endmacro %}
