{#
    One message for everything that is wrong with what was written: where, what is allowed,
    what was given, how to mend it. Before any write.
#}
{% macro _raise(where, problems) %}
    {{ exceptions.raise_compiler_error(
        "event_windows: " ~ where ~ " cannot be used as written; nothing was changed.\n  - "
            ~ (problems | join("\n  - "))
    ) }}
{% endmacro %}


{# One sentence about a run that cannot go on; what it wrote before is finished or undone by the next run. #}
{% macro _stop(sentence) %}
    {{ exceptions.raise_compiler_error("event_windows: model '" ~ model.name ~ "': " ~ sentence) }}
{% endmacro %}
