{#
    What a model in plain SQL shows of its windows: the columns of its SELECT over the windows table, and its HAVING as
    a filter. A window that fails it now may pass it after the next refresh, so the windows themselves are all kept, in
    m__state; m is a view of them, or a table where the catalogue holds no views, or none that show it.
#}
{% macro _shown(spec, windows) %}
select
    {{- event_windows._select_columns(event_windows._shown_columns(spec)) }}
from {{ event_windows._as_spark_has_them(spec, windows) }}
{%- if spec.plain.having is not none %}
where {{ event_windows._asked_of_spark(spec.plain.having) }}
{%- endif %}
{% endmacro %}


{#
    A condition that no format answers in Spark's place: Iceberg skips files and rows by the bounds of a column, in
    which NaN is not, and to Spark NaN is above every number. As an element of an array it is none that Spark would
    translate for a source: it fails where it tries to with a condition that holds a null (`'k' > 1 or n > 1`).
#}
{% macro _asked_of_spark(condition) %}
    {{- return('array_contains(array(false, ' ~ condition ~ '), true)') -}}
{% endmacro %}


{#
    The windows with the columns and types that Spark's own aggregation has, beside those that are kept for the package:
    numbers of the size that they have in the text where the format keeps larger ones, and how far a row's gap goes as
    a time. What the text makes of windows, SELECT and HAVING, is asked of these alone: 200 * 200 of SMALLINT is no
    40000.
#}
{% macro _as_spark_has_them(spec, windows) %}
    {%- set types = event_windows._types_of(spec.key, spec) -%}
    {%- for aggregate in spec.aggregates %}{% do types.update({aggregate.name: aggregate.type}) %}{% endfor -%}
    {%- set narrower, columns = [], [] -%}
    {%- for column, type in types.items()
        if type and event_windows._of_format(spec.file_format, 'stored_type', type) != type -%}
        {%- do narrower.append(event_windows._name(column)) -%}
        {%- do columns.append(event_windows._typed(narrower[-1], type) ~ ' as ' ~ narrower[-1]) -%}
    {%- endfor -%}
    {%- if spec.window.gap_by -%}
        {%- do columns.append(event_windows._time_from_micros('_ew_until', spec) ~ ' as _ew_until_time') -%}
    {%- endif -%}
    {%- set others = '*' ~ (' except (' ~ narrower | join(', ') ~ ')' if narrower else '') -%}
    {{- return(windows if not columns
        else '(\n    select ' ~ others ~ ', ' ~ columns | join(', ') ~ '\n    from ' ~ windows ~ '\n)') -}}
{% endmacro %}


{# [[name, SQL]] of what the user's SELECT shows. #}
{% macro _shown_columns(spec) %}
    {%- set columns = [] -%}
    {%- for name, expression in spec.plain.columns -%}
        {%- do columns.append([event_windows._name(name), expression]) -%}
    {%- endfor -%}
    {{- return(columns) -}}
{% endmacro %}


{# Whether m shows what m__state holds: by a view or, where that could not be, as a table. #}
{% macro _shows_state(spec) %}
    {{- return(spec.plain is not none and spec.emit != 'final') -}}
{% endmacro %}


{% macro _is_shown_by_view(spec) %}
    {{- return(event_windows._shows_state(spec) and event_windows._has_views(spec)
        and event_windows._views_keep_settings(spec.home)) -}}
{% endmacro %}


{#
    What the table of windows records of what the model shows: columns and HAVING over the windows as Spark has them,
    what stands around the stored ones to make them so, the whole SELECT around them, and the text that they were taken
    from, to be asked again; in short, to notice a change, but for one of layout or of comments, which may tell when the
    model was compiled. Where m shows the windows that is also a change of the session's zone, or of its ANSI mode: what
    reads m would have the values of the session that made it. Nothing for a model that is a call.
#}
{% macro _view_property(spec) %}
    {%- if spec.plain is none %}{{- return({}) -}}{% endif -%}
    {%- set shown = {
        'columns': spec.plain.columns, 'having': spec.plain.having, 'text': spec.get('text'),
        'windows': event_windows._as_spark_has_them(spec, '_ew_windows_here').split('_ew_windows_here'),
        'around': event_windows._shown(spec, '_ew_windows_here').split('_ew_windows_here'),
        'by': 'view' if event_windows._is_shown_by_view(spec) else 'table'
    } -%}
    {%- set session = spec.home.view_keeps if event_windows._shows_state(spec) else none -%}
    {{- return({
        'event_windows.view': event_windows._view_in_short(shown, session), 'event_windows.shown': shown
    }) -}}
{% endmacro %}


{# What is recorded of a view in short, as a session would make it. #}
{% macro _view_in_short(shown, session) %}
    {{- return(local_md5(tojson([
        event_windows._compared_around(shown.around), shown.text.settings if shown.text else none, shown.by, session
    ]))) -}}
{% endmacro %}


{# Why a session would not show the windows as the model does, by what is recorded of it; none if it would. #}
{% macro _why_shown_otherwise(record, session) %}
    {{- return('was last shown by a session of another time zone or ANSI mode, or other settings that decide its '
        ~ 'values, or by another version of the package'
        if record.view != event_windows._view_in_short(record.shown, session) else none) -}}
{% endmacro %}


{# What stands around the windows in a SELECT, as it is compared with another: as one text, of which each is a part. #}
{% macro _compared_around(around) %}
    {%- set text = event_windows._compared_sql(around | join(' _ew_windows_here ')) -%}
    {{- return(text.split('_ew_windows_here') | map('trim') | list) -}}
{% endmacro %}
