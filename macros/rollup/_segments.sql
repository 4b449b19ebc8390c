{#
    Which groups say where in time the windows of a group lie, [{'group', 'bound', 'apart'}], those that say it best
    first: `bound` is what the group is the time of, start or end; `apart` how many microseconds that may come after it.
#}
{% macro _time_groups(times, described, above) %}
    {%- set found = [] -%}
    {%- for bounds in [['end'], ['start']] -%}
        {%- for group, column, apart in times if above.bounds.get(column | lower) in bounds -%}
            {%- do found.append({
                'group': group if group is string else described[group][0],
                'bound': above.bounds[column | lower], 'apart': apart
            }) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{- return(found) -}}
{% endmacro %}


{# Which columns that the model above shows are bounds of its windows: {name in lower case: 'start' or 'end'}. #}
{% macro _bounds_of(above) %}
    {%- if not above.windows %}{{- return({}) -}}{% endif -%}
    {%- set shown = event_windows._shown_windows(above.record, []) -%}
    {%- if above.windows.plain is none -%}
        {{- return({'window_start': 'start', 'window_end': 'end'}) -}}
    {%- endif -%}
    {%- set bounds = {} -%}
    {%- for name, sql in (shown.columns if shown else []) -%}
        {%- if sql == 'window_start' -%}
            {%- do bounds.update({name | lower: 'start'}) -%}
        {%- elif sql == 'window_end' or (
            event_windows._trait('absorbs', above.windows)
            and modules.re.fullmatch("window_end \\+ cast\\('[^']*' as interval\\)", sql)
        ) -%}
            {#- of a session a gap after its last row, as Spark has it: the planner writes no other sum so -#}
            {%- do bounds.update({name | lower: 'end'}) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(bounds) -}}
{% endmacro %}


{#
    The segments of the windows above that can hold a window of a touched group, as a condition; none for all of them,
    where no group tells.
#}
{% macro _touched_segments(spec, run, touched) %}
    {%- if not spec.times %}{{- return(none) -}}{% endif -%}
    {%- set row = event_windows._row(run, 'touched', event_windows._places_of_groups(spec, spec.times[0], touched)) -%}
    {%- if row['unknown'] | int %}{{- return(none) -}}{% endif -%}
    {#- no group is touched -#}
    {%- if row['first'] is none %}{{- return('false') -}}{% endif -%}
    {%- if row['last'] is none %}{{- return('_ew_segment >= ' ~ row['first'] | int) -}}{% endif -%}
    {%- set runs = [] -%}
    {%- for place in fromjson(row['places'] or '[]') | sort(attribute='first') -%}
        {%- if runs and place.first <= runs[-1].last + 1 -%}
            {%- do runs[-1].update({'last': [runs[-1].last, place.last] | max}) -%}
        {%- else -%}
            {%- do runs.append(dict(place)) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if not runs or runs | length > 100 -%}
        {%- set runs = [{'first': row['first'] | int, 'last': row['last'] | int}] -%}
    {%- endif -%}
    {%- set conditions = [] -%}
    {%- for one in runs -%}
        {%- do conditions.append('_ew_segment between ' ~ one.first ~ ' and ' ~ one.last) -%}
    {%- endfor -%}
    {{- return('(' ~ conditions | join(' or ') ~ ')') -}}
{% endmacro %}


{#
    First and last segment of each group. A group that is not the bound itself may have been told by another clock of
    the same zone, so that a day more is looked at on both sides, the longest step of one (Pacific/Apia left out
    2011-12-30), and a second, since windows end before their end.
#}
{% macro _places_of_groups(spec, time, touched) %}
    {%- set windows = spec.above.windows -%}
    {%- set type = event_windows._time_type(windows) -%}
    {%- set around = 86400000000 + 1000000 if time.apart else 1000000 -%}
    {%- set before = around + (windows.window.gap or 0 if time.bound == 'end' and windows.plain is not none else 0) -%}
    {%- set longest = 0 if time.bound == 'end' else event_windows._trait('lengths', windows)[1] -%}
    {%- set micros = event_windows._micros(
        'cast(' ~ event_windows._name(time.group) ~ ' as ' ~ type ~ ')', type
    ) -%}
select
    count_if(first is null) as unknown, min(first) as first, max(last) as last,
    if(count(*) <= 10000, to_json(collect_list(named_struct('first', first, 'last', last))), null) as places
from (
    select distinct
        {{ event_windows._segment('(' ~ micros ~ ' - ' ~ before ~ ')', windows.segment) }} as first,
        {% if longest is none -%}
        cast(null as bigint)
        {%- else -%}
        {{ event_windows._segment('(' ~ micros ~ ' + ' ~ (time.apart + longest + around) ~ ')', windows.segment) }}
        {%- endif %} as last
    from {{ touched }}
) as places
{% endmacro %}
