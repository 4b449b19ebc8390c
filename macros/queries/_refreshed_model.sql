{#
    A windowed model with the table that its refreshes keep, for questions about the model as a whole and not only to
    what it shows: that is m, or m__state where m shows something else (emit='final', plain SQL).

    spec       as the steps of a refresh read it, over the relation that the model is over; none where there is nothing
               to ask: while dbt parses, and where it compiles before anything was built
    tables     of the model                            generation   number of its build
    progress   how far it was refreshed, none where no refresh has ended yet
    relation   the relation that the model is over, as it was written when it was built or has changed since, where that
               is recorded
    shown      what the table records of what the model shows; none for a call
    readable   whether its rows can be asked for: it is recorded, or given, and is there

    With `whole` it is refused where a table beside the windows is not there, as after a build that was killed.
#}
{% macro _refreshed_model(where, relation, problems, source=none, whole=true) %}
    {%- if relation is string or relation.render is not defined -%}
        {%- do problems.append('relation is ' ~ ('missing' if relation is none else "'" ~ relation ~ "'")
            ~ ": give a ref to a model with materialized='windowed'") -%}
    {%- endif -%}
    {%- if problems %}{{ event_windows._raise(where, problems) }}{% endif -%}
    {%- set asked = {
        'spec': none, 'tables': event_windows._tables(relation, asks=true), 'progress': none, 'relation': none,
        'shown': none, 'readable': false
    } -%}
    {%- if not execute or relation.is_cte %}{{- return(asked) -}}{% endif -%}
    {%- set found = event_windows._found(relation) -%}
    {%- set record = {} -%}
    {%- for windows in [event_windows._state_behind(relation, found), found] -%}
        {%- if windows and not windows.is_view and not record.spec -%}
            {%- do record.update(event_windows._recorded(windows)) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set of_another = event_windows._of_another_layout(record, relation) -%}
    {%- if of_another %}{{ event_windows._raise(where, [of_another]) }}{% endif -%}
    {%- if record.spec -%}
        {%- set recorded = (record.reads or record.build or {}).get('relation') -%}
        {#- the windows of plain SQL are over a SELECT that it was taken apart to, which the table records -#}
        {%- set rows = event_windows._recorded_relation(recorded) if source is none or record.spec.plain
            else event_windows._whole_relation(source) if source is string else event_windows._with_all_rows(source) -%}
        {%- set spec = event_windows._recorded_spec(record, rows) -%}
        {%- do asked.update({
            'spec': spec, 'progress': record.progress, 'generation': record.generation,
            'tables': event_windows._tables(relation, spec.emit, spec.plain is not none, asks=true),
            'relation': recorded, 'shown': record.shown,
            'readable': rows is not none and (spec.arrival is not none or spec.source is not none)
        }) -%}
        {%- for table in [asked.tables.dropped, asked.tables.clocks, asked.tables.runs] if whole -%}
            {%- if not event_windows._found(table) -%}
                {{ event_windows._raise(where, ['relation ' ~ relation ~ ' has not all of its tables: ' ~ table
                    ~ ' is not there, since its build has not ended, or it was dropped: run the model']) }}
            {%- endif -%}
        {%- endfor -%}
    {%- elif found or flags.WHICH not in ('compile', 'generate') -%}
        {{ event_windows._raise(where, ['relation ' ~ relation ~ " is no table of a windowed model: give a ref to a "
            ~ "model with materialized='windowed' that has been run"]) }}
    {%- endif -%}
    {{- return(asked) -}}
{% endmacro %}


{#
    The windows behind what a model shows; none where its own table has them, and where something else is in its place
    since, beside which they may have been left.
#}
{% macro _state_behind(relation, found) %}
    {%- set final = found and not found.is_view
        and event_windows._record_in(event_windows._own_properties(found)).spec.emit == 'final' -%}
    {{- return(event_windows._found(event_windows._beside(relation, 'state')) if final
        else event_windows._shown_state(relation)) -}}
{% endmacro %}


{#
    What a model is over, of the text that its build recorded: a table or view that is there still, a SELECT as text;
    none where nothing was recorded, or it is gone. A name may have its catalogue before it, and backticks.
#}
{% macro _recorded_relation(text) %}
    {%- if not text %}{{- return(none) -}}{% endif -%}
    {%- set relation = event_windows._relation_of_name(text.strip()) -%}
    {%- set found = event_windows._found(relation) if relation else none -%}
    {%- if found %}{{- return(found.incorporate(quote_policy=relation.quote_policy)) -}}{% endif -%}
    {#- a catalogue need not list views, nor does dbt find what another one holds -#}
    {{- return(relation or text if event_windows._said_against('select * from ' ~ text) is none else none) -}}
{% endmacro %}


{# A name in text as a relation: `t`, `s.t` or `c.s.t`, any of them in backticks; none where the text is no name. #}
{% macro _relation_of_name(text) %}
    {%- set part = '`(?:[^`]|``)+`|\\w+' -%}
    {%- if not modules.re.fullmatch('(?:' ~ part ~ ')(?:\\.(?:' ~ part ~ ')){1,2}', text) -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- set parts = modules.re.findall(part, text) -%}
    {%- set names = [] -%}
    {%- for given in parts -%}
        {%- do names.append(given[1:-1] | replace('``', '`') if given.startswith('`') else given) -%}
    {%- endfor -%}
    {#- a catalogue and its schema are one text to dbt-spark, which puts no backticks around either then -#}
    {%- set with_catalogue = parts | length == 3 -%}
    {{- return(api.Relation.create(
        schema=parts[:-1] | join('.') if with_catalogue else names[0], identifier=names[-1],
        quote_policy={
            'database': false, 'schema': parts[0].startswith('`') and not with_catalogue,
            'identifier': parts[-1].startswith('`')
        }
    )) -}}
{% endmacro %}
