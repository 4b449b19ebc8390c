{# One message for everything that is wrong: where, what is allowed, what was given, how to mend it. #}
{% macro _raise(where, problems) %}
    {{ exceptions.raise_compiler_error(
        "event_windows: " ~ where ~ " cannot be used as written; nothing was changed.\n  - " ~ (problems | join("\n  - "))
    ) }}
{% endmacro %}
