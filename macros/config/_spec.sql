{#
    The arguments of windowed(), see _given_arguments, and the model's config, checked all at once, as one plain dict
    that every step reads:

    relation    what follows FROM                    event_time  its column
    key         list of columns                      arrival     column or none
    window      what the constructor returned        partition   column or none
    aggregates  the plan, see _plan_aggregates       clock       key | partition | global
    columns     {column: type}, empty where the relation cannot be described yet
    source      {'format', 'empty'} of a relation that is a table with versions, none for anything else; empty: dbt
                reads it without its rows
    max_ahead   microseconds or none                 arrived_at  column or none
    retention   microseconds or none (unbounded)
    emit, expire, leaves_after, file_format, segment, skipped_rows, source_changes, replay: see
                _settings
    plain       what an analyst's own SQL shows of the windows, none for windowed()
    partition_parts     see _partition_parts
    null_keys   whether a null is a key like any other, as in an analyst's own GROUP BY

    `written` says of what of the model a message is.
#}
{% macro _spec(
    relation, key, event_time, window, aggregates, arrival_order, partition, stream_time, problems,
    written='windowed(...) in'
) %}
    {%- do event_windows._check_clock(arrival_order, partition, stream_time, problems) -%}
    {%- set order = event_windows._arrival_order({'arrival': arrival_order, 'partition': partition}) -%}
    {%- set plan = event_windows._plan_aggregates(aggregates, event_time | string, order, problems) -%}
    {%- do event_windows._check_names(key, aggregates, event_time, order, problems) -%}
    {%- set spec = {
        'relation': relation | string, 'key': key, 'event_time': event_time, 'window': window, 'aggregates': plan,
        'arrival': arrival_order, 'partition': partition, 'clock': stream_time, 'columns': {}, 'plain': none,
        'null_keys': false
    } -%}
    {%- do spec.update(event_windows._settings(spec, problems)) -%}
    {%- do spec.update({
        'source': event_windows._source(relation) if event_windows._is_running() and relation is not none else none
    }) -%}
    {%- if not problems and event_windows._is_running() and not event_windows._is_cte(relation) -%}
        {%- do event_windows._describe(spec, problems) -%}
    {%- elif not problems and execute and not event_windows._is_for_a_windowed_run() -%}
        {#- a run of a windowed model describes it later, see _bring_in_ephemeral; here nobody ever can -#}
        {%- if event_windows._has_columns_to_compile(relation) %}{% do event_windows._describe_columns(spec) %}
        {%- endif -%}
        {%- if event_windows._is_running() %}{% do event_windows._check_time_zone(spec, problems) %}{% endif -%}
        {%- do spec.update({'aggregates': event_windows._plan_aggregates(
            aggregates, event_time, order, problems, types=none
        )}) -%}
    {%- endif -%}
    {%- do spec.update({'partition_parts': event_windows._partition_parts(spec) if not problems else []}) -%}
    {%- if problems -%}{{ event_windows._raise(written ~ " model '" ~ model.name ~ "'", problems) }}{%- endif -%}
    {{- return(spec) -}}
{% endmacro %}


{#
    Whose clock closes windows, and that it can be told. Each partition has arrival numbers of its own, which say
    nothing of the order between rows of two partitions: one clock over several would depend on how rows are cut into
    refreshes.
#}
{% macro _check_clock(arrival_order, partition, stream_time, problems) %}
    {%- if stream_time not in ('key', 'partition', 'global') -%}
        {%- do problems.append("stream_time is '" ~ stream_time ~ "': allowed are 'key', 'partition', 'global'") -%}
    {%- elif stream_time == 'partition' and not partition -%}
        {%- do problems.append("stream_time is 'partition' but there is no partition: name the column in "
            ~ "partition=...") -%}
    {%- elif stream_time == 'global' and partition -%}
        {%- do problems.append("stream_time is 'global' and there is a partition: numbers of two partitions do not "
            ~ "say which row came first, so that one clock over all would depend on how rows are cut into refreshes; "
            ~ "give stream_time 'partition' or 'key', or leave partition out if the numbers are unique and ascending "
            ~ "over all rows") -%}
    {%- endif -%}
    {%- if partition and not arrival_order -%}
        {%- do problems.append("partition is '" ~ partition ~ "' but there is no arrival_order: name the column that "
            ~ "orders rows within a partition") -%}
    {%- endif -%}
{% endmacro %}


{# Names of the output must differ from each other and from the package's own. #}
{% macro _check_names(keys, aggregates, event_time, order, problems) %}
    {%- set taken = {'window_start': 'the start of the window', 'window_end': 'its end'} -%}
    {%- for column in keys -%}
        {%- if column | lower in taken -%}
            {%- do problems.append("key column '" ~ column ~ "' clashes with " ~ taken[column | lower]
                ~ ': rename it in the relation') -%}
        {%- endif -%}
        {%- do taken.update({column | lower: 'a key column'}) -%}
    {%- endfor -%}
    {%- for name in aggregates -%}
        {%- if name | lower in taken -%}
            {%- do problems.append("output name '" ~ name ~ "' clashes with " ~ taken[name | lower]
                ~ ': give the aggregate another name') -%}
        {%- elif (name | lower).startswith('_ew_') -%}
            {%- do problems.append("output name '" ~ name ~ "' begins with '_ew_', which is kept for the package: "
                ~ "give the aggregate another name") -%}
        {%- endif -%}
        {%- do taken.update({name | lower: "aggregate '" ~ name ~ "'"}) -%}
    {%- endfor -%}
    {%- for column in keys + [event_time] + order
        if column | string | lower in ('reason', 'stream_time', 'run_id', 'source_row') -%}
        {%- do problems.append("column '" ~ column ~ "' clashes with a column of the table of dropped rows: rename it "
            ~ "in the relation") -%}
    {%- endfor -%}
{% endmacro %}


{#
    The spec travels with the compiled SQL, as its last line, to the materialization; its first
    line says where the SQL begins. It is read in macros/run/_spec_of.sql. Comments nest in Spark: none may begin or end
    within it.
#}
{% macro _spec_comment(spec) %}
    {{- return('/* event_windows ' ~ (tojson(spec) | replace('/*', '/\\u002a') | replace('*/', '\\u002a/')) ~ ' */') -}}
{% endmacro %}
