{#
    What the next run of the rollup that stands in does, as its model above is now. Returns a dict as _explained does,
    with

    rows     rows of the model above as they came and went since the last run; of a build those that there are
    groups   groups that it computes anew, or rows above where its SELECT has none
#}
{% macro _explained_rollup(node) %}
    {%- set told = event_windows._told_of(node) -%}
    {%- set existing = load_cached_relation(this) -%}
    {%- set why_full = event_windows._why_full(existing) -%}
    {%- if event_windows._explain_missing(node, why_full, told) %}{{- return(told) -}}{% endif -%}
    {%- set missing = event_windows._planner_not_there('the text of a rollup') -%}
    {%- if missing %}{{- return(dict(told, run='stops', why=[missing])) -}}{% endif -%}
    {%- set text = event_windows._text_of(node) -%}
    {%- set spec = event_windows._rollup_spec(text.sql) if text.sql is not none else none -%}
    {%- if not spec -%}
        {%- do told.notes.append('its text was not read, since ' ~ text.why_not ~ ', which only a run can do') -%}
    {%- endif -%}
    {%- if why_full %}{{- return(event_windows._explained_groups(spec, why_full, told)) -}}{% endif -%}
    {%- set stops = event_windows._rollup_problems(spec) -%}
    {%- if stops %}{{- return(dict(told, run='stops', why=stops)) -}}{% endif -%}
    {%- set record = event_windows._recorded_rollup(this) -%}
    {%- set behind = event_windows._changes_behind(record) -%}
    {%- set why = behind.get('why') or (event_windows._why_anew(spec, record) if spec else none) -%}
    {%- if why -%}
        {%- do event_windows._explained_groups(spec, why, told) -%}
    {%- elif behind.none -%}
        {%- do told.update({'rows': 0, 'groups': 0}) -%}
    {%- else -%}
        {%- do told.update({
            'rows': event_windows._counted('(' ~ behind.sql ~ ')'), 'refreshes': 1, 'commits': 1,
            'steps': ['touched', 'groups', 'merge', 'end']
        }) -%}
        {%- if spec %}{% do event_windows._explain_touched(spec, record, told) %}{% endif -%}
    {%- endif -%}
    {{- return(told) -}}
{% endmacro %}


{# A run that computes every group. #}
{% macro _explained_groups(spec, why, told) %}
    {%- set refused = event_windows._must_not_build(why) -%}
    {%- if refused -%}
        {%- do told.update({'run': 'stops', 'why': [refused]}) -%}
    {%- else -%}
        {%- do told.update({
            'run': 'full', 'why': ['it computes every group, since ' ~ why], 'refreshes': 1, 'commits': 1,
            'steps': ['build'], 'rows': event_windows._counted(event_windows._above_now(spec.above)) if spec else none
        }) -%}
    {%- endif -%}
    {{- return(told) -}}
{% endmacro %}


{# Which groups it computes anew, and what of the windows it reads for them. #}
{% macro _explain_touched(spec, record, told) %}
    {%- set run = {'statements': []} -%}
    {%- set every = '(' ~ event_windows._rollup_query(spec) ~ ')' if event_windows._log_outgrows(spec, record)
        else none -%}
    {%- set groups = event_windows._touched(spec, record, every) -%}
    {%- set touched = event_windows._few_touched(spec, groups, run) or '(' ~ groups ~ ')' -%}
    {%- set segments = event_windows._touched_segments(spec, run, touched) if every is none else none -%}
    {%- do told.update({
        'groups': event_windows._counted(touched), 'steps': (['groups'] if every is not none else []) + told.steps
    }) -%}
    {%- do told.notes.append(told.groups ~ (' row(s) above' if spec.several else ' group(s)') ~ ' are touched; '
        ~ ('it reads none of ' ~ spec.above.name if segments == 'false'
            else 'of the windows above it reads those with ' ~ segments if segments is not none
            else 'it reads all of ' ~ spec.above.name
            ~ (', and compares what they give with what is stored, since its log has more rows than it'
                if every is not none else ''))) -%}
{% endmacro %}


{% macro _counted(relation) %}
    {{- return(run_query('select count(*) as n from ' ~ relation ~ ' as counted').rows[0]['n'] | int) -}}
{% endmacro %}
