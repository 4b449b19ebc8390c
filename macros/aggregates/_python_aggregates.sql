{#
    What a Python aggregate keeps: its state, and when its first row was, so that states are merged in the order of
    their rows. Three functions of the session stand behind one: plain functions, because Spark takes no Python
    aggregate beside its own.
#}
{% macro _python_entry(fn) %}
    {{- return({
        'fn': fn,
        'arguments': [1, 99],
        'parts': {
            'state': [
                fn ~ "__reduce(collect_list(named_struct('at', {when}, 'row', {fields})){filter})",
                fn ~ "__merge(collect_list(named_struct('at', {at}, 'state', {part})){over})"
            ],
            'at': ['min({when}){filter}', 'min({part}){over}']
        },
        'final': fn ~ '__finish({state})'
    }) -}}
{% endmacro %}


{#
    The functions of this session that are not Spark's: {'python', 'others'}, names of Python aggregates and of any
    other function. None where nothing runs now, as while dbt parses or compiles.
#}
{% macro _session_functions() %}
    {%- if not event_windows._is_running() %}{{- return(none) -}}{% endif -%}
    {%- set names = [] -%}
    {%- for row in run_query('show user functions') -%}
        {%- do names.append(row['function'].split('.')[-1] | lower) -%}
    {%- endfor -%}
    {%- set python, others = [], [] -%}
    {%- for name in names if not name.startswith('event_windows_') -%}
        {%- set stem = modules.re.sub('__(reduce|merge|finish)$', '', name) -%}
        {%- if stem ~ '__merge' not in names -%}
            {%- do others.append(name) -%}
        {%- elif name == stem -%}
            {%- do python.append(name) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return({'python': python, 'others': others}) -}}
{% endmacro %}


{# What must not change in a table that is there: the text of an aggregate, and what depends on types. #}
{% macro _identity(aggregate) %}
    {%- set types = [] -%}
    {%- for part in aggregate.parts if '__merge(' in part.merge -%}
        {%- do types.append('state ' ~ part.type) -%}
    {%- endfor -%}
    {%- do types.extend(aggregate.instead | unique) -%}
    {{- return(aggregate.sql ~ (' (' ~ types | join(', ') ~ ')' if types else '')) -}}
{% endmacro %}
