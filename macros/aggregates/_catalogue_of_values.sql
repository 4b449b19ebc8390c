{# Aggregates of which a window keeps a value or two: counts, sums, extremes, the first and the last, bits. #}
{% macro _catalogue_of_values() %}
    {%- set least = {
        'value': ['min_by({0}, {order:1}){filter}', 'min_by({part}, {by}){over}'],
        'by': ['min({order:1}){filter}', 'min({part}){over}']
    } -%}
    {%- set most = {
        'value': ['max_by({0}, {order:1}){filter}', 'max_by({part}, {by}){over}'],
        'by': ['max({order:1}){filter}', 'max({part}){over}']
    } -%}
    {%- set first = {
        'value': ['min_by({0}, {when}){filter}', 'min_by({part}, {at}){over}'],
        'at': ['min({when}){filter}', 'min({part}){over}']
    } -%}
    {%- set last = {
        'value': ['max_by({0}, {when}){filter}', 'max_by({part}, {at}){over}'],
        'at': ['max({when}){filter}', 'max({part}){over}']
    } -%}
    {#- a sum that did not fit stays null, whatever is added to it -#}
    {%- set checked = 'case when count_if({n} > 0 and {part} is null){over} = 0 then sum({part}){over} end' -%}
    {#-
        As many digits as Spark gives, and rounded once: what is divided has a type, {divided}, of which the quotient
        has the scale of the result. A sum that does not fit it leaves a rest by a division of whole numbers that does,
        of types whose quotient has digits enough without spark.sql.decimalOperations.allowPrecisionLoss too.
    -#}
    {%- set mean = 'coalesce(cast(try_divide(try_cast({sum} as {divided}), {n}) as {type}), '
        ~ 'cast(try_cast(try_divide(cast({sum} - {sum} % nullif({n}, 0) as decimal(38, 0)), '
        ~ 'try_cast({n} as decimal(10, 0))) as {whole}) '
        ~ '+ try_cast(try_divide(try_cast({sum} % nullif({n}, 0) as {divided}), {n}) as {fraction}) as {type}), '
        ~ 'cast({sum} / nullif({n}, 0) as {type}))' -%}
    {%- set counted = 'coalesce(sum({part}){over}, 0)' -%}
    {%- set values = ['count({0}){filter}', counted] -%}
    {%- set average = {
        'arguments': [1, 1],
        'parts': {
            'sum': ['sum({0} / 1){filter}', checked, 'sum({0}){filter}'],
            'n': values
        },
        'final': '{sum} / nullif({n}, 0)',
        'decimal': mean
    } -%}
    {{ return({
        'count': {'arguments': [1, 99], 'parts': {'n': ['count({all}){filter}', counted]}},
        'count_if': {'arguments': [1, 1], 'parts': {'n': ['count_if({0}){filter}', counted]}},
        'sum': {
            'arguments': [1, 1],
            'parts': {'sum': ['sum({0}){filter}', 'sum({part}){over}']},
            'instead': {'38 digits': {
                'of_type': event_windows._long_decimals(),
                'arguments': [1, 1],
                'parts': {'sum': ['sum({0}){filter}', checked], 'n': values},
                'final': '{sum}'
            }}
        },
        'try_sum': event_windows._and_over_text({
            'arguments': [1, 1],
            'parts': {
                'sum': ['try_sum({0}){filter}', checked | replace('sum(', 'try_sum(')],
                'n': values
            },
            'final': '{sum}'
        }),
        'avg': event_windows._and_over_text(average),
        'try_avg': event_windows._and_over_text(dict(
            average, parts={'sum': average.parts['sum'] | map('replace', 'sum(', 'try_sum(') | list, 'n': values}
        )),
        'min': {'arguments': [1, 1], 'parts': {'min': ['min({0}){filter}', 'min({part}){over}']}},
        'max': {'arguments': [1, 1], 'parts': {'max': ['max({0}){filter}', 'max({part}){over}']}},
        'min_by': {'arguments': [2, 2], 'parts': least, 'final': '{value}'},
        'max_by': {'arguments': [2, 2], 'parts': most, 'final': '{value}'},
        'first': {'arguments': [1, 2], 'parts': first, 'final': '{value}', 'clauses': ['nulls']},
        'last': {'arguments': [1, 2], 'parts': last, 'final': '{value}', 'clauses': ['nulls']},
        'bool_and': {'arguments': [1, 1], 'parts': {'all': ['bool_and({0}){filter}', 'bool_and({part}){over}']}},
        'bool_or': {'arguments': [1, 1], 'parts': {'any': ['bool_or({0}){filter}', 'bool_or({part}){over}']}},
        'bit_and': {'arguments': [1, 1], 'parts': {'bits': ['bit_and({0}){filter}', 'bit_and({part}){over}']}},
        'bit_or': {'arguments': [1, 1], 'parts': {'bits': ['bit_or({0}){filter}', 'bit_or({part}){over}']}},
        'bit_xor': {'arguments': [1, 1], 'parts': {'bits': ['bit_xor({0}){filter}', 'bit_xor({part}){over}']}}
    }) }}
{% endmacro %}
