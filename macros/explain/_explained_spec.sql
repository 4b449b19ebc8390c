{#
    The spec of the model as its text is now. Where that cannot be had, the one that its table was built by, `recorded`,
    which the text is not compared with then; none where there is neither, which is told.
#}
{% macro _explained_spec(node, told) %}
    {%- set text = event_windows._text_of(node) -%}
    {%- if text.sql is none %}{{- return(event_windows._spec_it_was_built_by(text.why_not, told)) -}}{% endif -%}
    {%- set problem = event_windows._planner_of_models_not_there() if not event_windows._has_call(text.sql) -%}
    {%- if problem -%}
        {%- do told.why.append(problem) -%}
        {%- do told.update({'run': 'stops'}) -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- set spec = event_windows._spec_of(text.sql) -%}
    {%- do spec.update({'home': event_windows._home()}) -%}
    {%- do event_windows._check_can_be_windowed(spec) -%}
    {%- do event_windows._check_query_functions(spec) -%}
    {%- do event_windows._check_can_be_shown(spec) -%}
    {{- return(spec) -}}
{% endmacro %}


{# What a run counts and looks for needs no aggregates, so that they need not be known. #}
{% macro _spec_it_was_built_by(why_not, told) %}
    {%- do told.notes.append('its text was not read, since ' ~ why_not ~ ', which only a run can do: what is said here '
        ~ 'is of the model that its table was built by') -%}
    {%- set why_full = event_windows._why_full(event_windows._existing(this)) -%}
    {%- if why_full -%}
        {%- do told.update({'run': 'full', 'why': [why_full]}) -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- set asked = event_windows._refreshed_model('explain', this, [], whole=false) -%}
    {%- if not asked.readable or asked.relation is none -%}
        {%- do told.notes.append('its rows cannot be asked for: ' ~ (asked.relation or 'the relation that it reads')
            ~ ' is not there, or was not recorded') -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- set spec = dict(
        asked.spec, aggregates=[], replay=event_windows._choices([]).replay, skipped_rows='tell',
        home=event_windows._home()
    ) -%}
    {{- return(dict(spec, partition_parts=event_windows._partition_parts(spec), recorded=true)) -}}
{% endmacro %}
