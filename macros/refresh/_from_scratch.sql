{# Every window from all rows in one SELECT: the steps of a refresh that starts from nothing. #}
{% macro _from_scratch(spec) %}
    {%- set doubt = spec.arrival and event_windows._doubt_margin(spec) is not none -%}
with
new_rows as (
    {{ event_windows._new_rows(spec) | trim }}
),

slices as (
    {{ event_windows._slices(spec, once=doubt) | trim }}
),
{% if doubt %}
{{ event_windows._late_steps(spec) | trim }},
{% endif %}
{{ event_windows._scratch_window_steps(spec, doubt) }}
{%- endmacro %}


{# From slices, and the replay where there is doubt, to finished windows; `refresh` is its number where they go into the windows table. #}
{% macro _scratch_window_steps(spec, doubt, refresh=none) -%}
pieces as (
    {{ event_windows._pieces(spec, doubtful=doubt) | trim }}
),

{{ event_windows._window_steps(spec, doubt=doubt) | trim }}

select
    {% for name, expression in event_windows._final_columns(spec, stored=refresh is not none, refresh=refresh) -%}
    {{ expression if expression == name else expression ~ ' as ' ~ name }}{{ ',\n    ' if not loop.last }}
    {%- endfor %}
from windows
{%- endmacro %}


{# Steps 4 and 5 as CTEs: doubtful keys, their rows in order of arrival, the replay. #}
{% macro _late_steps(spec) %}
{{ event_windows._doubtful_steps(spec, 'slices', once=true) | trim }},
{% if spec.clock != 'key' %}
{{ event_windows._clocked_rows(spec) | trim }},
{% endif %}
{{ event_windows._suspects(spec, 'doubtful', once=true) | trim }},

replayed as (
    {{ event_windows._of_type('replay', spec) | trim }}
)
{% endmacro %}


{# Stored windows of doubtful keys, numbered apart from rows. #}
{% macro _suspect_windows(spec) %}
    select
        reach.*,
        -row_number() over (partition by {{ event_windows._names(spec.key, 'reach') }} order by reach.window_start, reach.window_end) as _ew_item
    from reach
    left semi join doubtful on {{ event_windows._equal(spec.key, 'reach', 'doubtful') }}
{% endmacro %}


{# Steps from pieces to windows, the last CTE is windows. #}
{% macro _window_steps(spec, doubt=false, reach=false) %}
{%- set traits = event_windows._of_type('traits', spec) -%}
{{ event_windows._of_type('numbering', spec, reach) | trim }},

windowed_pieces as (
    select
        {{ event_windows._piece_columns(spec, 'numbered') }},
        {%- if reach %}
        numbered._ew_new,
        {%- endif %}
        {%- if reach and traits.absorbs %}
        numbered._ew_stored,
        {%- endif %}
        numbered._ew_window,
        numbered._ew_window_last
        {{- ', cast(null as boolean) as _ew_replayed' if traits.doubt_lasts }}
    from numbered
    {%- if doubt %}
    union all
    {{ event_windows._replayed_pieces(spec, reach=reach) | trim }}
    {%- endif %}
),

{% set whole = event_windows._whole_calls(spec) -%}
{{ 'merged_windows' if whole else 'windows' }} as (
    {{ event_windows._windows(spec, reach=reach, merged=traits.merged_in_numbering and not doubt) | trim }}
)
{%- if whole %},

{{ event_windows._whole_steps(spec) | trim }}
{%- endif %}
{% endmacro %}
