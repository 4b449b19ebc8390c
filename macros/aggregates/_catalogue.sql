{#
    Every aggregate that can be merged from partials, one entry a function; fn(distinct) where DISTINCT is one of its
    own.

    arguments  how many it takes, [least, most]
    parts      what is kept for a window: {suffix: [partial over rows, merge over partials]}; a third text is the
               partial where Spark gives that one another type than bigint. A suffix has no underscore.
    final      the value from the parts; absent where there is one part and it is the value
    decimal    the final where Spark gives the value a decimal type
    wide       the entry instead of this one where Spark gives the value 38 digits, of which it has no more
    only       which rows count, besides those that FILTER lets through
    defaults   {place: text} of arguments that may be left out
    constants  places of arguments that cannot be columns
    clauses    what may follow the brackets besides FILTER: nulls, within

    Words in these texts: {0}, {1} an argument; {all} all as written; {row} the argument, or all as a struct; {when} the
    row's place in time: event time, then arrival; {order:1} an argument, then arrival; {filter} FILTER, after each
    aggregate call of a partial; {part} the part itself, {<suffix>} another part; {over} after each aggregate call of a
    merge: nothing where partials are grouped, an OVER clause where they are summed up along a window's slices; {type}
    the value's type. A part has the type that Spark gives its partial, a final the type that Spark gives the aggregate.
#}
{% macro _catalogue() %}
    {%- set catalogue = event_windows._catalogue_of_values() -%}
    {%- do catalogue.update(event_windows._catalogue_of_statistics()) -%}
    {%- do catalogue.update(event_windows._catalogue_of_lists()) -%}
    {%- do catalogue.update(event_windows._catalogue_of_sketches()) -%}
    {{- return(catalogue) -}}
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
        'bit_and(distinct)': 'bit_and', 'bit_or(distinct)': 'bit_or',
        'approx_count_distinct(distinct)': 'approx_count_distinct',
        'collect_set(distinct)': 'collect_set', 'collect_list(distinct)': 'collect_set',
        'array_agg(distinct)': 'collect_set'
    }) }}
{% endmacro %}
