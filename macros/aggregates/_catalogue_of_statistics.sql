{#
    Moments and linear regression. Partials are merged pair by pair without subtracting large sums from each other
    (Chan, Golub and LeVeque 1979; higher moments: Pebay 2008), so that the result is as good as Spark's own.
#}
{% macro _catalogue_of_statistics() %}
    {%- set moments = {'moments': [event_windows._moments_partial(2), event_windows._moments_merge(2)]} -%}
    {%- set higher = {'moments': [event_windows._moments_partial(4), event_windows._moments_merge(4)]} -%}
    {%- set pairs = {'pairs': [event_windows._pairs_partial(), event_windows._pairs_merge()]} -%}
    {%- set sums = event_windows._catalogue_of_values().avg -%}
    {%- set catalogue = {
        'var_pop': [1, moments, '{moments}.m2 / nullif({moments}.n, 0)'],
        'var_samp': [1, moments, 'case when {moments}.n > 1 then {moments}.m2 / ({moments}.n - 1) end'],
        'stddev_pop': [1, moments, 'sqrt({moments}.m2 / nullif({moments}.n, 0))'],
        'stddev_samp': [1, moments, 'case when {moments}.n > 1 then sqrt({moments}.m2 / ({moments}.n - 1)) end'],
        'skewness': [1, higher, 'sqrt({moments}.n) * {moments}.m3 / nullif(sqrt(pow({moments}.m2, 3)), 0)'],
        'kurtosis': [1, higher, '{moments}.n * {moments}.m4 / nullif({moments}.m2 * {moments}.m2, 0) - 3'],
        'covar_pop': [2, pairs, '{pairs}.xy / nullif({pairs}.n, 0)'],
        'covar_samp': [2, pairs, 'case when {pairs}.n > 1 then {pairs}.xy / ({pairs}.n - 1) end'],
        'corr': [2, pairs, 'case when {pairs}.n > 1 then {pairs}.xy / nullif(sqrt({pairs}.xx * {pairs}.yy), 0) end'],
        'regr_slope': [2, pairs, '{pairs}.xy / nullif({pairs}.xx, 0)'],
        'regr_intercept': [2, pairs, '{pairs}.y - {pairs}.xy / nullif({pairs}.xx, 0) * {pairs}.x'],
        'regr_r2': [
            2, pairs,
            'case when {pairs}.xx = 0 then null when {pairs}.yy = 0 then 1 '
                ~ 'else {pairs}.xy / {pairs}.xx * {pairs}.xy / {pairs}.yy end'
        ],
        'regr_sxx': [2, pairs, 'case when {pairs}.n > 0 then {pairs}.xx end'],
        'regr_sxy': [2, pairs, 'case when {pairs}.n > 0 then {pairs}.xy end'],
        'regr_syy': [2, pairs, 'case when {pairs}.n > 0 then {pairs}.yy end']
    } -%}
    {%- for fn, entry in catalogue.items() -%}
        {%- do catalogue.update({fn: {'arguments': [entry[0], entry[0]], 'parts': entry[1], 'final': entry[2]}}) -%}
    {%- endfor -%}
    {%- set means = {'regr_avgy': '{0}', 'regr_avgx': '{1}'} -%}
    {%- for fn, argument in means.items() -%}
        {%- set parts = {} -%}
        {%- for suffix, texts in sums.parts.items() -%}
            {%- do parts.update({suffix: texts | map('replace', '{0}', argument) | list}) -%}
        {%- endfor -%}
        {%- do catalogue.update({fn: {
            'arguments': [2, 2], 'parts': parts, 'final': sums.final, 'decimal': sums.decimal,
            'only': 'cast({0} as double) is not null and cast({1} as double) is not null'
        }}) -%}
    {%- endfor -%}
    {%- do catalogue.update({'regr_count': {
        'arguments': [2, 2], 'parts': {'n': ['regr_count({all}){filter}', 'coalesce(sum({part}){over}, 0)']}
    }}) -%}
    {{- return(catalogue) -}}
{% endmacro %}


{#
    Number, mean and sums of powers of distances from the mean. Rounding must not move the mean
    of equal values away from them.
#}
{% macro _moments_partial(order) %}
    {%- set x = 'cast({0} as double)' -%}
    {#- text that is no number is none of the values -#}
    {%- set n = 'count(' ~ x ~ '){filter}' -%}
    {%- set m2 = 'var_pop({0}){filter} * ' ~ n -%}
    {%- set fields = {
        'n': n,
        'mean': 'greatest(min(' ~ x ~ '){filter}, least(max(' ~ x ~ '){filter}, avg(' ~ x ~ '){filter}))',
        'm2': m2
    } -%}
    {%- if order == 4 -%}
        {%- do fields.update({
            'm3': 'skewness({0}){filter} * sqrt(pow(' ~ m2 ~ ', 3) / ' ~ n ~ ')',
            'm4': '(kurtosis({0}){filter} + 3) * pow(' ~ m2 ~ ', 2) / ' ~ n
        }) -%}
    {%- endif -%}
    {{- return(event_windows._named_struct(fields, ', 0)', 'coalesce(')) -}}
{% endmacro %}


{% macro _moments_merge(order) %}
    {%- set n, delta = '(a.n + b.n)', '(b.mean - a.mean)' -%}
    {%- set fields = {
        'n': 'a.n + b.n',
        'mean': 'a.mean + ' ~ delta ~ ' * b.n / ' ~ n,
        'm2': 'a.m2 + b.m2 + pow(' ~ delta ~ ', 2) * a.n * b.n / ' ~ n
    } -%}
    {%- if order == 4 -%}
        {%- do fields.update({
            'm3': 'a.m3 + b.m3 + pow(' ~ delta ~ ', 3) * a.n * b.n * (a.n - b.n) / pow(' ~ n ~ ', 2) + 3 * ' ~ delta
                ~ ' * (a.n * b.m2 - b.n * a.m2) / ' ~ n,
            'm4': 'a.m4 + b.m4 + pow(' ~ delta ~ ', 4) * a.n * b.n * (pow(a.n, 2) - a.n * b.n + pow(b.n, 2)) / pow(' ~ n
                ~ ', 3) + 6 * pow(' ~ delta ~ ', 2) * (pow(a.n, 2) * b.m2 + pow(b.n, 2) * a.m2) / pow(' ~ n
                ~ ', 2) + 4 * ' ~ delta ~ ' * (a.n * b.m3 - b.n * a.m3) / ' ~ n
        }) -%}
    {%- endif -%}
    {{- return(event_windows._merge_pairwise(fields)) -}}
{% endmacro %}


{# The same for pairs (y, x), in the order of Spark's arguments; rows with a null in either do not count. #}
{% macro _pairs_partial() %}
    {%- set y, x = 'cast({0} as double)', 'cast({1} as double)' -%}
    {%- set fields = {'n': 'regr_count(' ~ y ~ ', ' ~ x ~ '){filter}'} -%}
    {%- for field, mean, column, other in [['y', 'regr_avgy', y, x], ['x', 'regr_avgx', x, y]] -%}
        {%- set paired = 'if(' ~ other ~ ' is null, null, ' ~ column ~ ')' -%}
        {%- do fields.update({field: 'greatest(min(' ~ paired ~ '){filter}, least(max(' ~ paired ~ '){filter}, ' ~ mean
            ~ '(' ~ y ~ ', ' ~ x ~ '){filter}))'}) -%}
    {%- endfor -%}
    {%- for field, fn in {'yy': 'regr_syy', 'xx': 'regr_sxx', 'xy': 'regr_sxy'}.items() -%}
        {%- do fields.update({field: fn ~ '(' ~ y ~ ', ' ~ x ~ '){filter}'}) -%}
    {%- endfor -%}
    {{- return(event_windows._named_struct(fields, ', 0)', 'coalesce(')) -}}
{% endmacro %}


{% macro _pairs_merge() %}
    {%- set share = 'b.n / (a.n + b.n)' -%}
    {%- set fields = {'n': 'a.n + b.n', 'y': 'a.y + (b.y - a.y) * ' ~ share, 'x': 'a.x + (b.x - a.x) * ' ~ share} -%}
    {%- for one, other in [['y', 'y'], ['x', 'x'], ['x', 'y']] -%}
        {%- set field = one ~ other -%}
        {%- do fields.update({field: 'a.' ~ field ~ ' + b.' ~ field ~ ' + (b.' ~ one ~ ' - a.' ~ one ~ ') * (b.' ~ other
            ~ ' - a.' ~ other ~ ') * a.n * ' ~ share}) -%}
    {%- endfor -%}
    {{- return(event_windows._merge_pairwise(fields)) -}}
{% endmacro %}


{# Structs with a number n and doubles, put together two by two: a so far, b the next. #}
{% macro _merge_pairwise(fields) %}
    {%- set nothing = {} -%}
    {%- for name in fields %}{% do nothing.update({name: '0L' if name == 'n' else '0D'}) %}{% endfor -%}
    {{- return('aggregate(collect_list({part}){over}, ' ~ event_windows._named_struct(nothing)
        ~ ', (a, b) -> case when a.n = 0 then b when b.n = 0 then a else ' ~ event_windows._named_struct(fields)
        ~ ' end)') -}}
{% endmacro %}
