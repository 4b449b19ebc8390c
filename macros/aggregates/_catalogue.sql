{#
    Every aggregate that can be merged from partials, one entry a function.

    arguments  how many it takes, [least, most]
    parts      what is kept for a window: {suffix: [partial over rows, merge over partials]}
    final      the value from the parts; absent where there is one part and it is the value

    In a partial, {0} and {1} are the arguments, {all} all of them as written and {order} what orders rows within a
    tie; in a merge, {part} is the part itself and {<suffix>} another part; in a final, {<suffix>} is a part. After each
    aggregate call of a merge stands {over}: nothing where partials are grouped, an OVER clause where they are summed up
    along a window's slices.
    A part has the type that Spark gives its partial, a final the type that Spark gives the aggregate.
#}
{% macro _catalogue() %}
    {{ return({
        'count': {
            'arguments': [1, 99],
            'parts': {'n': ['count({all})', 'coalesce(sum({part}){over}, 0)']}
        },
        'sum': {
            'arguments': [1, 1],
            'parts': {'sum': ['sum({0})', 'sum({part}){over}']}
        },
        'avg': {
            'arguments': [1, 1],
            'parts': {'sum': ['sum({0})', 'sum({part}){over}'], 'n': ['count({0})', 'coalesce(sum({part}){over}, 0)']},
            'final': '{sum} / nullif({n}, 0)'
        },
        'min': {
            'arguments': [1, 1],
            'parts': {'min': ['min({0})', 'min({part}){over}']}
        },
        'max': {
            'arguments': [1, 1],
            'parts': {'max': ['max({0})', 'max({part}){over}']}
        },
        'min_by': {
            'arguments': [2, 2],
            'parts': {'value': ['min_by({0}, {order:1})', 'min_by({part}, {by}){over}'], 'by': ['min({order:1})', 'min({part}){over}']},
            'final': '{value}'
        },
        'max_by': {
            'arguments': [2, 2],
            'parts': {'value': ['max_by({0}, {order:1})', 'max_by({part}, {by}){over}'], 'by': ['max({order:1})', 'max({part}){over}']},
            'final': '{value}'
        },
        'bool_and': {
            'arguments': [1, 1],
            'parts': {'all': ['bool_and({0})', 'bool_and({part}){over}']}
        },
        'bool_or': {
            'arguments': [1, 1],
            'parts': {'any': ['bool_or({0})', 'bool_or({part}){over}']}
        },
        'approx_count_distinct': {
            'arguments': [1, 1],
            'parts': {'sketch': ['hll_sketch_agg(cast({0} as string))', 'hll_union_agg({part}){over}']},
            'final': 'hll_sketch_estimate({sketch})'
        }
    }) }}
{% endmacro %}


{# Other names of the same functions, as in Spark SQL. #}
{% macro _aliases() %}
    {{ return({'mean': 'avg', 'every': 'bool_and', 'some': 'bool_or', 'any': 'bool_or'}) }}
{% endmacro %}
