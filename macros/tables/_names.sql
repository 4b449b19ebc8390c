{#
    The tables of a model: what it shows, its windows, what stands beside them, the schema's ledger; and what one run
    works with, cached in the session under names of its own, so that no two runs meet in them: slices of the new rows,
    and late rows.
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
        'late': event_windows._name(relation.identifier ~ '__ew_late_' ~ run),
        'slices': event_windows._name(relation.identifier ~ '__ew_slices_' ~ run),
        'rebuilt_late': event_windows._name(relation.identifier ~ '__ew_rebuilt_late_' ~ run),
        'rebuilt_slices': event_windows._name(relation.identifier ~ '__ew_rebuilt_slices_' ~ run)
    }) -%}
    {{- return(tables) -}}
{% endmacro %}


{% macro _beside(relation, suffix) %}
    {{- return(relation.incorporate(path={'identifier': relation.identifier ~ '__' ~ suffix})) -}}
{% endmacro %}
