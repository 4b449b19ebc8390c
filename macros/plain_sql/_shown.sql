{#
    What a model in plain SQL shows of its windows: the columns of its SELECT over the windows table, and its HAVING as a filter. A window
    that fails it now may pass it after the next refresh, so the windows themselves are all kept, in m__state; m is a view of them.
#}
{% macro _shown(spec, windows) %}
select
    {{- event_windows._select_columns(event_windows._shown_columns(spec)) }}
from {{ windows }}
{%- if spec.plain.having is not none %}
where {{ spec.plain.having }}
{%- endif %}
{% endmacro %}


{# [[name, SQL]] of what the user's SELECT shows. #}
{% macro _shown_columns(spec) %}
    {%- set columns = [] -%}
    {%- for name, expression in spec.plain.columns %}{% do columns.append([event_windows._name(name), expression]) %}{% endfor -%}
    {{- return(columns) -}}
{% endmacro %}


{# Makes the view, where it is not there or its text has changed. With emit='final' windows are published to a table instead. #}
{% macro _show(spec, tables, run) %}
    {%- if not event_windows._is_shown_by_view(spec) %}{{- return('') -}}{% endif -%}
    {%- set comment = ' comment ' ~ event_windows._literal(model.description) if config.persist_relation_docs() and model.description else '' -%}
    {%- do event_windows._statement(run, 'show', 'create or replace view ' ~ tables.model ~ comment ~ ' as\n' ~ event_windows._shown(spec, tables.windows)) -%}
    {%- do adapter.cache_added(tables.model.incorporate(type='view')) -%}
{% endmacro %}


{% macro _is_shown_by_view(spec) %}
    {{- return(spec.plain is not none and spec.emit != 'final') -}}
{% endmacro %}


{# What the table of windows records of the view: its text in short. Nothing where there is no view. #}
{% macro _view_property(spec) %}
    {{- return({'event_windows.view': local_md5(tojson(spec.plain))} if event_windows._is_shown_by_view(spec) else {}) -}}
{% endmacro %}


{# After the SELECT or the HAVING of a model has changed, over windows that stay as they are. #}
{% macro _show_anew(spec, tables, record, done) %}
    {%- set property = event_windows._view_property(spec) -%}
    {%- if property and record.view != property['event_windows.view'] -%}
        {%- do event_windows._show(spec, tables, done) -%}
        {%- do event_windows._statement(done, 'show', event_windows._of_format(spec.file_format, 'set_properties', tables.windows, property)) -%}
    {%- endif -%}
{% endmacro %}
