{#
    Whether one of Iceberg's own catalogues holds views, by its settings, '' for its class: they say so only when a view
    is made, so what their documentation says is written down here. Amazon's two behind REST hold tables alone.
#}
{% macro _iceberg_holds_views(settings) %}
    {%- if not settings.get('', '').startswith('org.apache.iceberg.') %}{{- return(none) -}}{% endif -%}
    {%- set type = (settings.get('type') or settings.get('catalog-impl', 'hive').split('.')[-1]) | lower
        | replace('catalog', '') -%}
    {%- if type == 'jdbc' %}{{- return(settings.get('jdbc.schema-version', 'V0') | upper == 'V1') -}}{% endif -%}
    {{- return(type in ('hive', 'nessie')
        or (type == 'rest' and settings.get('rest.signing-name') not in ('glue', 's3tables'))) -}}
{% endmacro %}
