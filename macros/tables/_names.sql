{#
    The tables of a model: what it shows, its windows, what stands beside them, the schema's ledger; and what one run
    works with, cached in the session under names of its own, so that no two runs meet in them: slices of the new rows,
    and late rows. Of a relation that a ref has limited they are whole. `asks`: they are those of a question, which need
    not write the model's name in its own case; the lines of a run's own are found by what each file of the ledger says.
#}
{% macro _tables(relation, emit='updates', plain=false, asks=false) %}
    {%- set relation = event_windows._with_all_rows(relation) -%}
    {%- set state = event_windows._beside(relation, 'state') -%}
    {#- windows that may still change: in the model's own table, or beside it where that shows something else -#}
    {%- set windows = state if emit == 'final' or plain else relation -%}
    {{- return({
        'model': relation, 'state': state, 'windows': windows, 'asks': asks,
        'stream_time': event_windows._beside(relation, 'stream_time'),
        'dropped': event_windows._beside(relation, 'dropped'), 'clocks': event_windows._beside(relation, 'ew_clocks'),
        'runs': relation.incorporate(path={'identifier': 'event_windows_runs'}),
        'slices': event_windows._name_of_run(relation, 'slices'), 'late': event_windows._name_of_run(relation, 'late'),
        'rebuilt_slices': event_windows._name_of_run(relation, 'rebuilt_slices'),
        'rebuilt_late': event_windows._name_of_run(relation, 'rebuilt_late')
    }) -}}
{% endmacro %}


{# A name in the session for what one run works with. #}
{% macro _name_of_run(relation, what) %}
    {{- return(event_windows._name(
        relation.identifier ~ '__ew_' ~ what ~ '_' ~ local_md5(relation ~ invocation_id)[:8]
    )) -}}
{% endmacro %}


{# A relation with all of its rows: not as dbt shows it with --empty, with --sample, or to a batch of a microbatch. #}
{% macro _with_all_rows(relation) %}
    {{- return(relation.incorporate(limit=none, event_time_filter=none)) -}}
{% endmacro %}


{% macro _beside(relation, suffix) %}
    {{- return(relation.incorporate(path={'identifier': relation.identifier ~ '__' ~ suffix})) -}}
{% endmacro %}


{#
    Which names beside a model, or that of the ledger, something else has, one sentence each: what a build finds there
    it replaces or takes for its own. A refresh has found its tables before; a node may have put its own in the place of
    the ledger since.
#}
{% macro _taken_names(tables, builds=true) %}
    {%- set problems = [] -%}
    {%- set makes = builds or load_cached_relation(tables.windows) is none -%}
    {%- set beside = [tables.state, tables.stream_time, tables.dropped, tables.clocks] if makes else [] -%}
    {%- for relation in beside + [tables.runs] -%}
        {%- set ledger = relation == tables.runs -%}
        {#- a column that such a table of the package has in every version -#}
        {%- set mark = 'keys_tracked' if ledger else '_ew_refresh' -%}
        {%- set kept = 'the name ' ~ relation ~ ' is kept for '
            ~ ('the ledger of the schema' if ledger else 'what stands beside the model') ~ ', and ' -%}
        {%- set node = event_windows._node_that_makes(relation) -%}
        {%- set there = load_cached_relation(relation) -%}
        {%- if node -%}
            {%- do problems.append(kept ~ node.resource_type ~ " '" ~ node.name ~ "' makes it: give "
                ~ ('that one' if ledger else 'one of the two') ~ ' another name or alias') -%}
        {%- elif makes and there is not none and not (
            relation == tables.stream_time and event_windows._may_read(there, tables.clocks) if there.is_view
            else mark in event_windows._columns_there(relation)
        ) -%}
            {%- do problems.append(kept ~ 'a ' ~ ('view' if there.is_view else 'table') ~ ' that the package has not '
                ~ 'made has it: rename or drop that one, or give the model another '
                ~ ('schema' if ledger else 'name or alias')) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(problems) -}}
{% endmacro %}


{# Whether a view reads a table, as far as the catalogue tells its text. #}
{% macro _may_read(view, table) %}
    {%- set told = view.information or '' -%}
    {{- return('View Text: ' not in told or (table.identifier | lower) in (told | lower)) -}}
{% endmacro %}


{# The node of the project that makes a relation; none if no node does. #}
{% macro _node_that_makes(relation) %}
    {%- for node in graph.nodes.values() if node.resource_type in ('model', 'snapshot', 'seed')
        and node.config.materialized != 'ephemeral' and node.schema | lower == relation.schema | lower
        and node.alias | lower == relation.identifier | lower -%}
        {{- return(node) -}}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}
