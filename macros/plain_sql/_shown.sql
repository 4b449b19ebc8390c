{#
    What a model in plain SQL shows of its windows: the columns of its SELECT over the windows table, and its HAVING as
    a filter. A window that fails it now may pass it after the next refresh, so the windows themselves are all kept, in
    m__state; m is a view of them, or a table where the catalogue holds no views.
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
    {%- for name, expression in spec.plain.columns -%}
        {%- do columns.append([event_windows._name(name), expression]) -%}
    {%- endfor -%}
    {{- return(columns) -}}
{% endmacro %}


{# Whether m shows what m__state holds: by a view or, where the catalogue holds none, as a table. #}
{% macro _shows_state(spec) %}
    {{- return(spec.plain is not none and spec.emit != 'final') -}}
{% endmacro %}


{% macro _is_shown_by_view(spec) %}
    {{- return(event_windows._shows_state(spec) and spec.home.views) -}}
{% endmacro %}


{#
    What the table of windows records of what the model shows: columns and HAVING over the windows, and the text that
    they were taken from, to be asked again; in short, to notice a change, but for one of comments, which may tell when
    the model was compiled. Nothing for a model that is a call.
#}
{% macro _view_property(spec) %}
    {%- if spec.plain is none %}{{- return({}) -}}{% endif -%}
    {%- set shown = {
        'columns': spec.plain.columns, 'having': spec.plain.having, 'text': spec.get('text'),
        'by': 'view' if event_windows._is_shown_by_view(spec) else 'table'
    } -%}
    {%- set settings = shown.text.settings if shown.text else none -%}
    {{- return({
        'event_windows.view': local_md5(tojson([spec.plain, settings, shown.by])), 'event_windows.shown': shown
    }) -}}
{% endmacro %}
