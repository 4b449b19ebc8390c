{# An expression with the type it must have, where that is known. #}
{% macro _typed(expression, type) %}
    {{- return('cast(' ~ expression ~ ' as ' ~ type ~ ')' if type else expression) -}}
{% endmacro %}


{# The type of a column of the relation, none where it is not known yet: by its name without case, as in Spark. #}
{% macro _type_of(column, spec) %}
    {%- for name, type in spec.columns.items() if name | lower == column | lower -%}
        {{- return(type) -}}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}


{# {column: type} of some. #}
{% macro _types_of(columns, spec) %}
    {%- set types = {} -%}
    {%- for column in columns %}{% do types.update({column: event_windows._type_of(column, spec)}) %}{% endfor -%}
    {{- return(types) -}}
{% endmacro %}


{# That of the event time. Where the relation cannot be asked it is taken for a TIMESTAMP, see _new_rows. #}
{% macro _time_type(spec) %}
    {{- return('timestamp_ntz' if event_windows._type_of(spec.event_time, spec) == 'timestamp_ntz' else 'timestamp') -}}
{% endmacro %}


{#
    The first of some types, a pattern each, that a type is or holds. A field may well bear the name of a type: after a
    name comes a colon.
#}
{% macro _type_within(type, types) %}
    {%- set found = modules.re.search('(?:^|[<:,]\\s*)(' ~ types | join('|') ~ ')\\b(?!\\s*:)', type) -%}
    {{- return(found.group(1) if found else none) -}}
{% endmacro %}


{# Whether a type, or one of several with commas between, is or holds a floating number, which may be NaN. #}
{% macro _has_floats(type) %}
    {{- return(event_windows._type_within(type, ['double', 'float']) is not none) -}}
{% endmacro %}


{#
    Names of the fields within a type, as DESCRIBE has them or as they can be written in SQL. A name ends at its colon,
    so that of one that holds a colon or an angle bracket only a part is told.
#}
{% macro _field_names(type) %}
    {%- set simple = modules.re.sub('\\b(decimal|char|varchar|time)[(][0-9, ]+[)]', '\\1', type) -%}
    {{- return(modules.re.findall('[<,]\\s*`?([^<>:]+?)`?:', simple)) -}}
{% endmacro %}


{# Of which type, in it or as a whole, no table or set can find a value again; none if it can. #}
{% macro _cannot_be_found(type) %}
    {{- return(event_windows._type_within(type, ['map', 'variant', 'string collate'])) -}}
{% endmacro %}


{#
    A type as it can be written in SQL: DESCRIBE leaves out the backticks of fields. A field has a colon behind it, and
    what stands in brackets of a decimal has none.
#}
{% macro _written_type(described) %}
    {{- return(modules.re.sub(
        '(?<=[<,])((?![A-Za-z_][A-Za-z0-9_]*:)[^<>:,()`]+):', '`\\1`:', described
    )) -}}
{% endmacro %}


{#
    Whether that is so: of a field whose name has brackets, commas or colons a description does not tell where it ends.
#}
{% macro _can_be_written(type) %}
    {%- set simple = modules.re.sub('\\b(decimal|char|varchar|time|geometry|geography)[(][^()`]+[)]', 'x', type) -%}
    {%- set left = [modules.re.sub('`[^`]*`', 'x', simple)] -%}
    {%- set whole = 'array<W>|map<W,W>|struct<(W:W(,W:W)*)?>' | replace('W', ' *[A-Za-z0-9_][A-Za-z0-9_ ]*') -%}
    {%- for _ in range(type.count('<')) -%}
        {%- do left.append(modules.re.sub(whole, 'x', left[-1])) -%}
    {%- endfor -%}
    {{- return(modules.re.fullmatch('[A-Za-z0-9_ ]+', left[-1]) is not none) -}}
{% endmacro %}


{# Why no SQL can name a type that Spark describes; none if it can, or if the type is not known. #}
{% macro _why_not_written(type) %}
    {{- return('has a field with a comma, a colon, a bracket or a backtick in its name, of which Spark does not tell '
        ~ 'where it ends: give the field another name' if type and not event_windows._can_be_written(type)
        else none) -}}
{% endmacro %}
