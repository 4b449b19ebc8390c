{# The tables of a model: its windows, what stands beside them, and the schema's ledger; and names for what a refresh caches. #}
{% macro _tables(relation) %}
    {%- set tables = {'windows': relation} -%}
    {%- for table in ['state', 'stream_time', 'dropped'] -%}
        {%- do tables.update({table: relation.incorporate(path={'identifier': relation.identifier ~ '__' ~ table})}) -%}
    {%- endfor -%}
    {%- do tables.update({'runs': relation.incorporate(path={'identifier': 'event_windows_runs'})}) -%}
    {%- set cached = event_windows._name((relation.schema ~ '__' ~ relation.identifier)) -%}
    {%- do tables.update({'slices': cached[:-1] ~ '__ew_slices`' if cached.endswith('`') else cached ~ '__ew_slices'}) -%}
    {%- do tables.update({'replayed': cached[:-1] ~ '__ew_replayed`' if cached.endswith('`') else cached ~ '__ew_replayed'}) -%}
    {{- return(tables) -}}
{% endmacro %}


{# A relation that is an ephemeral model exists only as a CTE of the compiled SQL: take it along, and check it now. #}
{% macro _bring_in_ephemeral(spec) %}
    {%- if model.extra_ctes -%}
        {%- do spec.update({'relation': '(with ' ~ model.extra_ctes | map(attribute='sql') | join(', ') ~ ' select * from ' ~ spec.relation ~ ')'}) -%}
    {%- endif -%}
    {%- if not spec.columns -%}
        {%- set problems = [] -%}
        {%- do event_windows._describe(spec, problems) -%}
        {%- if problems -%}{{ event_windows._raise("windowed(...) in model '" ~ model.name ~ "'", problems) }}{%- endif -%}
    {%- endif -%}
{% endmacro %}
