{#
    What a windows table records of itself, as properties of the table:

    event_windows.spec             what it holds, to notice a changed model
    event_windows.progress         {refresh, run_id, through, scopes, clock}: the last refresh that was finished, how far it read, how many clocks there are, and the latest
    event_windows.pending.<run>    {refresh, run_id, started_at, full, from, to}: one that was begun, written before anything else; some
                                   stay for a while after they have ended

    A refresh is finished in the end by writing progress. Whoever finds a pending one that is not finished, finishes it
    with the same bounds first.
#}
{% macro _read_record(relation) %}
    {%- set record = {'spec': none, 'progress': none, 'pending': [], 'finished': []} -%}
    {%- for name, value in event_windows._of_format('properties', relation).items() -%}
        {%- if name == 'event_windows.spec' -%}
            {%- do record.update({'spec': fromjson(value)}) -%}
        {%- elif name == 'event_windows.progress' -%}
            {%- do record.update({'progress': fromjson(value)}) -%}
        {%- elif name.startswith('event_windows.pending.') -%}
            {%- do record.pending.append(fromjson(value)) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set last = record.progress.refresh if record.progress else 0 -%}
    {%- set begun = record.pending -%}
    {%- do record.update({
        'pending': begun | selectattr('refresh', 'gt', last) | list,
        'finished': begun | selectattr('refresh', 'le', last) | list
    }) -%}
    {{- return(record) -}}
{% endmacro %}


{# What of the spec decides what the table holds; `layout` is one more whenever the columns for bookkeeping change. #}
{% macro _fingerprint(spec) %}
    {%- set aggregates = {} -%}
    {%- for aggregate in spec.aggregates %}{% do aggregates.update({aggregate.name: event_windows._identity(aggregate)}) %}{% endfor -%}
    {{- return({
        'key': spec.key, 'event_time': spec.event_time, 'window': spec.window, 'aggregates': aggregates,
        'arrival_order': spec.arrival, 'partition': spec.partition, 'stream_time': spec.clock,
        'layout': 1, 'emit': spec.emit, 'expire': spec.expire, 'retention': spec.retention, 'leaves_after': spec.leaves_after, 'file_format': spec.file_format, 'segment': spec.segment
    }) -}}
{% endmacro %}


{# The record of the table that is there, checked: it was built by the same model text as this one. #}
{% macro _record_of(spec, tables) %}
    {%- set record = event_windows._read_record(tables.model) -%}
    {%- do event_windows._check_unchanged(spec, record) -%}
    {%- if tables.windows == tables.model %}{{- return(record) -}}{% endif -%}
    {%- if load_cached_relation(tables.windows) is none -%}
        {{ event_windows._raise("model '" ~ model.name ~ "'", ['its table ' ~ tables.windows ~ ' of windows that are still open is gone: run with --full-refresh to build both again']) }}
    {%- endif -%}
    {{- return(event_windows._read_record(tables.windows)) -}}
{% endmacro %}


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
        {%- do pairs.append("'" ~ name ~ "' = " ~ event_windows._literal(value if value is string else event_windows._unredacted_json(value))) -%}
    {%- endfor -%}
    {{- return(pairs | join(', ')) -}}
{% endmacro %}


{#
    JSON that SHOW TBLPROPERTIES gives back: Spark blots out a value in which it finds "url" or a word for a secret
    (spark.sql.redaction.options.regex, spark.redaction.regex), and a model's columns may well be called so. Two letters
    in each of these words are written as escapes, which means the same in JSON.
#}
{% macro _unredacted_json(value) %}
    {%- set text = namespace(json=tojson(value)) -%}
    {%- for letter, escape in {'r': '0072', 'R': '0052', 'k': '006b', 'K': '004b'}.items() -%}
        {#- not the r of an escape that is there already -#}
        {%- set text.json = modules.re.sub('(?<!\\\\)' ~ letter, '\\\\u' ~ escape, text.json) -%}
    {%- endfor -%}
    {{- return(text.json | replace('t\\u0072ue', 'true')) -}}
{% endmacro %}


{# The property that says that a refresh was begun. #}
{% macro _pending_name(pending) %}
    {{- return('event_windows.pending.' ~ pending.run_id) -}}
{% endmacro %}


{#
    Begins a refresh: writes down its bounds, so that it can be finished by anyone. Of two runs that begin the same refresh
    the one that wrote first goes on, the other stops before it has written anything else; it looks before it writes too,
    because a property that is set makes Delta refuse a MERGE that is under way.
#}
{% macro _begin(relation, pending) %}
    {%- set name = event_windows._pending_name(pending) -%}
    {%- if event_windows._rivals(relation, pending) -%}{{ event_windows._raise_rival(relation) }}{%- endif -%}
    {%- do event_windows._of_format('set_properties', relation, {name: pending}) -%}
    {%- set rivals = event_windows._rivals(relation, pending) -%}
    {%- if rivals != [name] and event_windows._of_format('first_property', relation, rivals) != name -%}
        {%- do event_windows._of_format('unset_properties', relation, [name]) -%}
        {{ event_windows._raise_rival(relation) }}
    {%- endif -%}
{% endmacro %}


{# The properties of refreshes that were begun with this number or a later one. #}
{% macro _rivals(relation, pending) %}
    {%- set record = event_windows._read_record(relation) -%}
    {%- if record.progress and record.progress.refresh >= pending.refresh -%}{{ event_windows._raise_rival(relation) }}{%- endif -%}
    {%- set rivals = [] -%}
    {%- for other in record.pending if other.refresh >= pending.refresh %}{% do rivals.append(event_windows._pending_name(other)) %}{% endfor -%}
    {{- return(rivals) -}}
{% endmacro %}


{% macro _raise_rival(relation) %}
    {{ event_windows._raise("model '" ~ model.name ~ "'", [
        'another run is refreshing ' ~ relation ~ ' at this moment: wait until it has ended and run again'
    ]) }}
{% endmacro %}


{# Whether a refresh is still to be finished: another run may have taken it for one that was killed, and finished it. #}
{% macro _is_pending(relation, pending) %}
    {{- return(pending.run_id in event_windows._read_record(relation).pending | map(attribute='run_id') | list) -}}
{% endmacro %}


{#
    Ends a refresh. What was written down of refreshes that have ended is taken away once there are ten of them: each change of
    the properties is a commit.
#}
{% macro _finish(relation, pending, progress) %}
    {%- do event_windows._of_format('set_properties', relation, {'event_windows.progress': progress}) -%}
    {%- set finished = event_windows._read_record(relation).finished -%}
    {%- if finished | length >= 10 -%}
        {%- set names = [] -%}
        {%- for ended in finished %}{% do names.append(event_windows._pending_name(ended)) %}{% endfor -%}
        {%- do event_windows._of_format('unset_properties', relation, names) -%}
    {%- endif -%}
{% endmacro %}


{# What is recorded of a refresh when it is finished; `clocks` has scopes and clock. #}
{% macro _progress(pending, clocks) %}
    {{- return({'refresh': pending.refresh, 'run_id': pending.run_id, 'through': pending.to, 'scopes': clocks.scopes, 'clock': clocks.clock}) -}}
{% endmacro %}
