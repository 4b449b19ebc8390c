{#
    Where the tables of a model live: {'catalogue': its name, 'views': whether it holds views, 'caches': whether what
    another session has committed may be out of sight for a while}. The session's own catalogue holds views; others may.
#}
{% macro _home() %}
    {%- do event_windows._check_schema() -%}
    {%- set name = run_query('select current_catalog() as name').rows[0]['name'] -%}
    {%- set settings = {} -%}
    {%- set prefix = 'spark.sql.catalog.' ~ name -%}
    {%- for row in run_query('set') if (row['key'] ~ '.').startswith(prefix ~ '.') -%}
        {%- do settings.update({row['key'][prefix | length + 1:] | lower: row['value']}) -%}
    {%- endfor -%}
    {%- set given = event_windows._var('views') -%}
    {%- if given is not none and given is not boolean -%}
        {{ event_windows._raise('var event_windows__views', [
            'it is ' ~ tojson(given | string) ~ ', and true and false are allowed: whether the catalogue holds views'
        ]) }}
    {%- endif -%}
    {{- return({
        'catalogue': name, 'caches': settings.get('cache-enabled', 'true') | lower != 'false',
        'views': given if given is not none else (name == 'spark_catalog' or event_windows._holds_views(settings))
    }) -}}
{% endmacro %}


{#
    A schema with its catalogue before it, as in `lake.visits`: dbt-spark makes tables there, and does not find them
    again, since Spark lists them without the catalogue. Every run would build anew.
#}
{% macro _check_schema() %}
    {%- set first = (this.schema | string | replace('`', '')).split('.')[0] -%}
    {%- if '.' in this.schema and (first == 'spark_catalog' or run_query('set').columns['key'].values()
        | select('equalto', 'spark.sql.catalog.' ~ first) | list) -%}
        {{ event_windows._raise("model '" ~ model.name ~ "'", [
            "its schema '" ~ this.schema ~ "' begins with a catalogue, and dbt-spark finds no tables in such a schema "
                ~ "again, so that every run would build the model from all rows: give the schema alone, and the "
                ~ 'catalogue in the profile, as spark.sql.defaultCatalog: ' ~ first
        ]) }}
    {%- endif -%}
{% endmacro %}


{#
    Whether a catalogue beside the session's own holds views. Spark says where no CREATE VIEW could reach it, before
    anything is made; of those that it reaches a format knows its own.
#}
{% macro _holds_views(settings) %}
    {%- set explained = run_query(
        'explain create view ' ~ this.incorporate(path={'identifier': 'event_windows_view'}) ~ ' as select 1 as one'
    ) -%}
    {%- for row in explained if 'support views' in row[0] -%}{{- return(false) -}}{%- endfor -%}
    {%- for format in event_windows._formats() -%}
        {%- set held = event_windows._of_format(format, 'holds_views', settings) -%}
        {%- if held is not none %}{{- return(held) -}}{% endif -%}
    {%- endfor -%}
    {{- return(true) -}}
{% endmacro %}


{# One line, said by a build, about what is different where there are no views. #}
{% macro _tell_home(spec, tables) %}
    {%- if not spec.home.views -%}
        {{ log(
            "event_windows: model '" ~ model.name ~ "': catalogue " ~ spec.home.catalogue ~ ' holds no views: '
                ~ (tables.model.identifier ~ ' is a table, written anew by each refresh that changes windows; '
                    if event_windows._shows_state(spec) else '')
                ~ "stream time is event_windows.stream_time(ref('" ~ tables.model.identifier ~ "')), not a view",
            info=true
        ) }}
    {%- endif -%}
{% endmacro %}


{# What another session has committed to the tables beside the windows is seen from here on. #}
{% macro _see_latest(spec, tables) %}
    {%- if spec.home.caches -%}
        {%- for relation in [tables.clocks, tables.dropped, tables.runs, tables.model]
            if relation != tables.windows and load_cached_relation(relation) is not none
            and not load_cached_relation(relation).is_view -%}
            {%- set latest = event_windows._of_format(spec.file_format, 'latest', relation) -%}
            {%- if latest %}{% do run_query(latest) %}{% endif -%}
        {%- endfor -%}
    {%- endif -%}
{% endmacro %}
