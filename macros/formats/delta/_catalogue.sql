{# Delta has no catalogue of its own beside the session's. #}
{% macro _delta_holds_views(settings, extensions) %}
    {{- return(none) -}}
{% endmacro %}


{% macro _delta_makes_views(settings, extensions) %}
    {{- return(false) -}}
{% endmacro %}


{% macro _delta_made_view(information) %}
    {{- return(false) -}}
{% endmacro %}


{% macro _delta_view_problem(type) %}
    {{- return(none) -}}
{% endmacro %}
