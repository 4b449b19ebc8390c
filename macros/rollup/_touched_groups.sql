{#
    The groups that rows above fall into that changed since the last run: as the text itself says, without HAVING, over
    these rows as they came and went; or, where every group is there as it is now, those that are stored otherwise.
#}
{% macro _touched(spec, record, every) %}
select distinct {{ event_windows._names(spec.groups) }}
from (
{%- if every is none %}
{{ spec['keys'][0] }}{{ event_windows._above_changed(spec.above, record.version) }}{{ spec['keys'][1] }}
{%- else %}
{{ event_windows._unlike(spec.columns, every, this) }}
{%- endif %}
) as images
{% endmacro %}


{#
    Whether the log above has more rows than the table, since the store wrote files anew around what changed: to compute
    every group and to compare it with what is stored takes less then. Of a few rows it takes as long.
#}
{% macro _log_outgrows(spec, record, least=100000) %}
    {%- set above = spec.above -%}
    {{- return(event_windows._of_format(
        above.format, 'log_outgrows', above.stored, record.version, above.version, least
    )) -}}
{% endmacro %}


{#
    The same as a relation that is text, where they are few and come back from it as they are; else none. What is cached
    over a changelog Spark computes again with each statement: it does not take two reads of one for the same.
#}
{% macro _few_touched(spec, groups, run, most=10000) %}
    {%- set types, options = [], event_windows._json_options() -%}
    {%- for name in spec.groups -%}
        {%- do types.append(event_windows._name(name) ~ ': ' ~ spec.columns[name]) -%}
    {%- endfor -%}
    {%- set type = 'struct<' ~ types | join(', ') ~ '>' -%}
    {%- set line = 'struct(' ~ event_windows._names(spec.groups) ~ ')' -%}
    {%- set text = 'to_json(' ~ line ~ ', ' ~ options ~ ')' -%}
    {%- set conditions = [
        'count(*) <= ' ~ most,
        'coalesce(sum(length(' ~ text ~ ')), 0) <= ' ~ 100 * most,
        'coalesce(every(' ~ line ~ ' <=> from_json(' ~ text ~ ', ' ~ event_windows._literal(type) ~ ', ' ~ options
            ~ ')), true)'
    ] -%}
    {%- set lines = event_windows._row(
        run, 'touched',
        'select if(' ~ conditions | join(' and ') ~ ', to_json(collect_list(' ~ line ~ '), ' ~ options
            ~ '), null) as lines from (\n' ~ groups | trim
            ~ '\nlimit ' ~ (most + 1) ~ '\n) as few'
    )['lines'] -%}
    {{- return(none if lines is none else '(select inline(from_json(' ~ event_windows._literal(lines) ~ ', '
        ~ event_windows._literal('array<' ~ type ~ '>') ~ ', ' ~ options ~ ')))') -}}
{% endmacro %}
