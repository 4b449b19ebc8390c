{#
    The arguments of windowed() and the model's config, checked all at once, as one plain dict that every step reads:

    relation    what follows FROM                    event_time  its column
    key         list of columns                      arrival     column or none
    window      what the constructor returned        partition   column or none
    aggregates  the plan, see _plan_aggregates       clock       key | partition | global
    columns     {column: type}, empty where the relation cannot be described yet
    retention   microseconds or none (unbounded)     emit, expire, leaves_after, file_format, segment
#}
{% macro _spec(relation, key, event_time, window, aggregates, arrival_order, partition, stream_time, unknown) %}
    {%- set problems = event_windows._unknown_options(
        'relation, key, event_time, window, aggregates, arrival_order, partition, stream_time', unknown) -%}
    {%- set keys = [key] if key is string else (key or []) -%}
    {%- if not keys -%}{%- do problems.append("key is missing: give a column name or a list of them") -%}{%- endif -%}
    {%- if event_time is not string -%}{%- do problems.append("event_time is missing: give the name of a TIMESTAMP or TIMESTAMP_NTZ column") -%}{%- endif -%}
    {%- if window is not mapping or 'type' not in window -%}
        {%- do problems.append("window is '" ~ window ~ "': give what a window constructor returns, such as event_windows.session(gap='30 minutes', grace='1 day')") -%}
    {%- endif -%}
    {%- if stream_time not in ('key', 'partition', 'global') -%}
        {%- do problems.append("stream_time is '" ~ stream_time ~ "': allowed are 'key', 'partition', 'global'") -%}
    {%- elif stream_time == 'partition' and not partition -%}
        {%- do problems.append("stream_time is 'partition' but there is no partition: name the column in partition=...") -%}
    {%- endif -%}
    {%- if partition and not arrival_order -%}
        {%- do problems.append("partition is '" ~ partition ~ "' but there is no arrival_order: name the column that orders rows within a partition") -%}
    {%- endif -%}
    {%- if aggregates is not mapping or not aggregates -%}
        {%- do problems.append("aggregates is missing: give a mapping from output name to aggregate call, such as {'page_views': 'count(*)'}") -%}
        {%- set aggregates = {} -%}
    {%- endif -%}
    {%- set order = [arrival_order, partition] | reject('none') | list -%}
    {%- set plan = event_windows._plan_aggregates(aggregates, event_time | string, order, problems) -%}
    {%- do event_windows._check_names(keys, aggregates, event_time, order, problems) -%}
    {%- set settings = event_windows._settings(window if window is mapping else {}, problems) -%}
    {%- if stream_time == 'partition' and partition and partition not in keys and (settings.emit == 'final' or settings.leaves_after is not none) -%}
        {%- do problems.append("stream_time is 'partition' and several partitions may feed one window, so that no single clock closes it: for "
            ~ "emit='final' and expire='delete' add the partition to key, or give stream_time 'key' or 'global'") -%}
    {%- endif -%}
    {%- set spec = {
        'relation': relation | string if relation is string else relation.render(),
        'key': keys, 'event_time': event_time, 'window': window, 'aggregates': plan,
        'arrival': arrival_order, 'partition': partition, 'clock': stream_time, 'columns': {}
    } -%}
    {%- do spec.update(settings) -%}
    {%- do spec.update({'source_format': event_windows._source_format(relation)}) -%}
    {%- if not problems and event_windows._can_describe(relation) -%}
        {%- do event_windows._describe(spec, problems) -%}
    {%- endif -%}
    {%- do event_windows._check_types_are_known(spec, problems) -%}
    {%- if problems -%}{{ event_windows._raise("windowed(...) in model '" ~ model.name ~ "'", problems) }}{%- endif -%}
    {{- return(spec) -}}
{% endmacro %}


{# Names of the output must differ from each other and from the package's own. #}
{% macro _check_names(keys, aggregates, event_time, order, problems) %}
    {%- set taken = {'window_start': 'the start of the window', 'window_end': 'its end'} -%}
    {%- for column in keys -%}
        {%- if column | lower in taken -%}
            {%- do problems.append("key column '" ~ column ~ "' clashes with " ~ taken[column | lower] ~ ': rename it in the relation') -%}
        {%- endif -%}
        {%- do taken.update({column | lower: 'a key column'}) -%}
    {%- endfor -%}
    {%- for name in aggregates -%}
        {%- if name | lower in taken -%}
            {%- do problems.append("output name '" ~ name ~ "' clashes with " ~ taken[name | lower] ~ ': give the aggregate another name') -%}
        {%- elif (name | lower).startswith('_ew_') -%}
            {%- do problems.append("output name '" ~ name ~ "' begins with '_ew_', which is kept for the package: give the aggregate another name") -%}
        {%- endif -%}
        {%- do taken.update({name | lower: "aggregate '" ~ name ~ "'"}) -%}
    {%- endfor -%}
    {%- for column in keys + [event_time] + order if column | string | lower in ('reason', 'stream_time', 'run_id', 'source_row') -%}
        {%- do problems.append("column '" ~ column ~ "' clashes with a column of the table of dropped rows: rename it in the relation") -%}
    {%- endfor -%}
{% endmacro %}


{# The relation can be asked for its columns once it exists; not while dbt parses, nor where it is a CTE of this query. #}
{% macro _can_describe(relation) %}
    {%- if not execute or flags.WHICH in ('compile', 'generate', 'parse', 'list') -%}{{- return(false) -}}{%- endif -%}
    {%- if relation is string -%}{{- return('__dbt__cte__' not in relation) -}}{%- endif -%}
    {{- return(not relation.is_cte) -}}
{% endmacro %}


{# The format of a relation that is a table with versions, none for anything else. #}
{% macro _source_format(relation) %}
    {%- if not execute or flags.WHICH in ('compile', 'generate') or relation is string or relation.is_cte -%}{{- return(none) -}}{%- endif -%}
    {%- set found = adapter.get_relation(database=relation.database, schema=relation.schema, identifier=relation.identifier) -%}
    {{- return('delta' if found and found.is_delta else none) -}}
{% endmacro %}


{# Fills in the types of columns and aggregates, and checks what only the relation can tell. #}
{% macro _describe(spec, problems) %}
    {%- for row in run_query('describe query select * from ' ~ spec.relation) -%}
        {%- do spec.columns.update({row['col_name']: row['data_type']}) -%}
    {%- endfor -%}
    {%- set types = {} -%}
    {%- for column, type in spec.columns.items() %}{% do types.update({column | lower: type}) %}{% endfor -%}
    {%- set wanted = {} -%}
    {%- for column in spec.key %}{% do wanted.update({column: 'key'}) %}{% endfor -%}
    {%- do wanted.update({spec.event_time: 'event_time'}) -%}
    {%- if spec.arrival %}{% do wanted.update({spec.arrival: 'arrival_order'}) %}{% endif -%}
    {%- if spec.partition %}{% do wanted.update({spec.partition: 'partition'}) %}{% endif -%}
    {%- for column, role in wanted.items() if column | lower not in types -%}
        {%- do problems.append(role ~ " column '" ~ column ~ "' does not exist: allowed are " ~ (spec.columns.keys() | join(', '))) -%}
    {%- endfor -%}
    {%- for aggregate in spec.aggregates -%}
        {%- for column in aggregate.columns if column | lower not in types -%}
            {%- do problems.append("aggregate '" ~ aggregate.name ~ "' is \"" ~ aggregate.sql ~ "\": column '" ~ column
                ~ "' does not exist: allowed are " ~ (spec.columns.keys() | join(', '))) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- set event_type = types.get(spec.event_time | lower) -%}
    {%- if event_type and event_type not in ('timestamp', 'timestamp_ntz') -%}
        {%- do problems.append("event_time column '" ~ spec.event_time ~ "' is of type " ~ event_type
            ~ ': allowed are TIMESTAMP and TIMESTAMP_NTZ; cast it in the relation') -%}
    {%- endif -%}
    {%- set arrival_type = types.get(spec.arrival | lower) if spec.arrival else none -%}
    {%- if arrival_type and arrival_type not in ('tinyint', 'smallint', 'int', 'bigint') -%}
        {%- do problems.append("arrival_order column '" ~ spec.arrival ~ "' is of type " ~ arrival_type
            ~ ': allowed are whole numbers (an offset, a sequence number), unique and ascending; add one in the relation') -%}
    {%- endif -%}
    {%- if not problems -%}{%- do event_windows._describe_aggregates(spec) -%}{%- endif -%}
{% endmacro %}


{# The type of each part and of each value: what Spark itself gives them over the plain rows. #}
{% macro _describe_aggregates(spec) %}
    {%- set described = [] -%}
    {%- for aggregate in spec.aggregates -%}
        {%- for part in aggregate.parts -%}
            {%- do described.append([part, 'type', part.partial]) -%}
            {%- if part.plain %}{% do described.append([part, 'plain_type', part.plain]) %}{% endif -%}
        {%- endfor -%}
        {%- for call in aggregate.calls %}{% do described.append([call, 'type', call.value]) %}{% endfor -%}
        {%- do described.append([aggregate, 'type', event_windows._around(aggregate, 'value')]) -%}
    {%- endfor -%}
    {%- set columns = [] -%}
    {%- for _, _, sql in described %}{% do columns.append(sql ~ ' as value_' ~ loop.index) %}{% endfor -%}
    {%- set types = run_query('describe query select ' ~ columns | join(', ') ~ ' from ' ~ spec.relation).columns['data_type'].values() | list -%}
    {%- for what, name, _ in described %}{% do what.update({name: types[loop.index0]}) %}{% endfor -%}
    {%- for aggregate in spec.aggregates -%}
        {%- for part in aggregate.parts if part.plain and part.plain_type != 'bigint' -%}
            {%- do part.update({'partial': part.plain, 'type': part.plain_type}) -%}
        {%- endfor -%}
        {%- for call in aggregate.calls -%}
            {%- do call.update({'final': call.decimal if call.type.startswith('decimal') else call.final}) -%}
        {%- endfor -%}
        {%- do aggregate.update({'final': event_windows._final(aggregate)}) -%}
    {%- endfor -%}
{% endmacro %}


{# The spec travels with the compiled SQL, as its last line, to the materialization; its first line says where the SQL begins. #}
{% macro _spec_comment(spec) %}
    {{- return('/* event_windows ' ~ (tojson(spec) | replace('*/', '*\\/')) ~ ' */') -}}
{% endmacro %}


{% macro _spec_of(sql) %}
    {%- set found = modules.re.fullmatch('(?s)(?:\\s|--[^\\n]*\\n|/\\*(?! event_windows ).*?\\*/)*/\\* event_windows \\*/\\s*with\\s.*/\\* event_windows (\\{.*?\\}) \\*/\\s*', sql) -%}
    {%- if not found or sql.count('/* event_windows {') != 1 -%}
        {{ event_windows._raise("model '" ~ model.name ~ "'", [
            "materialized='windowed' takes a model that is one call of event_windows.windowed(...) and nothing else: put what comes before it into the relation, what comes after it into a model that reads this one"
        ]) }}
    {%- endif -%}
    {{- return(fromjson(found.group(1))) -}}
{% endmacro %}
