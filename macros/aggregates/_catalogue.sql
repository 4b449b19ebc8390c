{#
    Every aggregate that can be merged from partials, one entry a function; fn(distinct), fn(within) and fn(3) where
    DISTINCT, WITHIN GROUP or so many arguments have one of their own. udfs/dbt_event_windows/plain_sql/functions.py has
    the same names, which a test compares.

    arguments  how many it takes, [least, most]
    parts      what is kept for a window: {suffix: [partial over rows, merge over partials]}; a third text is the
               partial where Spark gives that one another type than bigint. A suffix has no underscore.
    types      {suffix: type} of parts over which Spark is not asked, as it takes not every argument in them: they have
               the type of any
    final      the value from the parts; absent where there is one part and it is the value
    decimal    the final where Spark gives the value a decimal type
    instead    {name: entry} to take instead of this one where what is aggregated, the first argument or what WITHIN
               GROUP orders by, has a type that begins like `of_type`, a pattern. Where nobody knows the types one
               that `fits_all` is taken, but for one that `needs_order` where rows have none; one for `rare`
               types is passed over
    whole      the final over {holistic}, what Spark's function says of all values, where that is not the value itself
    only       which rows count, besides those that FILTER lets through
    defaults   {place: text} of arguments that may be left out
    constants  places of arguments that cannot be columns
    most       {place: number}: the largest constant that the parts are good for; for a larger one, or one that is not
               written as a number, all values are kept, and Spark's own function is called over them
    least      {place: number}: the least constant that can be asked for
    clauses    what may follow the brackets besides FILTER: nulls, within

    Words in these texts: {0}, {1} an argument, which gets brackets where it needs them; {all} all as written; {row} the
    argument, or all as a struct; {kept} and {kept_once} those with columns in them, with their place or without; {when}
    the row's place in time: event time, then arrival; {order:1} an argument, then arrival; {within} what WITHIN GROUP
    orders by, {by} the same or else the first argument; {sorted} the part `values` in its direction; {filter} FILTER,
    after each aggregate call of a partial; {part} the part itself, {<suffix>} another part; {over} after each aggregate
    call of a merge: nothing where partials are grouped, an OVER clause where they are summed up along a window's
    slices; {type} the value's type, {whole} and {fraction} of a decimal those of its digits before and after the point,
    {divided} one of which a part divided by a count has the scale of the value.
    A part has the type that Spark gives its partial, a final the type that Spark gives the aggregate.
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
    {%- set aliases = {
        'mean': 'avg', 'every': 'bool_and', 'some': 'bool_or', 'any': 'bool_or',
        'first_value': 'first', 'last_value': 'last', 'any_value': 'first',
        'std': 'stddev_samp', 'stddev': 'stddev_samp', 'variance': 'var_samp',
        'array_agg': 'collect_list', 'string_agg': 'listagg', 'percentile_approx': 'approx_percentile'
    } -%}
    {%- for fn in [
        'min', 'max', 'bool_and', 'bool_or', 'bit_and', 'bit_or', 'first', 'last', 'min_by', 'max_by', 'collect_set',
        'approx_count_distinct', 'hll_sketch_agg', 'hll_union_agg', 'theta_sketch_agg', 'theta_union_agg',
        'theta_intersection_agg', 'bitmap_construct_agg', 'bitmap_or_agg', 'bitmap_and_agg'
    ] -%}
        {%- do aliases.update({fn ~ '(distinct)': fn}) -%}
    {%- endfor -%}
    {{- return(aliases) -}}
{% endmacro %}
