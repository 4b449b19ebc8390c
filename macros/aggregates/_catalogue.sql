{#
    Every aggregate that can be merged from partials, one entry a function; fn(distinct) where DISTINCT is one of its own.

    arguments  how many it takes, [least, most]
    parts      what is kept for a window: {suffix: [partial over rows, merge over partials]}; a third text is the partial
               where Spark gives that one another type than bigint. A suffix has no underscore.
    final      the value from the parts; absent where there is one part and it is the value
    decimal    the final where Spark gives the value a decimal type
    only       which rows count, besides those that FILTER lets through
    defaults   {place: text} of arguments that may be left out
    constants  places of arguments that cannot be columns
    clauses    what may follow the brackets besides FILTER: nulls, within

    Words in these texts: {0}, {1} an argument; {all} all as written; {row} the argument, or all as a struct; {when} the row's place
    in time: event time, then arrival; {order:1} an argument, then arrival; {filter} FILTER, after each aggregate call
    of a partial; {part} the part itself, {<suffix>} another part; {over} after each aggregate call of a merge: nothing where
    partials are grouped, an OVER clause where they are summed up along a window's slices; {type} the value's type.
    A part has the type that Spark gives its partial, a final the type that Spark gives the aggregate.
#}
{% macro _catalogue() %}
    {%- set catalogue = event_windows._catalogue_of_values() -%}
    {%- do catalogue.update(event_windows._catalogue_of_statistics()) -%}
    {%- do catalogue.update(event_windows._catalogue_of_lists()) -%}
    {%- do catalogue.update(event_windows._catalogue_of_sketches()) -%}
    {{- return(catalogue) -}}
{% endmacro %}


{% macro _catalogue_of_values() %}
    {%- set least = {'value': ['min_by({0}, {order:1}){filter}', 'min_by({part}, {by}){over}'], 'by': ['min({order:1}){filter}', 'min({part}){over}']} -%}
    {%- set most = {'value': ['max_by({0}, {order:1}){filter}', 'max_by({part}, {by}){over}'], 'by': ['max({order:1}){filter}', 'max({part}){over}']} -%}
    {%- set first = {'value': ['min_by({0}, {when}){filter}', 'min_by({part}, {at}){over}'], 'at': ['min({when}){filter}', 'min({part}){over}']} -%}
    {%- set last = {'value': ['max_by({0}, {when}){filter}', 'max_by({part}, {at}){over}'], 'at': ['max({when}){filter}', 'max({part}){over}']} -%}
    {#- a sum that did not fit stays null, whatever is added to it -#}
    {%- set checked = 'case when count_if({n} > 0 and {part} is null){over} = 0 then sum({part}){over} end' -%}
    {#- as many digits as Spark gives: Spark divides a sum with the scale of the result, which fits in most cases -#}
    {%- set mean = 'coalesce(cast(cast({sum} as {type}) / nullif({n}, 0) as {type}), cast({sum} / nullif({n}, 0) as {type}))' -%}
    {%- set counted = 'coalesce(sum({part}){over}, 0)' -%}
    {{ return({
        'count': {'arguments': [1, 99], 'parts': {'n': ['count({all}){filter}', counted]}},
        'count_if': {'arguments': [1, 1], 'parts': {'n': ['count_if({0}){filter}', counted]}},
        'sum': {'arguments': [1, 1], 'parts': {'sum': ['sum({0}){filter}', 'sum({part}){over}']}},
        'try_sum': {
            'arguments': [1, 1],
            'parts': {'sum': ['try_sum({0}){filter}', checked | replace('sum(', 'try_sum(')], 'n': ['count({0}){filter}', counted]},
            'final': '{sum}'
        },
        'avg': {
            'arguments': [1, 1],
            'parts': {'sum': ['sum({0} / 1){filter}', checked, 'sum({0}){filter}'], 'n': ['count({0}){filter}', counted]},
            'final': '{sum} / nullif({n}, 0)',
            'decimal': mean
        },
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


{# Other names of the same functions, as in Spark SQL, and DISTINCT where it makes no difference. #}
{% macro _aliases() %}
    {{ return({
        'mean': 'avg', 'try_avg': 'avg', 'every': 'bool_and', 'some': 'bool_or', 'any': 'bool_or',
        'first_value': 'first', 'last_value': 'last', 'any_value': 'first',
        'std': 'stddev_samp', 'stddev': 'stddev_samp', 'variance': 'var_samp',
        'array_agg': 'collect_list', 'string_agg': 'listagg', 'percentile_approx': 'approx_percentile',
        'min(distinct)': 'min', 'max(distinct)': 'max', 'bool_and(distinct)': 'bool_and', 'every(distinct)': 'bool_and',
        'bool_or(distinct)': 'bool_or', 'some(distinct)': 'bool_or', 'any(distinct)': 'bool_or',
        'bit_and(distinct)': 'bit_and', 'bit_or(distinct)': 'bit_or', 'approx_count_distinct(distinct)': 'approx_count_distinct',
        'collect_set(distinct)': 'collect_set', 'collect_list(distinct)': 'collect_set', 'array_agg(distinct)': 'collect_set'
    }) }}
{% endmacro %}
