{#
    Rows below the last number read, of a relation that is a SELECT or a view over one table with versions. That table
    is counted, which its metadata answers: all of its rows less those above a number are those up to it, and where
    they are as many as after the last refresh, no row has come below. Where they are not, the relation itself is
    counted, since its filters may leave out what came.
#}
{% macro _watch(spec, run, seen) %}
    {%- set before = run.previous.get('watched') -%}
    {%- set table = event_windows._watched_table(spec, before) -%}
    {%- if table and run.to -%}
        {%- set from, to = run.from[0][1] if run.from else none, run.to[0][1] -%}
        {%- set up_to = event_windows._count_up_to(run, table, [from, to] | reject('none') | list) -%}
        {%- if from is none -%}
            {%- do seen.update({'unread': 0}) -%}
        {%- elif before and before.table == table.table and before.rows == up_to[from] -%}
            {%- do seen.update({'unread': run.previous.rows + (run.previous.unseen or 0)}) -%}
        {%- else -%}
            {%- do seen.update({'unread': event_windows._count_read(spec, run)}) -%}
        {%- endif -%}
        {%- do table.update({'rows': up_to[to]}) -%}
    {%- endif -%}
    {#- what a build without rows (--empty) finds below says nothing of the next run -#}
    {%- do seen.update({'watched': none if flags.EMPTY else table}) -%}
{% endmacro %}


{# How many rows the relation has up to the last number read. #}
{% macro _count_read(spec, run) %}
    {%- set sql = 'select count(*) as n ' ~ event_windows._arrived_rows(spec, {'from': [], 'to': run.from}) | trim -%}
    {{- return(event_windows._row(run, 'bounds', sql)['n'] | int) -}}
{% endmacro %}


{#
    How many rows a table has up to each number, by number: all that it has, less those above, of which Spark reads only
    files that can hold some.
#}
{% macro _count_up_to(run, table, numbers) %}
    {%- set sql %}
select
    {%- for number in numbers | unique %}
    (select count(*) from {{ table.table }} where {{ table.column }} > {{ number }}) as `above_{{ number }}`,
    {%- endfor %}
    (select count(*) from {{ table.table }}) as total
    {%- endset -%}
    {%- set row = event_windows._row(run, 'bounds', sql) -%}
    {%- set found = {} -%}
    {%- for number in numbers -%}
        {%- do found.update({number: row['total'] | int - row['above_' ~ number] | int}) -%}
    {%- endfor -%}
    {{- return(found) -}}
{% endmacro %}


{#
    The table to watch, {'table', 'column', 'direct'}, as names in SQL; none where there is no such table now. What the
    last refresh recorded holds where the relation, which cannot have changed since, names the table itself; {} says
    that it names no single one. What it names may become another thing: a table a view, a view one over another query.
#}
{% macro _watched_table(spec, recorded) %}
    {%- if not spec.arrival or spec.partition or spec.source or spec.asks -%}
        {{- return(none) -}}
    {%- elif recorded is not none and (not recorded or recorded.direct) -%}
        {{- return(dict(recorded)) -}}
    {%- elif 'event_windows_plan' not in
        run_query("show user functions like 'event_windows_plan'").columns['function'].values() -%}
        {{- return(none) -}}
    {%- endif -%}
    {%- set found = namespace(below={
        'query': 'select * from ' ~ spec.relation, 'column': spec.arrival, 'namespace': none
    }) -%}
    {%- for level in range(20) if found.below.query -%}
        {%- set found.below = event_windows._table_below(found.below) -%}
        {%- if found.below.stored -%}
            {{- return({'table': found.below.table, 'column': found.below.column, 'direct': level == 0}) -}}
        {%- elif level == 0 and found.below.table is none -%}
            {{- return({}) -}}
        {%- endif -%}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}


{#
    What a query reads, one step down: {'table', 'column', 'stored' (it is a table with versions), 'query' and
    'namespace' (of a view)}.
#}
{% macro _table_below(above) %}
    {%- set below = {'table': none, 'column': none, 'stored': false, 'query': none, 'namespace': none} -%}
    {%- do below.update(event_windows._asked_planner(
        above.query, {'table_of': above.column, 'namespace': above.namespace}
    )) -%}
    {%- if below.table is none %}{{- return(below) -}}{% endif -%}
    {%- set found = event_windows._described_in_full(below.table) -%}
    {%- set said = found.said -%}
    {%- do below.update({'stored': said.get('Provider') in event_windows._formats()}) -%}
    {%- set text = event_windows._text_of_view(below.table, found) -%}
    {%- if text -%}
        {%- do below.update({'query': text, 'namespace': said.get('View Catalog and Namespace')}) -%}
    {%- endif -%}
    {{- return(below) -}}
{% endmacro %}


{#
    The text of a view, of which `found` is what _described_in_full has. Only one that is a model of this project is
    looked into: of any other the run may be allowed to read the view alone. So is none that names its columns anew.
#}
{% macro _text_of_view(view, found) %}
    {%- set output = (found.said.get('View Query Output Columns') or '') | replace('`', '') -%}
    {{- return(found.said.get('View Text') if output == '[' ~ found.columns | join(', ') ~ ']'
        and event_windows._is_model(view) else none) -}}
{% endmacro %}


{# Whether a name in SQL is that of a model of this project. #}
{% macro _is_model(name) %}
    {%- set plain = '.' ~ (name | replace('`', '') | lower) -%}
    {%- for node in graph.nodes.values() if node.resource_type == 'model'
        and plain.endswith(('.' ~ node.schema ~ '.' ~ node.alias) | lower) -%}
        {{- return(true) -}}
    {%- endfor -%}
    {{- return(false) -}}
{% endmacro %}
