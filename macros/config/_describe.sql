{# Fills in the columns of the relation. #}
{% macro _describe_columns(spec) %}
    {%- for name, type in event_windows._described('select * from ' ~ spec.relation) -%}
        {#- bookkeeping of a model above: of it only the number of a refresh says anything here -#}
        {%- if not (name | lower).startswith('_ew_') or name | lower == '_ew_refresh'
            or event_windows._is_among(name, event_windows._used_columns(spec)) -%}
            {%- do spec.columns.update({name: type}) -%}
        {%- else -%}
            {%- do spec.update({'leaves_out': true}) -%}
        {%- endif -%}
    {%- endfor -%}
{% endmacro %}


{# Fills in the types of columns and aggregates, and checks what only the relation can tell. #}
{% macro _describe(spec, problems) %}
    {%- do event_windows._describe_columns(spec) -%}
    {%- set types = {} -%}
    {%- for column, type in spec.columns.items() -%}
        {%- if column | lower in types -%}
            {%- do problems.append("the relation has two columns called '" ~ column ~ "', which Spark cannot tell "
                ~ "apart: rename one of them") -%}
        {%- endif -%}
        {%- do types.update({column | lower: type}) -%}
    {%- endfor -%}
    {%- set wanted = dict.fromkeys(spec.key, 'key') -%}
    {%- for role, column in {
        'event_time': spec.event_time, 'arrival_order': spec.arrival, 'partition': spec.partition,
        'arrived_at': spec.arrived_at
    }.items() if column -%}
        {%- do wanted.update({column: role}) -%}
    {%- endfor -%}
    {%- for column, role in wanted.items() if column | lower not in types -%}
        {%- do problems.append(role ~ " column '" ~ column ~ "' does not exist: allowed are "
            ~ (spec.columns.keys() | join(', '))) -%}
    {%- endfor -%}
    {%- for aggregate in spec.aggregates -%}
        {%- for column in aggregate.columns if column | lower not in types -%}
            {%- do problems.append("aggregate '" ~ aggregate.name ~ "' is \"" ~ aggregate.sql ~ "\": column '" ~ column
                ~ "' does not exist: allowed are " ~ (spec.columns.keys() | join(', '))) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- for column in event_windows._gap_columns(spec) if column | lower not in types -%}
        {%- do problems.append('gap_by is "' ~ spec.window.gap_by ~ "\": column '" ~ column
            ~ "' does not exist: allowed are " ~ (spec.columns.keys() | join(', '))) -%}
    {%- endfor -%}
    {%- do event_windows._check_types(spec, types, problems) -%}
    {%- if not problems %}{% do event_windows._check_time_zone(spec, problems) %}{% endif -%}
    {%- if not problems %}{% do event_windows._check_of_session(spec, problems) %}{% endif -%}
    {%- if not problems %}{% do event_windows._check_filters_of_session(spec, problems) %}{% endif -%}
    {%- if not problems -%}
        {%- set gap = event_windows._describe_aggregates(spec) -%}
        {%- if gap and (not gap.startswith('interval') or 'year' in gap or 'month' in gap) -%}
            {%- do problems.append('gap_by is "' ~ spec.window.gap_by ~ '": it is of type ' ~ gap ~ ': allowed is an '
                ~ "interval of days, hours, minutes and seconds, such as minutes * interval '1' minute") -%}
        {%- endif -%}
        {%- do event_windows._check_sets(spec, problems) -%}
        {%- if not problems and config.get('materialized') == 'windowed' -%}
            {%- do event_windows._check_stored(spec, problems) -%}
        {%- endif -%}
    {%- endif -%}
{% endmacro %}


{# The columns that a gap per row names. #}
{% macro _gap_columns(spec) %}
    {{- return(event_windows._named_columns(spec.window.gap_by or '')) -}}
{% endmacro %}


{# All columns that a model names. #}
{% macro _used_columns(spec) %}
    {%- set columns = spec.key + [spec.event_time, spec.arrival, spec.partition, spec.arrived_at]
        + event_windows._gap_columns(spec) -%}
    {%- for aggregate in spec.aggregates %}{% do columns.extend(aggregate.columns) %}{% endfor -%}
    {{- return(columns | reject('none') | list) -}}
{% endmacro %}


{# Types of the columns that windows are made by. #}
{% macro _check_types(spec, types, problems) %}
    {%- for role, column in {'event_time': spec.event_time, 'arrived_at': spec.arrived_at}.items() if column -%}
        {%- set type = types.get(column | lower) -%}
        {%- if type and type not in ('timestamp', 'timestamp_ntz') -%}
            {%- do problems.append(role ~ " column '" ~ column ~ "' is of type " ~ type ~ ': allowed are TIMESTAMP '
                ~ 'and TIMESTAMP_NTZ; cast it in the relation, in plain SQL where the time window takes it') -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set arrival = types.get(spec.arrival | lower) if spec.arrival else none -%}
    {%- if arrival and arrival not in ('tinyint', 'smallint', 'int', 'bigint') -%}
        {%- do problems.append("arrival_order column '" ~ spec.arrival ~ "' is of type " ~ arrival
            ~ ': allowed are whole numbers (an offset, a sequence number), unique and ascending; add one in '
            ~ 'the relation') -%}
    {%- endif -%}
    {%- for column in spec.key + ([spec.partition] if spec.partition else []) -%}
        {%- set type = types.get(column | lower) -%}
        {%- set refused = ['map', 'variant', 'void', 'interval', 'geometry', 'geography', 'time', 'string collate'] -%}
        {#- -0.0 within an array is the key 0.0 to GROUP BY, and another text where keys are told apart by text -#}
        {%- if type not in ('float', 'double') %}{% do refused.extend(['float', 'double']) %}{% endif -%}
        {%- if type and event_windows._type_within(type, refused) -%}
            {%- do problems.append(('key' if event_windows._is_among(column, spec.key) else 'partition')
                ~ " column '" ~ column ~ "' is of type " ~ type
                ~ ': allowed are numbers, text, dates, TIMESTAMP, TIMESTAMP_NTZ, booleans, binary, and arrays and '
                ~ 'structs of them but for floats; cast it in the relation') -%}
        {%- endif -%}
    {%- endfor -%}
    {#- how far each partition was read is written down as text -#}
    {%- set partition = types.get(spec.partition | lower) if spec.partition else none -%}
    {%- if partition and event_windows._type_within(partition, ['binary', 'array', 'struct']) -%}
        {%- do problems.append("partition column '" ~ spec.partition ~ "' is of type " ~ partition
            ~ ': allowed are numbers, text, dates, TIMESTAMP, TIMESTAMP_NTZ and booleans; take hex(...) or '
            ~ 'to_json(...) of it in the relation') -%}
    {%- endif -%}
    {%- set arrived, happened = types.get(spec.arrived_at | lower) if spec.arrived_at else none,
        types.get(spec.event_time | lower) -%}
    {%- if arrived and spec.max_ahead is not none and happened and arrived != happened
        and 'timestamp' in arrived and 'timestamp' in happened -%}
        {%- do problems.append("arrived_at column '" ~ spec.arrived_at ~ "' is of type " ~ arrived
            ~ ' and event_time is of type ' ~ happened ~ ': max_ahead compares them, and a TIMESTAMP_NTZ says no '
            ~ 'instant; cast one of them in the relation') -%}
    {%- endif -%}
{% endmacro %}


{#
    Spark takes the zones of its Java, and the constructor those of dbt's Python: one may know more than the other. What
    was built is known to both.
#}
{% macro _check_time_zone(spec, problems) %}
    {%- set zone = spec.window.get('time_zone', 'UTC') -%}
    {%- set is_built = config.get('materialized') == 'windowed' and not should_full_refresh()
        and load_cached_relation(this) is not none -%}
    {%- set is_asked = zone != 'UTC' and not is_built and event_windows._time_type(spec) != 'timestamp_ntz' -%}
    {%- if is_asked and event_windows._said_against(
        "select from_utc_timestamp(timestamp '2024-01-01', " ~ event_windows._literal(zone) ~ ')'
    ) -%}
        {%- do problems.append(event_windows._no_time_zone(zone) ~ ", which Spark's Java knows, too") -%}
    {%- endif -%}
{% endmacro %}


{#
    A function of the session that Spark does not take over many rows is none of the aggregates, though it stands where
    one would: a text with GROUP BY ALL may have it as a key. HAVING makes the query one of a group.
#}
{% macro _check_of_session(spec, problems) %}
    {%- for aggregate in spec.aggregates -%}
        {%- for call in aggregate.calls if call.of_session -%}
            {%- set said = event_windows._said_against(
                'select ' ~ call.of_session ~ ' as value from ' ~ spec.relation ~ ' having true'
            ) -%}
            {%- if said is not none -%}
                {%- do problems.append("aggregate '" ~ aggregate.name ~ "' is \"" ~ aggregate.sql ~ '": '
                    ~ call.of_session ~ " is not a function of Spark's own, and as an aggregate Spark does not take it"
                    ~ (' (' ~ said ~ ')' if said) ~ ': if it is to be a key, nobody can tell that it gives the same '
                    ~ 'each time: put it into the model that is read here') -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
{% endmacro %}


{# FILTER in functions of the session, of which those in Python take none: Spark knows which these are. #}
{% macro _check_filters_of_session(spec, problems) %}
    {%- set sparks = event_windows._names_of_aggregates(event_windows._catalogue())
        + event_windows._holistic_functions() -%}
    {%- for aggregate in spec.aggregates -%}
        {%- for call in aggregate.calls
            if call.holistic and call.holistic.filtered and call.holistic.sql.split('(')[0] not in sparks -%}
            {%- set why = event_windows._said_against('select ' ~ call.sql ~ ' from ' ~ spec.relation) -%}
            {%- if why -%}
                {%- do problems.append("aggregate '" ~ aggregate.name ~ "' is \"" ~ aggregate.sql ~ '": Spark does not '
                    ~ 'take ' ~ call.sql ~ ' (' ~ why ~ '): choose rows in the relation, or give the function nulls '
                    ~ 'for those that it is to pass over, as in if(condition, x, null)') -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
{% endmacro %}


{# What keeps each value once must find it again. #}
{% macro _check_sets(spec, problems) %}
    {%- for aggregate in spec.aggregates -%}
        {%- for part in aggregate.parts
            if part.partial.startswith('collect_set(') and event_windows._cannot_be_found(part.type) -%}
            {%- do problems.append("aggregate '" ~ aggregate.name ~ "' is \"" ~ aggregate.sql ~ '", for which a window '
                ~ 'keeps each value once, and no ' ~ part.type[6:-1] ~ ' can be found again: take to_json(...) of a '
                ~ 'map, or cast a text to string, in lower(...) where its collation takes no notice of case') -%}
        {%- endfor -%}
    {%- endfor -%}
{% endmacro %}


{# Whether a table of the model's format can hold what a window keeps for its aggregates. #}
{% macro _check_stored(spec, problems) %}
    {%- set kept = spec.key + spec.aggregates | map(attribute='name') | list -%}
    {#- others stand in the table of dropped rows -#}
    {%- for name in (kept + [spec.event_time] + event_windows._arrival_order(spec)) | unique -%}
        {%- set why = event_windows._why_no_name(spec.file_format, name, followed=name in kept) -%}
        {%- if why %}{% do problems.append("column '" ~ name ~ "' " ~ why) %}{% endif -%}
    {%- endfor -%}
    {%- for name in spec.key -%}
        {%- set type = event_windows._type_of(name, spec) -%}
        {%- set why = event_windows._why_no_type(spec.file_format, type, ': cast it in the relation') -%}
        {%- if why %}{% do problems.append("key column '" ~ name ~ "' " ~ why) %}{% endif -%}
    {%- endfor -%}
    {%- for aggregate in spec.aggregates -%}
        {%- set strange = event_windows._cannot_be_held(aggregate, spec.file_format) -%}
        {%- if strange -%}
            {%- set others = [] -%}
            {%- for format in event_windows._formats() if not event_windows._cannot_be_held(aggregate, format) -%}
                {%- do others.append(format) -%}
            {%- endfor -%}
            {%- do problems.append("aggregate '" ~ aggregate.name ~ "' is \"" ~ aggregate.sql ~ '", for which a window '
                ~ 'keeps ' ~ strange ~ ', and no table in ' ~ spec.file_format ~ ' can hold that: cast it within the '
                ~ 'aggregate, or in the relation' ~ (', or give file_format ' ~ others | join(' or ') if others)) -%}
        {%- endif -%}
        {%- for type in [aggregate.type] + aggregate.parts | map(attribute='type') | list
            if event_windows._why_not_written(type) -%}
            {%- set said = "aggregate '" ~ aggregate.name ~ "' is \"" ~ aggregate.sql ~ '": it '
                ~ event_windows._why_not_written(type) -%}
            {%- if said not in problems %}{% do problems.append(said) %}{% endif -%}
        {%- endfor -%}
    {%- endfor -%}
{% endmacro %}


{#
    The first type of an aggregate, or within one, that no table of a format can hold; none if it can hold all. A table
    that takes a collated text without its collation does not: Spark merges no text with another collation.
#}
{% macro _cannot_be_held(aggregate, format) %}
    {%- for type in [aggregate.type] + aggregate.parts | map(attribute='type') | list -%}
        {%- set problem = event_windows._of_format(format, 'type_problem', type)
            or event_windows._type_within(type, ['string collate']) -%}
        {%- if problem %}{{- return(problem ~ (' (' ~ type ~ ')' if type != problem else '')) -}}{% endif -%}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}


{#
    The type of each part and of each value: what Spark itself gives them over the plain rows. A set is asked for as a
    list, which has its type: of what no set can hold Spark would say so in words of its own. So it would of a part that
    takes no such argument, where another entry does: the catalogue knows its type. Returns the type of a gap per row,
    none without one.
#}
{% macro _describe_aggregates(spec) %}
    {%- set described = [] -%}
    {%- for aggregate in spec.aggregates -%}
        {%- for part in aggregate.parts if not part.type -%}
            {%- do described.append([part, 'type', part.partial | replace('collect_set(', 'collect_list(', 1)]) -%}
            {%- if part.plain %}{% do described.append([part, 'plain_type', part.plain]) %}{% endif -%}
        {%- endfor -%}
        {%- for call in aggregate.calls -%}
            {%- do described.append([call, 'type', call.value]) -%}
            {%- if call.argument -%}
                {%- do described.append([call, 'argument_type', 'any_value(' ~ call.argument ~ ')']) -%}
            {%- endif -%}
            {%- do call.update({'types_within': {}}) -%}
            {%- for column, path in call.within_expressions if event_windows._is_among(column, spec.columns or []) -%}
                {%- do described.append([call.types_within, path, 'any_value(' ~ path ~ ')']) -%}
            {%- endfor -%}
        {%- endfor -%}
        {%- do described.append([aggregate, 'type', event_windows._around(aggregate, 'value')]) -%}
    {%- endfor -%}
    {%- set gap = {} -%}
    {%- if spec.window.gap_by %}{% do described.append([gap, 'type', 'any_value(' ~ spec.window.gap_by ~ ')']) %}
    {%- endif -%}
    {%- set columns = [] -%}
    {%- for _, _, sql in described %}{% do columns.append(sql ~ ' as value_' ~ loop.index) %}{% endfor -%}
    {%- set types = event_windows._described(
        'select ' ~ columns | join(', ') ~ ' from ' ~ spec.relation
    ) | map('last') | list -%}
    {%- for what, name, _ in described %}{% do what.update({name: types[loop.index0]}) %}{% endfor -%}
    {%- for aggregate in spec.aggregates -%}
        {%- for part in aggregate.parts if part.plain and part.plain_type != 'bigint' -%}
            {%- do part.update({
                'partial': part.plain, 'guarded': part.plain_guarded, 'type': part.plain_type
            }) -%}
        {%- endfor -%}
        {%- for call in aggregate.calls -%}
            {%- do call.update({'final': call.decimal if call.type.startswith('decimal') else call.final}) -%}
        {%- endfor -%}
        {%- do aggregate.update({'final': event_windows._final(aggregate)}) -%}
    {%- endfor -%}
    {%- set others = event_windows._planned_by_type(spec) -%}
    {%- if others %}{% do event_windows._describe_aggregates(dict(spec, aggregates=others)) %}{% endif -%}
    {{- return(gap.type) -}}
{% endmacro %}


{# Those aggregates for which the catalogue has another entry with the types of their arguments, planned anew. #}
{% macro _planned_by_type(spec) %}
    {%- set order = event_windows._arrival_order(spec) -%}
    {%- set others = [] -%}
    {%- for aggregate in spec.aggregates -%}
        {%- set types = {} -%}
        {%- set read = namespace(differs=false) -%}
        {%- for call in aggregate.calls -%}
            {%- do types.update({call.sql: call.argument_type}) -%}
            {%- for pattern in call.instead if modules.re.match(pattern, call.argument_type) -%}
                {%- set read.differs = true -%}
            {%- endfor -%}
        {%- endfor -%}
        {%- if read.differs -%}
            {%- set plan = event_windows._plan_aggregates(
                {aggregate.name: aggregate.given}, spec.event_time, order, problems=[], types=types
            ) -%}
            {%- do aggregate.update(plan[0]) -%}
            {%- do others.append(aggregate) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(others) -}}
{% endmacro %}
