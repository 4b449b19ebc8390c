{#
    What a report must know of a windowed model (_refreshed_model), and of its windows: the output that counts rows, if
    there is one; where final windows stand in the model itself, `published` (_windows_table) with the columns of key
    and bounds that it does not show, `hidden`, without which they cannot be asked for; where HAVING says which of the
    kept ones are shown, `kept` (the same); and the bounds of the rows to ask about, `bounds`: where rows have numbers
    these tell which were read. spec is none while dbt parses.
#}
{% macro _reported_model(relation) %}
    {%- if execute and not event_windows._found(relation) and event_windows._shown_state(relation) is none -%}
        {{ event_windows._raise('the report', [relation ~ ' is not there: run the model first']) }}
    {%- endif -%}
    {%- set asked = event_windows._refreshed_model('the report', relation, []) -%}
    {%- if asked.spec -%}
        {%- set final = asked.spec.emit == 'final' -%}
        {%- set filtered = asked.shown and asked.shown.having is not none -%}
        {%- set table = event_windows._windows_table(relation, []) if final or filtered else none -%}
        {%- set published = table if final else none -%}
        {%- set not_shown = published.shown.hidden if published and published.shown else [] -%}
        {%- do asked.update({
            'count': event_windows._row_counts(asked.spec) | first | default(none), 'published': published,
            'kept': none if final else table,
            'hidden': event_windows._known_key(asked.spec.key + ['window_start', 'window_end'])
                | select('in', not_shown) | list,
            'bounds': {'from': [], 'to': asked.progress.through}
                if asked.progress and asked.readable and not asked.spec.arrival else {}
        }) -%}
        {%- if not asked.readable %}{% do asked.spec.update({'relation': asked.relation}) %}{% endif -%}
    {%- endif -%}
    {{- return(asked) -}}
{% endmacro %}


{# Answers come as lines of JSON, each with the part of the answer that it is of: any adapter hands on text as it is. #}
{% macro _report_line(part, fields) %}
    {{- return("select '" ~ part ~ "' as part, to_json(" ~ event_windows._named_struct(fields) ~ ') as line') -}}
{% endmacro %}


{% macro _report_nothing() %}
    {{- return("select '' as part, '' as line where false") -}}
{% endmacro %}


{# The values of columns that a user knows as an array of texts; times are those of UTC, as on all of the page. #}
{% macro _report_texts(columns, spec, alias=none) %}
    {%- set texts = [] -%}
    {%- for column in event_windows._known_key(columns) -%}
        {%- set name = event_windows._names([column], alias) -%}
        {%- do texts.append('cast(' ~ (
            event_windows._from_micros('unix_micros(' ~ name ~ ')', 'timestamp_ntz')
            if event_windows._type_of(column, spec) == 'timestamp' else name
        ) ~ ' as string)') -%}
    {%- endfor -%}
    {{- return('cast(array(' ~ texts | join(', ') ~ ') as array<string>)') -}}
{% endmacro %}


{#
    The condition that columns have values given as text: {column: text}. `null` is a null, a time as the page shows it
    one in UTC unless it says otherwise. `of` has the {'columns': {name: type}}.
#}
{% macro _report_where(values, of) %}
    {%- set conditions, problems = [], [] -%}
    {%- for column, text in values.items() -%}
        {%- set name, type = event_windows._name(column), event_windows._type_of(column, of) -%}
        {%- if text == 'null' -%}
            {%- do conditions.append(name ~ ' is null') -%}
        {%- elif type in ('timestamp', 'timestamp_ntz') -%}
            {%- set not_said = [] -%}
            {%- set time = event_windows._time(column, "'" ~ text | replace("'", '') ~ "'", type, not_said) -%}
            {%- do conditions.append(name ~ ' = ' ~ time) -%}
            {%- if not_said -%}
                {%- do problems.append("column '" ~ column ~ "' holds times, and '" ~ text ~ "' is none: give one "
                    ~ "such as '2024-01-01 00:00:00', which is UTC unless it says otherwise, or null") -%}
            {%- endif -%}
        {%- else -%}
            {%- do conditions.append('cast(' ~ name ~ ' as string) = ' ~ event_windows._literal(text)) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if problems %}{{ event_windows._raise('the report', problems) }}{% endif -%}
    {{- return(conditions | join(' and ') or 'true') -}}
{% endmacro %}


{# {name: type} of the columns of what follows FROM; those of `wanted` that are not there go to `problems`. #}
{% macro _report_columns(sql, wanted, problems) %}
    {%- set columns = dict(event_windows._described('select * from ' ~ sql)) -%}
    {%- set names = columns.keys() | map('lower') | list -%}
    {%- for column in wanted if column is not none and column | lower not in names -%}
        {%- do problems.append("column '" ~ column ~ "' does not exist: the rows have "
            ~ columns.keys() | join(', ')) -%}
    {%- endfor -%}
    {{- return(columns) -}}
{% endmacro %}
