{# Delta has no catalogue of its own beside the session's. #}
{% macro _delta_holds_views(settings, extensions) %}
    {{- return(none) -}}
{% endmacro %}
