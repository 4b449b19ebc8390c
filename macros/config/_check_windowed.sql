{# What a run of a windowed model checks before it writes anything. #}
{% macro _check_can_be_windowed(spec, sql) %}
    {%- do event_windows._bring_in_ephemeral(spec) -%}
    {%- if not spec.arrival and not spec.source -%}
        {{ event_windows._raise("model '" ~ model.name ~ "'", [
            "materialized='windowed' must know which rows are new, and there is no arrival_order: name the column "
                ~ "that says in which order rows came in, or give as relation a table in "
                ~ event_windows._formats() | join(' or ') ~ ' (not a view or a SELECT), whose versions tell it'
        ]) }}
    {%- endif -%}
    {%- if config.get('contract').enforced -%}
        {%- do get_assert_columns_equivalent(spec.plain.check if spec.plain else sql) -%}
    {%- endif -%}
{% endmacro %}
