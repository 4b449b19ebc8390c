{#
    Whether one of Iceberg's own catalogues holds views, by its settings, '' for its class: they say so only when a view
    is made, so what their documentation says is written down here. Amazon's two behind REST hold tables alone. Of those
    that do Spark 4.1 asks for views where Iceberg's extensions are set. They take a statement before Spark does, but
    none within an EXPLAIN. None where Spark is to be asked.
#}
{% macro _iceberg_holds_views(settings, extensions) %}
    {%- if not settings.get('', '').startswith('org.apache.iceberg.') %}{{- return(none) -}}{% endif -%}
    {%- set type = (settings.get('type') or settings.get('catalog-impl', 'hive').split('.')[-1]) | lower
        | replace('catalog', '') -%}
    {%- set held = settings.get('jdbc.schema-version', 'V0') | upper == 'V1' if type == 'jdbc'
        else type in ('hive', 'nessie')
            or (type == 'rest' and settings.get('rest.signing-name') not in ('glue', 's3tables')) -%}
    {%- if held and 'IcebergSparkSessionExtensions' not in extensions %}{{- return(none) -}}{% endif -%}
    {{- return(held) -}}
{% endmacro %}


{# Its extensions do where the catalogue is one of its classes, in the place of Spark's in a Hive metastore too. #}
{% macro _iceberg_makes_views(settings, extensions) %}
    {{- return(settings.get('', '').startswith('org.apache.iceberg.')
        and 'IcebergSparkSessionExtensions' in extensions) -}}
{% endmacro %}


{% macro _iceberg_made_view(information) %}
    {{- return('table_type=ICEBERG-VIEW' in information) -}}
{% endmacro %}


{# They keep the types of their columns as those of its tables, with variant and void among them. #}
{% macro _iceberg_view_problem(type) %}
    {{- return(event_windows._type_within(type, ['interval', 'time'])) -}}
{% endmacro %}
