{#
    What is told of a refresh under other settings than the build's, of those that decide what a text makes of the same
    rows: stored windows stay as they were counted. none where they are the same. Not of the time zone, which few texts
    ask for, and of which those are noted.
#}
{% macro _about_other_session(spec, record) %}
    {%- set now = spec.home.view_keeps -%}
    {%- set then = record.build.settings if record.build else none -%}
    {%- set differ = event_windows._other_session({'zone': now.zone, 'settings': then}, now) if then else [] -%}
    {{- return("since its build the session's settings have changed: " ~ differ | join(', ') ~ '. What was counted '
        ~ 'before stays as it was: give all runs the same settings (server_side_parameters of the profile), or run '
        ~ 'with --full-refresh' if differ else none) -}}
{% endmacro %}
