{#
    What there is of a model that a refresh would go on from. A catalogue need not list views, and then a model in plain
    SQL has its windows alone.
#}
{% macro _existing(relation) %}
    {%- set shown = load_cached_relation(relation) -%}
    {%- if shown is not none or event_windows._setting('emit') == 'final' %}{{- return(shown) -}}{% endif -%}
    {{- return(load_cached_relation(event_windows._beside(relation, 'state'))) -}}
{% endmacro %}
