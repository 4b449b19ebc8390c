{# Fills in the types of columns and aggregates, and checks what only the relation can tell. #}
{% macro _describe(spec, problems) %}
    {%- do spec.columns.update(event_windows._described('select * from ' ~ spec.relation)) -%}
    {%- set types = {} -%}
    {%- for column, type in spec.columns.items() -%}
        {%- if column | lower in types -%}
            {%- do problems.append("the relation has two columns called '" ~ column ~ "', which Spark cannot tell "
                ~ "apart: rename one of them") -%}
        {%- endif -%}
        {%- do types.update({column | lower: type}) -%}
    {%- endfor -%}
    {%- set wanted = {} -%}
    {%- for column in spec.key %}{% do wanted.update({column: 'key'}) %}{% endfor -%}
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
    {%- do event_windows._check_types(spec, types, problems) -%}
    {%- if not problems -%}
        {%- do event_windows._describe_aggregates(spec) -%}
        {%- do event_windows._check_sets(spec, problems) -%}
        {%- if not problems and config.get('materialized') == 'windowed' -%}
            {%- do event_windows._check_stored(spec, problems) -%}
        {%- endif -%}
    {%- endif -%}
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
    {%- for name in spec.key + spec.aggregates | map(attribute='name') | list -%}
        {%- set why = event_windows._why_no_name(spec.file_format, name) -%}
        {%- if why %}{% do problems.append("column '" ~ name ~ "' " ~ why) %}{% endif -%}
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
    list, which has its type: of what no set can hold Spark would say so in words of its own.
#}
{% macro _describe_aggregates(spec) %}
    {%- set described = [] -%}
    {%- for aggregate in spec.aggregates -%}
        {%- for part in aggregate.parts -%}
            {%- do described.append([part, 'type', part.partial | replace('collect_set(', 'collect_list(', 1)]) -%}
            {%- if part.plain %}{% do described.append([part, 'plain_type', part.plain]) %}{% endif -%}
        {%- endfor -%}
        {%- for call in aggregate.calls %}{% do described.append([call, 'type', call.value]) %}{% endfor -%}
        {%- do described.append([aggregate, 'type', event_windows._around(aggregate, 'value')]) -%}
    {%- endfor -%}
    {%- set columns = [] -%}
    {%- for _, _, sql in described %}{% do columns.append(sql ~ ' as value_' ~ loop.index) %}{% endfor -%}
    {%- set types = event_windows._described(
        'select ' ~ columns | join(', ') ~ ' from ' ~ spec.relation
    ) | map('last') | list -%}
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
    {%- set others = event_windows._planned_by_type(spec) -%}
    {%- if others %}{% do event_windows._describe_aggregates(dict(spec, aggregates=others)) %}{% endif -%}
{% endmacro %}


{# Those aggregates for which the catalogue has another entry with the types of their values, planned anew. #}
{% macro _planned_by_type(spec) %}
    {%- set order = event_windows._arrival_order(spec) -%}
    {%- set others = [] -%}
    {%- for aggregate in spec.aggregates -%}
        {%- set types = {} -%}
        {%- set read = namespace(differs=false) -%}
        {%- for call in aggregate.calls -%}
            {%- do types.update({call.sql: call.type}) -%}
            {%- for pattern in call.instead if modules.re.match(pattern, call.type) -%}
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
