{#
    The tables of a model: what it shows, its windows, what stands beside them, the schema's ledger; and what one run
    works with, under names of its own, so that no two runs meet in them: slices of the new rows, cached in the session,
    and late rows, in a table that lives as long as the refresh.
#}
{% macro _tables(relation, emit='updates', plain=false) %}
    {%- set tables = {'model': relation} -%}
    {%- for table in ['state', 'stream_time', 'dropped', 'ew_clocks'] -%}
        {%- do tables.update({table: event_windows._beside(relation, table)}) -%}
    {%- endfor -%}
    {#- windows that may still change: in the model's own table, or beside it where that shows something else -#}
    {%- do tables.update({'windows': tables.state if emit == 'final' or plain else relation}) -%}
    {%- do tables.update({
        'clocks': tables.ew_clocks,
        'runs': relation.incorporate(path={'identifier': 'event_windows_runs'})
    }) -%}
    {%- set run = local_md5(relation ~ invocation_id)[:8] -%}
    {%- do tables.update({
        'late': event_windows._beside(relation, 'ew_late_' ~ run),
        'slices': event_windows._name(relation.identifier ~ '__ew_slices_' ~ run)
    }) -%}
    {%- do event_windows._at_slot(tables, none) -%}
    {{- return(tables) -}}
{% endmacro %}


{% macro _beside(relation, suffix) %}
    {{- return(relation.incorporate(path={'identifier': relation.identifier ~ '__' ~ suffix})) -}}
{% endmacro %}


{#
    The intent of what is due: the refresh after the last that ended, or a build in its place. A table that has not
    recorded an end yet is due under the number that its build took; of a table that is not there nothing ended.
#}
{% macro _at_slot(tables, progress, build=none) %}
    {%- set slot = progress.number + 1 if progress else ((build or {}).get('slot') or 0) -%}
    {%- do tables.update({
        'slot': slot,
        'intent': event_windows._intent_at(tables, slot),
        'due': {
            'generation': progress.generation if progress else (build.number if build else 0),
            'after': progress.number if progress else none
        }
    }) -%}
{% endmacro %}


{% macro _intent_at(tables, slot) %}
    {{- return(event_windows._beside(tables.model, 'ew_intent_' ~ slot)) -}}
{% endmacro %}
