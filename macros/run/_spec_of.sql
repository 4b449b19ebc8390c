{#
    The spec of a model from its compiled text: windowed() wrote it down in the last line; an analyst's own SELECT is
    planned now. `asks`: whether the text is another one in a refresh, which hooks that ask the same do not make it.
#}
{% macro _spec_of(sql) %}
    {%- set spec = event_windows._called_spec(sql) if '/* event_windows ' in sql
        else event_windows._plain_spec(sql) -%}
    {{- return(dict(spec, asks=event_windows._asks_is_windowed_run())) -}}
{% endmacro %}


{% macro _called_spec(sql) %}
    {%- set comments = '(?:\\s|--[^\\n]*(?:\\n|\\Z)|/\\*(?! event_windows ).*?\\*/)*' -%}
    {%- set found = modules.re.fullmatch(
        '(?s)' ~ comments ~ '/\\* event_windows \\*/\\s*with\\s.*/\\* event_windows (\\{(?:(?!\\*/).)*\\}) \\*/'
            ~ comments ~ '(;?)' ~ comments,
        sql
    ) -%}
    {%- if not found or sql.count('/* event_windows {') != 1 -%}
        {{ event_windows._raise("model '" ~ model.name ~ "'", [
            "materialized='windowed' takes a model that is one call of event_windows.windowed(...) and nothing else: "
                ~ "put what comes before it into the relation, what comes after it into a model that reads this one"
        ]) }}
    {%- elif found.group(2) -%}
        {{ event_windows._raise("model '" ~ model.name ~ "'", [
            "a ';' stands after the call of event_windows.windowed(...): leave it out, as in any model of dbt"
        ]) }}
    {%- endif -%}
    {{- return(fromjson(found.group(1))) -}}
{% endmacro %}
