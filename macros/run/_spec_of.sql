{#
    The spec of a model from its compiled text: windowed() wrote it down in the last line; an analyst's own SELECT is
    planned now. `asks`: whether the text is another one in a refresh, which hooks that ask the same do not make it;
    `built_from` is then the relation of a build, and the text that is shown that of a build.
#}
{% macro _spec_of(sql) %}
    {%- set spec = event_windows._called_spec(sql) if event_windows._has_call(sql)
        else event_windows._plain_spec(sql) -%}
    {%- do spec.update({'asks': event_windows._asks_is_windowed_run()}) -%}
    {%- if spec.asks -%}
        {%- set built = event_windows._of_a_build() -%}
        {%- do spec.update({'built_from': built.relation}) -%}
        {%- if spec.text %}{% do spec.text.update({'sql': event_windows._whole_relation(built.sql)}) %}{% endif -%}
    {%- endif -%}
    {{- return(spec) -}}
{% endmacro %}


{# Whether windowed() has written a part of a text: what stands before its SELECT, and the spec behind it. #}
{% macro _has_call(sql) %}
    {{- return(modules.re.search(
        '(?s)/\\* event_windows \\*/\\s*with\\s.*/\\* event_windows \\{', sql
    ) is not none) -}}
{% endmacro %}


{# {'relation', 'sql'} of the text as a build would read it: the same in each run. #}
{% macro _of_a_build() %}
    {%- set text = event_windows._text_of_a_build() -%}
    {%- if event_windows._has_call(text) -%}
        {%- set relation = event_windows._called_spec(text).relation -%}
        {%- set read = event_windows._ephemeral_in(relation) -%}
        {{- return({'relation': event_windows._with_ctes(read, relation), 'sql': text}) -}}
    {%- endif -%}
    {%- set ctes = event_windows._ephemeral_in(text) -%}
    {%- set begins = modules.re.match(
        '(?is)(?:\\s|--[^\\n]*|/\\*.*?\\*/)*with\\s+(?:recursive\\s+)?', text
    ) -%}
    {%- set sql = text if not ctes else 'with ' ~ ctes | join(', ') ~ ' ' ~ text if not begins
        else text[:begins.end()] ~ ctes | join(', ') ~ ', ' ~ text[begins.end():] -%}
    {%- set plan = event_windows._plan_of(sql) -%}
    {%- do event_windows._raise_about_text(plan.problems or []) -%}
    {{- return({'relation': plan.relation, 'sql': sql}) -}}
{% endmacro %}


{# The model's text, rendered once more with is_windowed_run() answering false. #}
{% macro _text_of_a_build() %}
    {%- do graph.setdefault('event_windows_as_built', {}).update({model.unique_id: true}) -%}
    {%- set text = render(event_windows._with_config_as('_say_nothing', model.raw_code)) -%}
    {%- do graph.event_windows_as_built.pop(model.unique_id) -%}
    {{- return(text) -}}
{% endmacro %}


{% macro _say_nothing() %}
    {%- set ignored = [kwargs, varargs] -%}
    {{- return('') -}}
{% endmacro %}


{% macro _called_spec(sql) %}
    {%- set comments = '(?:\\s|--[^\\n]*(?:\\n|\\Z)|/\\*(?! event_windows (?:\\*/|\\{)).*?\\*/)*' -%}
    {%- set found = modules.re.fullmatch(
        '(?s)' ~ comments ~ '/\\* event_windows \\*/\\s*with\\s.*/\\* event_windows (\\{(?:(?!\\*/).)*\\}) \\*/'
            ~ comments ~ '(;?)' ~ comments,
        sql
    ) -%}
    {%- if not found or sql.count('/* event_windows {') != 1 -%}
        {%- do event_windows._refuse([
            "materialized='windowed' takes a model that is one call of event_windows.windowed(...) and nothing else: "
                ~ "put what comes before it into the relation, what comes after it into a model that reads this one"
        ]) -%}
    {%- elif found.group(2) -%}
        {%- do event_windows._refuse([
            "a ';' stands after the call of event_windows.windowed(...): leave it out, as in any model of dbt"
        ]) -%}
    {%- endif -%}
    {{- return(fromjson(found.group(1))) -}}
{% endmacro %}
