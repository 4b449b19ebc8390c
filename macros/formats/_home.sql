{#
    Where the tables of a model live: {'catalogue': its name, 'settings': its own, 'session_settings': all that is set,
    'extensions': of the session's SQL, 'views': whether it holds views, none where that was not asked yet (_has_views),
    'caches': whether what another session has committed may be out of sight for a while, 'view_keeps': what of the
    session a view made now would}.
#}
{% macro _home() %}
    {%- do event_windows._check_schema() -%}
    {%- set asked = event_windows._asked_session() -%}
    {%- set name = asked['name'] -%}
    {%- set settings, session = {}, event_windows._session_settings() -%}
    {%- set prefix = 'spark.sql.catalog.' ~ name -%}
    {%- for key, value in session.items() if (key ~ '.').startswith(prefix ~ '.') -%}
        {%- do settings.update({key[prefix | length + 1:] | lower: value}) -%}
    {%- endfor -%}
    {%- set given = event_windows._var('views') -%}
    {%- if given is not none and given is not boolean -%}
        {{ event_windows._raise('var event_windows__views', [
            'it is ' ~ tojson(given | string) ~ ', and true and false are allowed: whether the catalogue holds views'
        ]) }}
    {%- endif -%}
    {{- return({
        'catalogue': name, 'settings': settings, 'session_settings': session,
        'extensions': session.get('spark.sql.extensions', ''), 'views': given,
        'caches': settings.get('cache-enabled', 'true') | lower != 'false',
        'view_keeps': event_windows._told_session(asked)
    }) -}}
{% endmacro %}


{#
    A schema with its catalogue before it, as in `lake.visits`: dbt-spark makes tables there, and does not find them
    again, since Spark lists them without the catalogue. Every run would build anew.
#}
{% macro _check_schema() %}
    {%- set first = (this.schema | string | replace('`', '')).split('.')[0] -%}
    {%- if '.' in this.schema and event_windows._is_catalogue(first) -%}
        {%- do event_windows._refuse([
            "its schema '" ~ this.schema ~ "' begins with a catalogue, and dbt-spark finds no tables in such a schema "
                ~ "again, so that every run would build the model from all rows: give the schema alone, and the "
                ~ 'catalogue in the profile, as spark.sql.defaultCatalog: ' ~ first
        ]) -%}
    {%- endif -%}
{% endmacro %}


{# Whether the session knows a catalogue of this name. #}
{% macro _is_catalogue(name) %}
    {{- return(name == 'spark_catalog' or 'spark.sql.catalog.' ~ name in event_windows._session_settings()) -}}
{% endmacro %}


{#
    Whether the catalogue holds views: the session's own does. Of another one its format may know, and else Spark says
    whether a CREATE VIEW could reach it, before anything is made. Asked where a run must know, once.
#}
{% macro _has_views(spec) %}
    {%- set home = spec.home -%}
    {%- if home.views is none -%}
        {%- do home.update({'views': home.catalogue == 'spark_catalog' or event_windows._could_hold_views(home)}) -%}
    {%- endif -%}
    {{- return(home.views) -}}
{% endmacro %}


{# The format that makes the views of the catalogue its own; none where they are Spark's. #}
{% macro _format_of_views(home) %}
    {%- for format in event_windows._formats() -%}
        {%- if event_windows._of_format(format, 'makes_views', home.settings, home.extensions) -%}
            {{- return(format) -}}
        {%- endif -%}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}


{#
    Whether a view of the session's own catalogue is read as its text would be: Spark takes one that a format has made
    there for Hive's without settings, and reads it in the time zone of its Java, whatever that of the session is
    (Spark 4.1, Iceberg 1.12).
#}
{% macro _views_keep_settings(home) %}
    {{- return(home.catalogue != 'spark_catalog' or event_windows._format_of_views(home) is none) -}}
{% endmacro %}


{# Whether a view, as dbt found it in the session's own catalogue, is one that a format has made. #}
{% macro _is_view_of_a_format(there) %}
    {%- for format in event_windows._formats()
        if event_windows._of_format(format, 'made_view', there.information or '') -%}
        {{- return(true) -}}
    {%- endfor -%}
    {{- return(false) -}}
{% endmacro %}


{% macro _could_hold_views(home) %}
    {%- for format in event_windows._formats() -%}
        {%- set held = event_windows._of_format(format, 'holds_views', home.settings, home.extensions) -%}
        {%- if held is not none %}{{- return(held) -}}{% endif -%}
    {%- endfor -%}
    {%- set explained = run_query(
        'explain create view ' ~ this.incorporate(path={'identifier': 'event_windows_view'}) ~ ' as select 1 as one'
    ) -%}
    {%- for row in explained if 'support views' in row[0] -%}{{- return(false) -}}{%- endfor -%}
    {{- return(true) -}}
{% endmacro %}


{# What the session says of itself, checked: a row with its catalogue's name and the columns of _session_columns. #}
{% macro _asked_session() %}
    {%- set asked = run_query('select current_catalog() as name, ' ~ event_windows._session_columns() ~ ', '
        ~ event_windows._session_asked()).rows[0] -%}
    {%- do event_windows._check_session(asked) -%}
    {{- return(asked) -}}
{% endmacro %}


{#
    Pre-hooks come after the model was read, and compared with what its table records of the session: where they change
    that, what the run writes would be of another session than what was read. `before` is what _told_session gave, none
    of a call, of which no table records it.
#}
{% macro _check_after_hooks(before, hooks) %}
    {%- set now = event_windows._told_session(event_windows._asked_session()) if hooks else before -%}
    {%- set changed = event_windows._other_session(before, now) if before else [] -%}
    {%- if changed -%}
        {{ event_windows._raise("a pre-hook of model '" ~ model.name ~ "'", [
            'it changes what values mean in the session (' ~ changed | join(', ') ~ '), after the text of the model '
                ~ 'was read and compared with its table by that: give the session its settings in the profile '
                ~ '(server_side_parameters), for all models'
        ]) }}
    {%- endif -%}
{% endmacro %}
