{#
    Aggregates that keep values: lists, sets, and what needs all values to be exact. A window's row grows with the
    number of its values, or of its distinct ones. Lists are kept in order, so that they do not depend on how rows were
    cut.
#}
{% macro _catalogue_of_lists() %}
    {%- set list = {'values': ['collect_list({0}){filter}', 'array_sort(flatten(collect_list({part}){over}))']} -%}
    {%- set set = {'values': ['collect_set({row}){filter}', event_windows._merged_once()]} -%}
    {#- to Spark's collect_set no NaN is equal to another -#}
    {%- set every = 'flatten(collect_list({part}){over})' -%}
    {%- set of_floats = 'array_sort(concat(array_distinct(filter(' ~ every ~ ', v -> not isnan(v))), filter(' ~ every
        ~ ', v -> isnan(v))))' -%}
    {%- set placed = {'values': [
        'collect_list(named_struct(\'at\', {place}, \'value\', {0})){filter}',
        'array_sort(flatten(collect_list({part}){over}))'
    ]} -%}
    {%- set listed = "case when size({values}) > 0 then array_join(transform({sorted}, kept -> kept.value), "
        ~ "coalesce(cast({1} as string), '')) end" -%}
    {%- set listed_once = {
        'arguments': [1, 2], 'defaults': {1: "''"}, 'constants': [1], 'clauses': ['within'],
        'parts': {'values': [set['values'][0] | replace('{row}', 'cast({0} as string)'), set['values'][1]]},
        'final': "case when size({values}) > 0 then array_join({sorted}, coalesce(cast({1} as string), '')) end"
    } -%}
    {#- between the two values on both sides of (n - 1) * p, as Spark's percentile -#}
    {%- set lower, upper = 'get({sorted}, int(floor(at)))', 'get({sorted}, int(ceil(at)))' -%}
    {%- set between = 'case when size({values}) > 0 then transform(transform({points}, p -> (size({values}) - 1) * '
        ~ 'double(p)), at -> if(' ~ lower ~ ' = ' ~ upper ~ ', ' ~ lower ~ ', (ceil(at) - at) * ' ~ lower
        ~ ' + (at - floor(at)) * ' ~ upper ~ ')){point} end' -%}
    {%- set disc = 'case when size({values}) > 0 then transform({points}, p -> get({sorted}, '
        ~ 'greatest(int(ceil(size({values}) * double(p))) - 1, 0))){point} end' -%}
    {#-
        along the sorted values: the value, how often it came in a row, the one that came most
        often so far and how often
    -#}
    {%- set run = 'if(run.value = value, run.n + 1, 1)' -%}
    {%- set mode = "aggregate({sorted}, named_struct('value', get({sorted}, 0), 'n', 0, 'top', get({sorted}, 0), "
        ~ "'most', 0), (run, value) -> named_struct('value', value, 'n', " ~ run ~ ", 'top', if(" ~ run
        ~ " > run.most, value, run.top), 'most', greatest(" ~ run ~ ', run.most)), run -> run.top)' -%}
    {{ return({
        'collect_list': {
            'arguments': [1, 1], 'parts': placed, 'final': 'transform({values}, kept -> kept.value)',
            'only': '({0}) is not null',
            'instead': {'without order': {
                'of_type': '(?:.*[<:,]\\s*)?(?:map|variant)\\b(?!\\s*:)', 'fits_all': true, 'needs_order': true,
                'arguments': [1, 1], 'parts': {'values': [placed['values'][0], event_windows._merged_by_place()]},
                'final': 'transform({values}, kept -> kept.value)', 'only': '({0}) is not null'
            }}
        },
        'collect_list(distinct)': {'arguments': [1, 1], 'parts': set, 'only': '({0}) is not null'},
        'collect_set': {'arguments': [1, 1], 'parts': set, 'whole': 'array_sort({holistic})', 'instead': {'floats': {
            'of_type': '(float|double)', 'arguments': [1, 1], 'parts': {'values': [set['values'][0], of_floats]}
        }}},
        'listagg': {
            'arguments': [1, 2], 'defaults': {1: "''"}, 'constants': [1], 'clauses': ['within'],
            'parts': {'values': [placed['values'][0] | replace('{0}', 'cast({0} as string)'), placed['values'][1]]},
            'final': listed, 'only': '({0}) is not null'
        },
        'listagg(distinct)': dict(listed_once, instead={
            'collated': dict(
                listed_once, parts={'values': set['values'] | map('replace', '{row}', '{0}') | list},
                of_type='string collate', rare=true
            ),
            'by value': dict(
                listed_once, parts={'values': [
                    set['values'][0] | replace('{row}', "named_struct('at', {by}, 'value', cast({0} as string))"),
                    set['values'][1]
                ]},
                of_type='(?!string|char|varchar|binary)', fits_all=true, final=listed, only='({0}) is not null'
            )
        }),
        'count(distinct)': {'arguments': [1, 99], 'parts': set, 'final': 'bigint(size({values}))', 'only': '{present}'},
        'sum(distinct)': event_windows._and_over_text({
            'arguments': [1, 1], 'parts': set,
            'final': 'aggregate(slice({values}, 2, greatest(size({values}) - 1, 0)), '
                ~ 'cast(get({values}, 0) as {type}), (sum, value) -> cast(sum + value as {type}))',
            'instead': {'38 digits': dict(event_windows._distinct_entry(), of_type=event_windows._long_decimals())}
        }),
        'mode': {
            'arguments': [1, 2], 'constants': [1], 'parts': list, 'final': mode | replace('{sorted}', '{values}')
        },
        'mode(within)': {
            'arguments': [0, 0], 'clauses': ['within'], 'parts': event_windows._within(list), 'final': mode
        },
        'median': event_windows._and_over_text({
            'arguments': [1, 1], 'parts': list,
            'final': between | replace('{points}', 'array(0.5)') | replace('{point}', '[0]')
        }),
        'percentile': event_windows._and_over_text({
            'arguments': [2, 2], 'constants': [1], 'parts': list, 'final': between
        }),
        'percentile(3)': dict(event_windows._holistic_entry(), arguments=[3, 3], constants=[1]),
        'percentile_cont': event_windows._and_over_text({
            'arguments': [1, 1], 'constants': [0], 'clauses': ['within'], 'parts': event_windows._within(list),
            'final': between
        }),
        'percentile_disc': event_windows._and_over_text({
            'arguments': [1, 1], 'constants': [0], 'clauses': ['within'], 'parts': event_windows._within(list),
            'final': disc
        })
    }) }}
{% endmacro %}


{# The same parts over what WITHIN GROUP orders by. #}
{% macro _within(parts) %}
    {{- return({'values': parts['values'] | map('replace', '{0}', '{within}') | list}) -}}
{% endmacro %}
