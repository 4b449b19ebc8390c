{#
    What the next run of the rollup that stands in does, as its model above is now. Returns a dict as _explained does,
    with

    rows     rows of the model above as they came and went since the last run; of a build those that there are
    groups   groups that it computes anew
#}
{% macro _explained_rollup(node) %}
    {%- set told = event_windows._told_of(node) -%}
    {%- set text = event_windows._text_of(node) -%}
    {%- set missing = event_windows._functions_not_there(
        ['event_windows_plan'], 'the text of a rollup is read by', ''
    ) -%}
    {%- if missing or text.sql is none -%}
        {%- do told.update({'run': 'stops' if missing else told.run}) -%}
        {%- do (told.why if missing else told.notes).append(missing or 'what it would do is not told, since '
            ~ text.why_not ~ ', which only a run can do') -%}
        {{- return(told) -}}
    {%- endif -%}
    {%- if not event_windows._are_above_there(text.sql) -%}
        {%- do told.update({'run': 'full', 'why': ['it builds the table, since the model that it is over is not there '
            ~ 'yet: run that first']}) -%}
        {{- return(told) -}}
    {%- endif -%}
    {%- set spec = event_windows._rollup_spec(text.sql) -%}
    {%- set existing = load_cached_relation(this) -%}
    {%- set why_full = event_windows._why_full(existing) -%}
    {%- set properties = event_windows._properties(this) if existing is not none and not existing.is_view else {} -%}
    {%- set stops = [] -%}
    {%- if not why_full and 'event_windows.rollup' not in properties -%}
        {%- do stops.append('the table ' ~ this ~ " exists and was not built by materialized='rollup': run with "
            ~ '--full-refresh to replace it') -%}
    {%- elif not why_full -%}
        {%- do stops.extend(event_windows._rollup_changes(spec, fromjson(properties['event_windows.rollup']))) -%}
    {%- endif -%}
    {%- set record = event_windows._rollup_record(spec) if not why_full and not stops else none -%}
    {%- set why = why_full or (event_windows._why_anew(spec, record) if record else none) -%}
    {%- set refused = event_windows._must_not_build(why) -%}
    {%- if refused %}{% do stops.append(refused) %}{% endif -%}
    {%- if stops -%}
        {%- do told.update({'run': 'stops', 'why': stops}) -%}
    {%- elif why -%}
        {%- do told.update({
            'run': 'full', 'why': ['it computes every group, since ' ~ why], 'refreshes': 1, 'commits': 1,
            'steps': ['build'], 'rows': event_windows._counted(event_windows._above_now(spec.above))
        }) -%}
    {%- elif record.version | string == spec.above.version | string -%}
        {%- do told.update({'rows': 0, 'groups': 0}) -%}
    {%- else -%}
        {%- set rows = event_windows._above_changed(spec.above, record.version) -%}
        {%- set touched = '(select distinct * from (' ~ event_windows._touched(spec, record) ~ ') as touched)' -%}
        {%- do told.update({
            'rows': event_windows._counted(rows), 'groups': event_windows._counted(touched), 'refreshes': 1,
            'commits': 1, 'steps': ['touched', 'groups', 'merge', 'end']
        }) -%}
    {%- endif -%}
    {{- return(told) -}}
{% endmacro %}


{% macro _counted(relation) %}
    {{- return(run_query('select count(*) as n from ' ~ relation ~ ' as counted').rows[0]['n'] | int) -}}
{% endmacro %}


{# Whether a model that refreshes change is among the tables of a text. #}
{% macro _are_above_there(sql) %}
    {%- for parts in event_windows._rollup_plan(sql, {}).tables if parts | length > 1 -%}
        {%- set relation = event_windows._found(api.Relation.create(schema=parts[-2], identifier=parts[-1])) -%}
        {%- if relation and event_windows._stored_behind(relation) %}{{- return(true) -}}{% endif -%}
    {%- endfor -%}
    {{- return(false) -}}
{% endmacro %}
