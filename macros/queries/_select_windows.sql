{#
    The SELECT behind fetch, fetch_all and find_sessions; in the order of ends too, since
    windows of cumulating() share a start. A model in plain SQL answers with what it shows, which the session that asks
    must take as the one did that made it.
#}
{% macro _select_windows(table, conditions, order, reverse) %}
    {%- set directed = [] -%}
    {%- set shown = table.shown -%}
    {%- set alias = 'stored' if shown else none -%}
    {%- for column in ['window_start', 'window_end'] if not shown or column not in shown.hidden -%}
        {%- do directed.append(event_windows._names([column], alias) ~ (' desc' if reverse else '')) -%}
    {%- endfor -%}
    {%- if shown -%}
        {%- do event_windows._check_shown_alike(table) -%}
        {%- set order = order | reject('in', shown.hidden) | list -%}
        {%- if shown.having is not none -%}
            {%- set conditions = [event_windows._asked_of_spark(shown.having)] + conditions -%}
        {%- endif -%}
select
    {{- event_windows._select_columns(event_windows._shown_columns({'plain': shown})) }}
    {%- else -%}
select
    {% for column in table.columns -%}
        stored.{{ event_windows._name(column) }}{{ ',\n    ' if not loop.last }}
    {%- else -%}
        *
    {%- endfor %}
    {%- endif %}
from {{ table.sql }} as stored
{%- for condition in conditions %}
{{ 'where' if loop.first else '    and' }} {{ condition }}
{%- endfor %}
order by {{ event_windows._names_before(order, alias) }}{{ directed | join(', ') }}
{%- endmacro %}


{% macro _check_shown_alike(table) %}
    {%- if table.shown_by and event_windows._is_running() -%}
        {%- set otherwise = event_windows._why_shown_otherwise(
            table.shown_by, event_windows._told_session(event_windows._asked_session())
        ) -%}
        {%- if otherwise -%}
            {{ event_windows._raise('relation ' ~ table.relation, ['it ' ~ otherwise ~ ': ask in a session of the same '
                ~ 'settings, run the model in one of these, or read the model itself']) }}
        {%- endif -%}
    {%- endif -%}
{% endmacro %}


{#
    One condition per key column, all of them where the relation says what its key is; nothing where the relation cannot
    be asked, as while dbt parses. A null is a key like any other in plain SQL, and in tables that are no model's.
#}
{% macro _key_conditions(table, key, problems) %}
    {%- set conditions = [] -%}
    {%- set example = "a mapping from key column to SQL literal, such as {'user_id': \"'alice'\"}" -%}
    {%- if table.spec and not event_windows._known_key(table.spec.key) -%}
        {%- if key -%}
            {%- do problems.append("key is '" ~ key ~ "', and the model's windows have none: leave it out") -%}
        {%- endif -%}
        {{- return(conditions) -}}
    {%- elif not key and not table.spec and not table.columns and table.sql is not none -%}
        {{- return(conditions) -}}
    {%- elif key is not mapping or not key -%}
        {%- do problems.append('key is ' ~ ('missing' if key is none or key == {} else "'" ~ key ~ "'") ~ ': give '
            ~ example) -%}
        {{- return(conditions) -}}
    {%- endif -%}
    {%- set allowed = table.spec.key if table.spec
        else table.columns.keys() | reject('in', ['window_start', 'window_end']) | list -%}
    {%- set given = key.keys() | map('lower') | list -%}
    {%- for column in key if not event_windows._is_text(column) -%}
        {%- do problems.append("key has '" ~ column ~ "': give names of columns in text, " ~ example) -%}
    {%- endfor -%}
    {%- for column, value in key.items() if event_windows._is_text(column) -%}
        {%- if allowed and column | lower not in allowed | map('lower') | list -%}
            {%- do problems.append("unknown key column '" ~ column ~ "': allowed are " ~ allowed | join(', ')) -%}
        {%- elif value is none and table.spec and table.spec.plain is none -%}
            {%- do problems.append("key column '" ~ column ~ "' is none: rows with a null key are in no window; give "
                ~ example) -%}
        {%- endif -%}
        {%- set sql = event_windows._one_expression('null' if value is none else value) -%}
        {%- if value is iterable and value is not string -%}
            {%- do problems.append("key column '" ~ column ~ "' is '" ~ value ~ "', which is no single value; give "
                ~ example) -%}
        {%- elif sql.problem -%}
            {%- do problems.append("key column '" ~ column ~ "' is '" ~ value ~ "': " ~ sql.problem ~ '; give '
                ~ example) -%}
        {%- elif event_windows._lacks_quotes(sql.text) -%}
            {%- do problems.append("key column '" ~ column ~ "' is '" ~ value ~ "', which has no quotes: to SQL it is "
                ~ 'no value, but a name or a sum; give ' ~ example) -%}
        {%- endif -%}
        {%- set alone = modules.re.fullmatch("-?[\\w.]+|'(?:[^'\\\\]|\\\\.)*'", sql.text) -%}
        {%- do conditions.append(event_windows._has_key(
            table, column, sql.text if alone else '(' ~ sql.text ~ ')'
        )) -%}
    {%- endfor -%}
    {%- for column in (table.spec.key if table.spec else []) if column | lower not in given -%}
        {%- do problems.append("key column '" ~ column ~ "' is missing: give a SQL literal for each of "
            ~ table.spec.key | join(', ')) -%}
    {%- endfor -%}
    {{- return(conditions) -}}
{% endmacro %}


{# That a key column has a value. -0.0 is the key 0.0 to Spark, and to Iceberg lies below all files that hold it. #}
{% macro _has_key(table, column, value) %}
    {%- set condition = 'stored.' ~ event_windows._name(column) ~ ' <=> ' ~ value -%}
    {%- set type = event_windows._type_of(column, table) or '' -%}
    {{- return(event_windows._asked_of_spark(condition) if 'double' in type or 'float' in type else condition) -}}
{% endmacro %}


{# Whether text was meant as a value: none, a name alone, or what begins as a number and is none (a date, a hash). #}
{% macro _lacks_quotes(text) %}
    {%- set number = '[-+]?\\s*(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:e[-+]?\\d+)?(?:bd|[lsydf])?(?:::.*)?' -%}
    {%- set value = 'true|false|null|current_\\w+|session_user|localtimestamp|' ~ number -%}
    {{- return(modules.re.fullmatch(
        '(?i)(?!(?:' ~ value ~ ')$)(?:[^\\W\\d][\\w-]*|[-+.\\d][^\'"()]*)?', text
    ) is not none) -}}
{% endmacro %}


{#
    One bound of a range, as conditions on a column and, in a windows table, on the segment, which lets Spark read only
    the partitions asked for. `to_end` is how long after the bound a window ends at the earliest (for >=) or at the
    latest (for <=), none where nothing is known. In the body of a function a time may be null at run time: an open
    side.
#}
{% macro _bound(table, column, operator, time, to_end, nullable=false) %}
    {%- if time is none %}{{- return([]) -}}{% endif -%}
    {%- set conditions = ['stored.' ~ column ~ ' ' ~ operator ~ ' ' ~ time] -%}
    {%- if table.spec and to_end is not none -%}
        {%- set micros = event_windows._micros(time, event_windows._window_time_type(table))
            ~ (' + ' ~ to_end if to_end else '') -%}
        {%- do conditions.append('stored._ew_segment ' ~ operator ~ ' '
            ~ event_windows._segment('(' ~ micros ~ ')' if to_end else micros, table.spec.segment)) -%}
    {%- endif -%}
    {%- if not nullable %}{{- return(conditions) -}}{% endif -%}
    {%- set open = [] -%}
    {%- for condition in conditions %}{% do open.append('(' ~ time ~ ' is null or ' ~ condition ~ ')') %}{% endfor -%}
    {{- return(open) -}}
{% endmacro %}


{#
    How long after its start the last instant of a window comes: [at the earliest, at the latest], none where nothing
    says. The shown end of a window may be the instant after its last.
#}
{% macro _lengths(table) %}
    {%- if not table.spec %}{{- return([0, none]) -}}{% endif -%}
    {%- set least, most = event_windows._trait('lengths', table.spec) -%}
    {{- return([[least - (1 if event_windows._trait('exclusive_end', table.spec) else 0), 0] | max, most]) -}}
{% endmacro %}
