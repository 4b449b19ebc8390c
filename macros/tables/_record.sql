{#
    What a windows table records of itself, as properties of the table:

    event_windows.spec            what it holds, to notice a changed model
    event_windows.build           {number, run_id, started_at, to, relation}: the build that made it, written in the
                                  same commit. Its number names the generation: all that stands beside the table and
                                  bears a lower one is of another table. The relation is as it was written, to be read
    event_windows.view            what the model shows of it, in short; in plain SQL only
    event_windows.shown           {columns, having, text: {sql, settings}}: the same in full, with its own text
    event_windows.progress.<n>    how far refresh n read, and what was there after it; the largest n counts, so that no
                                  slow run sets it back

    Numbers never start again: a build takes the time at which it began, in microseconds, or the next number if that is
    larger; a refresh takes the next one. So whatever a run of another generation writes bears a number that says so.
#}
{% macro _read_record(relation, format) %}
    {%- set latest = event_windows._of_format(format, 'latest', relation) -%}
    {%- if latest %}{% do run_query(latest) %}{% endif -%}
    {{- return(event_windows._record_in(event_windows._properties(relation))) -}}
{% endmacro %}


{#
    What properties say: {'spec', 'build', 'generation', 'progress' (of the last refresh that
    ended), 'ended', 'properties'}.
#}
{% macro _record_in(properties) %}
    {%- set record = {
        'spec': none, 'build': none, 'progress': none, 'view': none, 'shown': none, 'ended': [],
        'properties': properties
    } -%}
    {%- for name, value in properties.items() if name.startswith('event_windows.') -%}
        {%- if name == 'event_windows.spec' -%}
            {%- do record.update({'spec': fromjson(value)}) -%}
        {%- elif name == 'event_windows.view' -%}
            {%- do record.update({'view': value}) -%}
        {%- elif name == 'event_windows.shown' -%}
            {%- do record.update({'shown': fromjson(value)}) -%}
        {%- elif name == 'event_windows.build' -%}
            {%- do record.update({'build': fromjson(value)}) -%}
        {%- elif name.startswith('event_windows.progress.') -%}
            {%- do record.ended.append(fromjson(value)) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set generation = record.build.number if record.build else 0 -%}
    {%- set done = record.ended | selectattr('generation', 'equalto', generation) | sort(attribute='number') | list -%}
    {%- do record.update({'generation': generation, 'progress': done | last if done else none}) -%}
    {{- return(record) -}}
{% endmacro %}


{% macro _progress_name(number) %}
    {{- return('event_windows.progress.' ~ number) -}}
{% endmacro %}


{#
    What of the spec decides what the table holds. `layout` is one more whenever columns for bookkeeping, or the tables
    beside, change. The relation is part of it, and so are the types of the columns that are used: a changed filter, or
    a TIMESTAMP that became a TIMESTAMP_NTZ, would mix two meanings in one table.
#}
{% macro _fingerprint(spec) %}
    {%- set aggregates = {} -%}
    {%- for aggregate in spec.aggregates -%}
        {%- do aggregates.update({aggregate.name: event_windows._identity(aggregate)}) -%}
    {%- endfor -%}
    {%- set types = {} -%}
    {%- for column in spec.key + [spec.event_time, spec.arrival, spec.partition, spec.arrived_at] if column -%}
        {%- do types.update({column: event_windows._type_of(column, spec)}) -%}
    {%- endfor -%}
    {{- return({
        'layout': 2, 'relation': event_windows._compared_relation(spec), 'key': spec.key,
        'event_time': spec.event_time, 'types': types, 'window': spec.window, 'aggregates': aggregates,
        'arrival_order': spec.arrival, 'partition': spec.partition, 'stream_time': spec.clock, 'emit': spec.emit,
        'expire': spec.expire, 'retention': spec.retention, 'leaves_after': spec.leaves_after,
        'max_ahead': spec.max_ahead, 'arrived_at': spec.arrived_at, 'file_format': spec.file_format,
        'segment': spec.segment,
        'plain': none if spec.plain is none else (spec.plain if spec.emit == 'final' else 'view')
    }) -}}
{% endmacro %}


{# The relation; where its text depends on what the run does nothing of it can be compared. #}
{% macro _compared_relation(spec) %}
    {{- return('by is_windowed_run()' if 'is_windowed_run' in (model.raw_code or '')
        else event_windows._plain_relation(spec.relation)) -}}
{% endmacro %}


{# The record of the tables that are there, checked: they were built by the same model text as this one. #}
{% macro _record_of(spec, tables) %}
    {%- do event_windows._check_is_ours(tables) -%}
    {%- set record = event_windows._read_record(tables.windows, spec.file_format) -%}
    {%- do event_windows._check_unchanged(spec, record) -%}
    {#- a build that has not ended has not published yet: m may still be that of an older model -#}
    {%- if spec.emit == 'final' and record.progress -%}
        {%- set published = event_windows._read_record(tables.model, spec.file_format) -%}
        {%- do event_windows._check_unchanged(spec, published) -%}
        {%- if published.generation != record.generation -%}
            {{ event_windows._stop('the table ' ~ tables.model ~ ' was published by another build than that of '
                ~ tables.windows ~ ': run with --full-refresh to build both again') }}
        {%- endif -%}
    {%- endif -%}
    {%- if record.progress -%}
        {%- for beside, what in [[tables.clocks, 'its clocks'], [tables.dropped, 'its dropped rows']]
            if load_cached_relation(beside) is none -%}
            {{ event_windows._stop('the table ' ~ tables.windows ~ ' is there, and ' ~ beside ~ ' with ' ~ what
                ~ ' is not (a clone of the table alone, or one was dropped): run with --full-refresh to build all of '
                ~ 'them again') }}
        {%- endfor -%}
        {%- if event_windows._of_format(
            spec.file_format, 'set_back_since', tables.windows, record.progress.version, record.properties
        ) -%}
            {{ event_windows._stop('the table ' ~ tables.windows ~ ' was set back to an earlier state (restore or '
                ~ 'rollback) since the last refresh, and what stands beside it was not: run with --full-refresh') }}
        {%- endif -%}
    {%- else -%}
        {%- do event_windows._check_is_latest(tables, record) -%}
    {%- endif -%}
    {{- return(record) -}}
{% endmacro %}


{#
    A build that has not ended: the last one, unless one that was taken over has come to replace what a later one made.
    Iceberg lets it, and then the tables beside bear later numbers.
#}
{% macro _check_is_latest(tables, record) %}
    {%- for beside in [tables.clocks, tables.dropped] if load_cached_relation(beside) is not none -%}
        {%- set last = run_query('select max(_ew_refresh) as number from ' ~ beside).rows[0]['number'] -%}
        {%- if last is not none and last | int > record.generation -%}
            {{ event_windows._stop('a build that another run had taken over has come to replace the table '
                ~ tables.windows ~ ', which is older now than what stands beside it: run with --full-refresh') }}
        {%- endif -%}
    {%- endfor -%}
{% endmacro %}


{# What is beside the model's name was made by this package, in the way that the model now says. #}
{% macro _check_is_ours(tables) %}
    {%- if load_cached_relation(tables.windows) is none -%}
        {{ event_windows._raise("model '" ~ model.name ~ "'", [
            'its table ' ~ tables.windows ~ ' of windows is not there, though ' ~ tables.model
                ~ ' is: run with --full-refresh to build both again'
        ]) }}
    {%- endif -%}
{% endmacro %}


{% macro _check_unchanged(spec, record) %}
    {%- set problems = [] -%}
    {%- if not record.spec -%}
        {%- do problems.append("the table " ~ this ~ " exists and was not built by materialized='windowed': run with "
            ~ "--full-refresh to replace it") -%}
    {%- elif record.spec.layout != event_windows._fingerprint(spec).layout -%}
        {%- do problems.append("the table " ~ this ~ " was built by another version of the package, which kept other "
            ~ "columns beside it: run with --full-refresh to build it again") -%}
    {%- else -%}
        {%- for what, now in event_windows._fingerprint(spec).items()
            if tojson(record.spec[what], sort_keys=true) != tojson(now, sort_keys=true) -%}
            {%- do problems.append(what ~ ' was ' ~ tojson(record.spec[what]) ~ ' when the table was built and is '
                ~ tojson(now) ~ ' now: run with --full-refresh to build it again, or change it back') -%}
        {%- endfor -%}
    {%- endif -%}
    {%- if problems -%}{{ event_windows._raise("model '" ~ model.name ~ "'", problems) }}{%- endif -%}
{% endmacro %}


{# The record of what a full refresh is going to replace, none where there is nothing of ours: its numbers go on. #}
{% macro _record_there(spec, tables) %}
    {%- set there = load_cached_relation(tables.windows) -%}
    {%- if there is none or there.is_view %}{{- return(none) -}}{% endif -%}
    {%- set record = event_windows._read_record(tables.windows, spec.file_format) -%}
    {{- return(record if record.build else none) -}}
{% endmacro %}
