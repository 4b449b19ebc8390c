{#
    One message for everything that is wrong with what was written: where, what is allowed,
    what was given, how to mend it. Before any write.
#}
{% macro _raise(where, problems) %}
    {{ exceptions.raise_compiler_error(
        "event_windows: " ~ where ~ " cannot be used as written; nothing was changed.\n  - "
            ~ event_windows._as_the_config_has_it(problems | join("\n  - "))
    ) }}
{% endmacro %}


{# The same of the model, where there is something wrong with it. #}
{% macro _refuse(problems) %}
    {%- set told = problems | select | list -%}
    {%- if told %}{{ event_windows._raise("model '" ~ model.name ~ "'", told) }}{% endif -%}
{% endmacro %}


{# One line about the model, in dbt's output. #}
{% macro _say(sentence) %}
    {{ log("event_windows: model '" ~ model.name ~ "': " ~ sentence, info=true) }}
{% endmacro %}


{# A warning about it, where there is something to tell. #}
{% macro _warn_if(sentence) %}
    {%- if sentence %}{% do exceptions.warn("event_windows: model '" ~ model.name ~ "': " ~ sentence) %}{% endif -%}
{% endmacro %}


{# One sentence about a run that cannot go on; what it wrote before is finished or undone by the next run. #}
{% macro _stop(sentence) %}
    {{ exceptions.raise_compiler_error(
        "event_windows: model '" ~ model.name ~ "': " ~ event_windows._as_the_config_has_it(sentence)
    ) }}
{% endmacro %}


{# The same where there is a problem to tell. #}
{% macro _stop_if(problem) %}
    {%- if problem %}{{ event_windows._stop(problem) }}{% endif -%}
{% endmacro %}


{# What asks for --full-refresh, where the model's config lets dbt pass over that flag. #}
{% macro _as_the_config_has_it(text) %}
    {{- return(text ~ (' (its config has full_refresh: false, which goes before that flag: take it out for once)'
        if '--full-refresh' in text and config.get('full_refresh') is false else '')) -}}
{% endmacro %}
