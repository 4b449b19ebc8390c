{#
    What a windows table records of itself, as properties of the table:

    event_windows.spec             what it holds, to notice a changed model
    event_windows.progress         {refresh, run_id, through}: the last refresh that was finished
    event_windows.pending.<run>    {refresh, run_id, started_at, full, from, to}: one that was begun, written before anything else

    A refresh is finished in the end by writing progress. Whoever finds a pending one that is not finished, finishes it
    with the same bounds first.
#}
{% macro _read_record(relation) %}
    {%- set record = {'spec': none, 'progress': none, 'pending': []} -%}
    {%- for name, value in event_windows._of_format('properties', relation).items() -%}
        {%- if name == 'event_windows.spec' -%}
            {%- do record.update({'spec': fromjson(value)}) -%}
        {%- elif name == 'event_windows.progress' -%}
            {%- do record.update({'progress': fromjson(value)}) -%}
        {%- elif name.startswith('event_windows.pending.') -%}
            {%- do record.pending.append(fromjson(value)) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set finished = record.progress.refresh if record.progress else 0 -%}
    {%- do record.update({'pending': record.pending | selectattr('refresh', 'gt', finished) | list}) -%}
    {{- return(record) -}}
{% endmacro %}


{# What of the spec decides what the table holds. #}
{% macro _fingerprint(spec) %}
    {%- set aggregates = {} -%}
    {%- for aggregate in spec.aggregates %}{% do aggregates.update({aggregate.name: aggregate.sql}) %}{% endfor -%}
    {{- return({
        'key': spec.key, 'event_time': spec.event_time, 'window': spec.window, 'aggregates': aggregates,
        'arrival_order': spec.arrival, 'partition': spec.partition, 'stream_time': spec.clock,
        'emit': spec.emit, 'retention': spec.retention, 'file_format': spec.file_format, 'segment': spec.segment
    }) -}}
{% endmacro %}


{# Stops where the table was built by another model text than this one. #}
{% macro _check_unchanged(spec, record) %}
    {%- set problems = [] -%}
    {%- if not record.spec -%}
        {%- do problems.append("the table " ~ this ~ " exists and was not built by materialized='windowed': run with --full-refresh to replace it") -%}
    {%- else -%}
        {%- for what, now in event_windows._fingerprint(spec).items() if tojson(record.spec[what], sort_keys=true) != tojson(now, sort_keys=true) -%}
            {%- do problems.append(what ~ ' was ' ~ tojson(record.spec[what]) ~ ' when the table was built and is ' ~ tojson(now)
                ~ ' now: run with --full-refresh to build it again, or change it back') -%}
        {%- endfor -%}
    {%- endif -%}
    {%- if problems -%}{{ event_windows._raise("model '" ~ model.name ~ "'", problems) }}{%- endif -%}
{% endmacro %}


{# Properties as they go into SQL. #}
{% macro _property_list(properties) %}
    {%- set pairs = [] -%}
    {%- for name, value in properties.items() -%}
        {%- do pairs.append("'" ~ name ~ "' = " ~ event_windows._literal(value if value is string else tojson(value))) -%}
    {%- endfor -%}
    {{- return(pairs | join(', ')) -}}
{% endmacro %}


{#
    Begins a refresh: writes down its bounds, so that it can be finished by anyone. Of two runs that begin the same refresh
    the one that wrote first goes on, the other stops before it has written anything else.
#}
{% macro _begin(relation, pending) %}
    {%- set name = 'event_windows.pending.' ~ pending.run_id -%}
    {%- do event_windows._of_format('set_properties', relation, {name: pending}) -%}
    {%- set rivals = [] -%}
    {%- for other in event_windows._read_record(relation).pending if other.refresh >= pending.refresh -%}
        {%- do rivals.append('event_windows.pending.' ~ other.run_id) -%}
    {%- endfor -%}
    {%- if rivals != [name] and event_windows._of_format('first_property', relation, rivals) != name -%}
        {%- do event_windows._of_format('unset_property', relation, name) -%}
        {{ event_windows._raise("model '" ~ model.name ~ "'", [
            'another run is refreshing ' ~ relation ~ ' at this moment: wait until it has ended and run again'
        ]) }}
    {%- endif -%}
{% endmacro %}


{# Ends a refresh. #}
{% macro _finish(relation, pending) %}
    {%- do event_windows._of_format('set_properties', relation, {
        'event_windows.progress': {'refresh': pending.refresh, 'run_id': pending.run_id, 'through': pending.to}
    }) -%}
    {%- do event_windows._of_format('unset_property', relation, 'event_windows.pending.' ~ pending.run_id) -%}
{% endmacro %}
