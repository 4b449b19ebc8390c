{# A SELECT of a row or more where somebody has committed the number of a refresh, or a later one. #}
{% macro _taken(spec, tables, run) %}
    {%- set taken = [] -%}
    {%- for table in event_windows._bearing(spec, tables) -%}
        {%- do taken.append('select 1 from ' ~ table ~ ' where _ew_refresh >= ' ~ run.number) -%}
    {%- endfor -%}
    {%- if run.bare -%}
        {%- do taken.append(
            'select 1 from (' ~ event_windows._last_told(tables) ~ ') where number >= ' ~ run.number
        ) -%}
    {%- endif -%}
    {{- return(taken | join(' union all ')) -}}
{% endmacro %}


{# The tables whose rows bear the numbers of commits. #}
{% macro _bearing(spec, tables) %}
    {{- return([tables.windows] + ([tables.clocks] if spec.leaves_after is not none else [])) -}}
{% endmacro %}
