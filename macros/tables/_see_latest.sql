{#
    What another session has committed to the tables beside the windows is seen from here on. A table that follows them
    is looked at in the end.
#}
{% macro _see_latest(spec, tables) %}
    {%- set model = [tables.model] if not event_windows._shows_state(spec) else [] -%}
    {%- for relation in [tables.clocks, tables.dropped, tables.runs] + model
        if relation != tables.windows and load_cached_relation(relation) is not none
        and not load_cached_relation(relation).is_view -%}
        {%- do event_windows._see(spec, relation) -%}
    {%- endfor -%}
{% endmacro %}


{# The same of one table, where the catalogue may keep what it was. #}
{% macro _see(spec, relation) %}
    {%- if spec.home.caches %}{% do event_windows._of_format(spec.file_format, 'latest', relation) %}{% endif -%}
{% endmacro %}
