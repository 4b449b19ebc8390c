{#
    What the next run of the rollup that stands in does, told as of a windowed model, see _explained.sql; its new rows
    are windows above, or groups, as they came and went since.
#}
{% macro _explained_rollup(node, told) %}
    {%- set existing = load_cached_relation(this) -%}
    {%- set why_full = event_windows._why_full(existing) -%}
    {%- for above in event_windows._models_above(node) if not event_windows._found(above) -%}
        {%- do told.update({'run': 'full' if why_full else 'stops'}) -%}
        {%- do told.why.append(above ~ ', which it reads, is not there: run that first') -%}
        {{- return(told) -}}
    {%- endfor -%}
    {%- set text = event_windows._text_of(node) -%}
    {%- set spec = event_windows._rollup_spec(text.sql) if text.sql is not none else none -%}
    {%- if text.sql is none -%}
        {%- do told.notes.append('its text was not read, since ' ~ text.why_not ~ ', which only a run can do') -%}
    {%- endif -%}
    {%- if why_full -%}
        {{- return(event_windows._told_full(told, why_full)) -}}
    {%- endif -%}
    {%- set record = event_windows._rollup_record(spec) if spec else event_windows._recorded_rollup(this) -%}
    {%- set behind = event_windows._changes_behind(record) -%}
    {%- set why = behind.get('why') or (event_windows._why_anew(spec, record) if spec else none) -%}
    {%- if why %}{{- return(event_windows._told_full(told, why)) -}}{% endif -%}
    {%- if behind.none -%}
        {%- do told.update({'rows': 0}) -%}
        {{- return(told) -}}
    {%- endif -%}
    {%- do told.update({
        'rows': run_query('select count(*) as n from (' ~ behind.sql ~ ') as images').rows[0]['n'] | int,
        'refreshes': 1, 'commits': 1, 'steps': ['touched', 'groups', 'merge', 'end']
    }) -%}
    {%- if spec -%}
        {%- set touched = '(' ~ event_windows._touched(spec, record) ~ ') as touched' -%}
        {%- set groups = run_query('select count(*) as n from ' ~ touched).rows[0]['n'] | int -%}
        {%- set segments = event_windows._touched_segments(spec, {'statements': []}, touched) -%}
        {%- do told.notes.append(groups ~ (' row(s) above' if spec.several else ' group(s)') ~ ' are touched; '
            ~ ('of the windows above it reads those with ' ~ segments if segments is not none
                else 'it reads all of ' ~ spec.above.name)) -%}
    {%- endif -%}
    {{- return(told) -}}
{% endmacro %}


{% macro _told_full(told, why) %}
    {%- set refused = event_windows._must_not_build(why) -%}
    {%- do told.why.append(refused or 'it builds the table from all rows above, since ' ~ why) -%}
    {%- do told.update({
        'run': 'stops' if refused else 'full', 'refreshes': 0 if refused else 1, 'commits': 0 if refused else 1
    }) -%}
    {{- return(told) -}}
{% endmacro %}


{# The models that a node reads, as relations. #}
{% macro _models_above(node) %}
    {%- set found = [] -%}
    {%- for id in node.depends_on.nodes if id in graph.nodes and graph.nodes[id].resource_type == 'model'
        and graph.nodes[id].config.materialized != 'ephemeral' -%}
        {%- do found.append(api.Relation.create(
            schema=graph.nodes[id].schema, identifier=graph.nodes[id].alias or graph.nodes[id].name
        )) -%}
    {%- endfor -%}
    {{- return(found) -}}
{% endmacro %}
