{#
    Approximate aggregates, and Spark's sketches themselves. A union of an HLL sketch with itself leaves nothing of the
    order in which values came, so that estimates do not depend on how rows were cut. A KLL sketch of more than k values
    chooses at random; NaN, which it passes over and Spark has after all numbers, is the infinite to it, and counted
    beside it. Values are hashed first: a sketch takes no decimal, date or struct and passes over empty text. A hash
    knows nothing of a text's collation.
#}
{% macro _catalogue_of_sketches() %}
    {%- set places = 'cast({points} as array<double>)' -%}
    {%- set catalogue = {
        'approx_count_distinct': {
            'arguments': [1, 2], 'defaults': {1: '0.0163'}, 'constants': [1], 'least': {1: 0.00072},
            'parts': {'sketch': [
                'hll_sketch_agg(if({0} is null, null, xxhash64({0})), '
                    ~ 'int(greatest(4, ceil(2 * log2(1.04 / {1}))))){filter}',
                'hll_union_agg({part}){over}'
            ]},
            'types': {'sketch': 'binary'},
            'final': 'hll_sketch_estimate(hll_union({sketch}, {sketch}))',
            'instead': {
                'collated': dict(event_windows._holistic_entry(), of_type='.*string collate', rare=true),
                'maps': dict(event_windows._holistic_entry(), of_type='.*\\bmap<', rare=true)
            }
        },
        'approx_percentile': {
            'arguments': [2, 3], 'defaults': {2: '1000'}, 'constants': [1, 2], 'most': {2: 10000},
            'parts': {
                'sketch': [
                    "kll_sketch_agg_double(nanvl(cast({0} as double), double('infinity')), "
                        ~ 'int(greatest(8, least(65535, ceil(pow(2.296 * {2}, 1.1085)))))){filter}',
                    'kll_merge_agg_double({part}){over}'
                ],
                'nans': ['count_if(isnan(cast({0} as double))){filter}', 'coalesce(sum({part}){over}, 0)']
            },
            'types': {'sketch': 'binary', 'nans': 'bigint'},
            'final': 'case when kll_sketch_get_n_double({sketch}) > 0 then zip_with(kll_sketch_get_quantile_double('
                ~ '{sketch}, ' ~ places ~ '), ' ~ places ~ ", (value, p) -> if(value = double('infinity') and (p > 1 - "
                ~ '{nans} / kll_sketch_get_n_double({sketch}) or {nans} = kll_sketch_get_n_double({sketch})), '
                ~ "double('nan'), value)){point} end",
            'instead': {'times': dict(event_windows._holistic_entry(), of_type='(date|timestamp|interval)')}
        },
        'approx_top_k': {
            'arguments': [1, 3], 'defaults': {1: '5', 2: '10000'}, 'constants': [1, 2],
            'parts': {'sketch': ['approx_top_k_accumulate({0}, {2}){filter}', 'approx_top_k_combine({part}){over}']},
            'final': 'approx_top_k_estimate({sketch}, {1})'
        }
    } -%}
    {%- set union = 'hll_union(hll_union_agg({part}, {different}){over}, '
        ~ 'hll_union_agg({part}, {different}){over}, {different})' -%}
    {#- of no sketch, as may be in a slice, Spark makes an empty one that may be of another size than the others -#}
    {%- set held = 'if(hll_sketch_estimate({part}) > 0, {part}, null)' -%}
    {%- set sketches = {
        'hll_sketch_agg': union | replace('{different}', 'false'),
        'hll_union_agg': union | replace('{different}', '{1}') | replace('{part}', held),
        'theta_sketch_agg': 'theta_union_agg({part}, {1}){over}',
        'theta_union_agg': 'theta_union_agg({part}, {1}){over}',
        'approx_top_k_accumulate': 'approx_top_k_combine({part}){over}',
        'bitmap_construct_agg': 'bitmap_or_agg({part}){over}', 'bitmap_or_agg': 'bitmap_or_agg({part}){over}',
        'bitmap_and_agg': 'bitmap_and_agg({part}){over}'
    } -%}
    {%- for type in ['bigint', 'float', 'double'] -%}
        {%- for fn in ['kll_sketch_agg_', 'kll_merge_agg_'] -%}
            {%- do sketches.update({fn ~ type: 'kll_merge_agg_' ~ type ~ '({part}){over}'}) -%}
        {%- endfor -%}
        {#- where the call says no size, that of an empty one could become that of all -#}
        {%- do sketches.update({'kll_merge_agg_' ~ type: 'kll_merge_agg_' ~ type ~ '(if(kll_sketch_get_n_' ~ type
            ~ '({part}) > 0, {part}, null)){over}'}) -%}
    {%- endfor -%}
    {%- set defaults = {'hll_union_agg': {1: 'false'}, 'theta_sketch_agg': {1: '12'}, 'theta_union_agg': {1: '12'}} -%}
    {%- for fn, merge in sketches.items() -%}
        {%- set most = 1 if fn.startswith('bitmap') else 2 -%}
        {%- do catalogue.update({fn: {
            'arguments': [1, most], 'defaults': defaults.get(fn, {}), 'constants': [1] if most == 2 else [],
            'parts': {'sketch': [fn ~ '({all}){filter}', merge]}
        }}) -%}
    {%- endfor -%}
    {%- for type in ['bigint', 'float', 'double'] -%}
        {%- do catalogue.update({'kll_merge_agg_' ~ type ~ '(2)': dict(
            catalogue['kll_sketch_agg_' ~ type], arguments=[2, 2],
            parts={'sketch': ['kll_merge_agg_' ~ type ~ '({all}){filter}', sketches['kll_sketch_agg_' ~ type]]}
        )}) -%}
    {%- endfor -%}
    {#- Spark's own fails where no row is left to it, as may be in a slice -#}
    {%- set intersected = 'aggregate({sketches}, get({sketches}, 0), (one, other) -> '
        ~ 'theta_intersection(one, other))' -%}
    {%- do catalogue.update({'theta_intersection_agg': {'arguments': [1, 1], 'parts': {'sketch': [
        intersected | replace('{sketches}', 'collect_list({0}){filter}'),
        intersected | replace('{sketches}', 'collect_list({part}){over}')
    ]}}}) -%}
    {{- return(catalogue) -}}
{% endmacro %}
