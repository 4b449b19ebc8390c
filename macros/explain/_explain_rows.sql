{#
    New rows, in all and per partition; `all` where the first refresh takes only some of them. Returns how many have no
    arrival number.
#}
{% macro _explain_rows(spec, run, told, all=false) %}
    {%- set to = none if run.full or all else event_windows._new_bounds(run).to -%}
    {%- if run.full and not spec.arrival -%}
        {%- set now = event_windows._of_format(spec.source.format, 'source_version', spec.relation) -%}
        {%- set to = [[none, now.version]] if not spec.source.empty else [] -%}
    {%- endif -%}
    {%- set arrival = 'arrived.' ~ event_windows._name(spec.arrival) if spec.arrival else 'cast(null as bigint)' -%}
    {%- set sql %}
select
    {{ event_windows._arrival_partition(spec) }} as arrival_partition, count(*) as n,
    min({{ arrival }}) as arrival_from, max({{ arrival }}) as arrival_to, count_if({{ arrival }} is null) as unordered,
    {%- set arrived = 'min(arrived.' ~ event_windows._name(spec.arrived_at) ~ ')' if spec.arrived_at else 'null' %}
    cast({{ arrived }} as string) as arrived_at,
    cast(unix_timestamp(current_timestamp()) - unix_timestamp(cast({{ arrived }} as timestamp)) as bigint) as waiting
{{ event_windows._arrived_rows(spec, {'from': run.from, 'to': to}) | trim }}
{{ 'group by ' ~ event_windows._arrival_partition(spec) if spec.partition else 'having count(*) > 0' }}
order by arrival_partition
    {%- endset -%}
    {%- set rows, unordered, arrived, waiting = [], [], [], [] -%}
    {%- for row in event_windows._statement(run, 'bounds', sql) -%}
        {%- do rows.append(row['n'] | int) -%}
        {%- do unordered.append(row['unordered'] | int if spec.arrival else 0) -%}
        {%- if row['arrived_at'] is not none %}{% do arrived.append(row['arrived_at'] | string) %}{% endif -%}
        {%- if row['waiting'] is not none %}{% do waiting.append(row['waiting'] | int) %}{% endif -%}
        {%- if spec.arrival -%}
            {%- do told.arrivals.append({
                'partition': row['arrival_partition'], 'rows': row['n'] | int,
                'from': event_windows._number(row['arrival_from']), 'to': event_windows._number(row['arrival_to'])
            }) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do told.update({
        'rows': rows | sum, 'arrived': arrived | min if arrived else none, 'waiting': waiting | max if waiting else none
    }) -%}
    {{- return(unordered | sum) -}}
{% endmacro %}
