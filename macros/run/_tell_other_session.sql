{#
    A refresh under other settings than the build's, of those that decide what a text makes of the same rows: stored
    windows stay as they were counted. Not of the time zone, which few texts ask for, and of which those are noted.
#}
{% macro _tell_other_session(spec, record) %}
    {%- set now = spec.home.view_keeps -%}
    {%- set then = record.build.settings if record.build else none -%}
    {%- set differ = event_windows._other_session({'zone': now.zone, 'settings': then}, now) if then else [] -%}
    {%- if differ -%}
        {%- do exceptions.warn("event_windows: model '" ~ model.name ~ "': since its build the session's settings have "
            ~ 'changed: ' ~ differ | join(', ') ~ '. What was counted before stays as it was: give all runs the same '
            ~ 'settings (server_side_parameters of the profile), or run with --full-refresh') -%}
    {%- endif -%}
{% endmacro %}
