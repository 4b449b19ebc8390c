{#
    Where no view can be it, what a model in plain SQL shows is a table with the columns of its SELECT. They
    need not say which window a row is of, so the table is written anew as a whole. It bears the number of the refresh
    that it shows, which every run compares with the last one of the windows: so a run that was killed before it, or a
    slow one that set it back, is mended by the next. Where somebody else's table would keep the number, when it
    replaces this one, the commit is noted too, once it is known.
#}
{% macro _show_as_table(spec, tables, done) %}
    {%- if not event_windows._shows_state(spec) or event_windows._is_shown_by_view(spec) or not done.progress -%}
        {{- return('') -}}
    {%- endif -%}
    {%- set text = event_windows._view_property(spec)['event_windows.view'] -%}
    {%- set last = namespace(
        number=done.progress.number, behind=event_windows._shows_less(spec, tables, text, done.progress.number)
    ) -%}
    {%- for _ in range(100) if last.behind -%}
        {%- set number = last.number -%}
        {%- do event_windows._statement(done, 'show', event_windows._of_format(
            spec.file_format, 'create', tables.model, sql=event_windows._shown(spec, tables.windows),
            properties={'event_windows.shows': {'number': number, 'text': text}}
        )) -%}
        {%- do event_windows._made(tables.model) -%}
        {%- set commit = event_windows._of_format(
            spec.file_format, 'tells_commit', event_windows._properties(tables.model)
        ) -%}
        {%- if commit -%}
            {%- do event_windows._statement(done, 'show', event_windows._set_properties(
                tables.model, {'event_windows.shows_commit': commit}
            )) -%}
        {%- endif -%}
        {#- another run may have gone on since the windows were read for it, and have shown more already -#}
        {%- set last.number = event_windows._read_record(spec, tables.windows).progress.number -%}
        {%- set last.behind = last.number > number -%}
    {%- endfor -%}
{% endmacro %}


{# Whether the table shows an earlier refresh, another text, or what somebody else has written since. #}
{% macro _shows_less(spec, tables, text, number) %}
    {%- set there = load_cached_relation(tables.model) -%}
    {%- if there is none %}{{- return(true) -}}{% endif -%}
    {%- if there.is_view -%}
        {%- do adapter.drop_relation(there) -%}
        {{- return(true) -}}
    {%- endif -%}
    {%- do event_windows._of_format(spec.file_format, 'latest', tables.model) -%}
    {%- set properties = event_windows._properties(tables.model) -%}
    {%- set shows = fromjson(properties.get('event_windows.shows', '{}')) -%}
    {%- set commit = event_windows._of_format(spec.file_format, 'tells_commit', properties) -%}
    {{- return(shows.text != text or shows.number < number
        or (commit is not none and properties.get('event_windows.shows_commit') != commit)) -}}
{% endmacro %}


{#
    Before anything is written: that the model can show what the SELECT does. A table holds columns of some names and
    types, a view of Spark's any, and one of a format's own those of any name.
#}
{% macro _check_can_be_shown(spec) %}
    {%- set by_view = event_windows._is_shown_by_view(spec) -%}
    {%- set made_by = event_windows._format_of_views(spec.home) if by_view else none -%}
    {%- if spec.plain is none or (by_view and made_by is none) %}{{- return('') -}}{% endif -%}
    {%- set no_view = '' if spec.emit == 'final'
        else ', and a view, which could show it, is none of Spark\'s with the spark.sql.extensions of this session'
            if event_windows._has_views(spec)
        else ', and catalogue ' ~ spec.home.catalogue ~ ' holds no views, which could show it' -%}
    {%- set problems = [] -%}
    {%- for name, type in event_windows._columns_as_shown(spec) -%}
        {%- set found = [event_windows._why_not_viewed(made_by, type)] if by_view else [
            event_windows._why_no_type(spec.file_format, type, no_view ~ ': cast it in the SELECT'),
            event_windows._why_no_name(spec.file_format, name), event_windows._why_own_name(name)
        ] -%}
        {%- for why in found if why -%}
            {%- do problems.append("column '" ~ name ~ "' " ~ why) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- do event_windows._refuse(problems) -%}
{% endmacro %}
