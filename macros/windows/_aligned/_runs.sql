{#
    Windows with many advances in a size: a row would be added up once for each. Panes are put together to runs first,
    and runs to windows: with 60 advances runs of 6, so that a pane goes into 6 runs and a run into 10 windows instead
    of a pane into 60.
#}

{# How many advances make a run, the number that leaves least to add up; none where this does not save half. #}
{% macro _aligned_run(spec) %}
    {%- set window = spec.window -%}
    {%- if window.type != 'hopping' or window.size % window.advance %}{{ return(none) }}{% endif -%}
    {%- set advances = window.size // window.advance -%}
    {%- set best = namespace(run=1) -%}
    {%- for run in range(2, [advances, 1000] | min) if run * run <= advances and advances % run == 0 -%}
        {%- set best.run = run -%}
    {%- endfor -%}
    {{- return(best.run if (best.run + advances // best.run) * 2 <= advances else none) -}}
{% endmacro %}


{# CTE runs: new inputs that begin within so many advances from each place, merged; stored windows as they are. #}
{% macro _aligned_runs(spec, stored) %}
{%- set window = spec.window -%}
{%- set keys = event_windows._names(spec.key) -%}
{%- set last = '(' ~ event_windows._time_bucket('_ew_first', window.advance, window.align) ~ ')' -%}
{%- set first = last ~ ' - ' ~ window.advance * (event_windows._aligned_run(spec) - 1) -%}
{%- if window.origin is not none %}{% set first = 'greatest(' ~ first ~ ', ' ~ window.origin ~ ')' %}{% endif -%}
runs as (
    select
        {{ keys }}, _ew_run as _ew_first, max(_ew_last) as _ew_last, max(_ew_until) as _ew_until,
        {%- for column in event_windows._carried(spec) %}
        max({{ column }}) as {{ column }},
        {%- endfor %}
        {%- for part in event_windows._parts(spec) %}
        {{ event_windows._typed(part.merge, part.type) }} as {{ part.column }}{{ ',' if not loop.last }}
        {%- endfor %}
        {{- ',\n        true as _ew_new' if stored }}
    from (
        select *, explode(sequence({{ first }}, {{ last }}, {{ window.advance }})) as _ew_run
        from merge_inputs
        {{- '\n        where _ew_new' if stored }}
    ) as panes_in_runs
    group by {{ keys }}, _ew_run
    {%- if stored %}
    union all
    select {{ event_windows._merge_input_columns(spec, 'merge_inputs') }}, false as _ew_new
    from merge_inputs
    where not _ew_new
    {%- endif %}
)
{%- endmacro %}


{#
    The windows that hold a whole run, so that each window has each of its panes once: every so
    many advances back from its start.
#}
{% macro _aligned_windows_of_run(spec) %}
    {%- set window = spec.window -%}
    {%- set stride = window.advance * event_windows._aligned_run(spec) -%}
    {%- set back = window.size - stride -%}
    {%- if window.origin is not none -%}
        {%- set back = 'least(' ~ back ~ ', (_ew_first - ' ~ window.origin ~ ') div ' ~ stride ~ ' * ' ~ stride
            ~ ')' -%}
    {%- endif -%}
    {{- return('transform(sequence(_ew_first - ' ~ back ~ ', _ew_first, ' ~ stride
        ~ "), _ew_starts -> named_struct('starts', _ew_starts, 'ends', _ew_starts + " ~ window.size ~ '))') -}}
{% endmacro %}
