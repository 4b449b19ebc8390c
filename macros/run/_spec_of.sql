{#
    The spec of a model from its compiled text: windowed() wrote it down in the last line; an analyst's own SELECT is
    planned now. `asks`: whether the text is another one in a refresh, which hooks that ask the same do not make it;
    `built_from` is then the relation of a build.
#}
{% macro _spec_of(sql) %}
    {%- set spec = event_windows._called_spec(sql) if '/* event_windows ' in sql
        else event_windows._plain_spec(sql) -%}
    {%- do spec.update({'asks': event_windows._asks_is_windowed_run()}) -%}
    {%- if spec.asks %}{% do spec.update({'built_from': event_windows._relation_of_a_build()}) %}{% endif -%}
    {{- return(spec) -}}
{% endmacro %}


{# The relation of the text that is_windowed_run() is false in: the same in each run, and what a build would read. #}
{% macro _relation_of_a_build() %}
    {%- do graph.setdefault('event_windows_as_built', {}).update({model.unique_id: true}) -%}
    {%- set text = event_windows._with_config_as('_say_nothing', model.raw_code) -%}
    {%- set sql = event_windows._with_ephemeral(render(text)) -%}
    {%- do graph.event_windows_as_built.pop(model.unique_id) -%}
    {%- if '/* event_windows ' in sql %}{{- return(event_windows._called_spec(sql).relation) -}}{% endif -%}
    {%- set plan = event_windows._plan_of(sql) -%}
    {%- do event_windows._raise_about_text(plan.problems or []) -%}
    {{- return(plan.relation) -}}
{% endmacro %}


{% macro _say_nothing() %}
    {%- set ignored = [kwargs, varargs] -%}
    {{- return('') -}}
{% endmacro %}


{# A rendered text with the ephemeral models that it reads, which dbt puts into one that it compiles. #}
{% macro _with_ephemeral(sql) %}
    {%- if not model.extra_ctes %}{{- return(sql) -}}{% endif -%}
    {%- set ctes = model.extra_ctes | map(attribute='sql') | join(', ') -%}
    {%- set begins = modules.re.match(
        '(?is)(?:\\s|--[^\\n]*|/\\*.*?\\*/)*with\\s+(?:recursive\\s+)?', sql
    ) -%}
    {{- return(sql[:begins.end()] ~ ctes ~ ', ' ~ sql[begins.end():] if begins else 'with ' ~ ctes ~ ' ' ~ sql) -}}
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
