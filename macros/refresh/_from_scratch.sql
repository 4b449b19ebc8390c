{#
    Every window from all rows: the steps of a refresh that starts from nothing.
    `refresh` is the number of the refresh where the result becomes the windows table; `bounds` and `slices` (a relation
    that holds them already) likewise.
#}
{% macro _from_scratch(spec, bounds=none, slices=none, doubtful=none, replayed=none, refresh=none) %}
    {%- set doubt = (event_windows._doubt_margin(spec) is not none) if doubtful is none else doubtful -%}
with
{% if doubt or not slices %}
new_rows as (
    {{ event_windows._new_rows(spec, bounds) | trim }}
),
{% endif %}
slices as (
    {{ ('select * from ' ~ slices ~ ' where _ew_first is not null') if slices else event_windows._slices(spec) | trim }}
),
{% if doubt %}
{{ event_windows._late_steps(spec, replayed=replayed) | trim }},
{% endif %}
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


{# Steps 4 and 5 as CTEs: clocks, doubtful keys, their rows in order of arrival, the replay. #}
{% macro _late_steps(spec, slices='slices', stream_time=none, reach=false, replayed=none, width=65536) %}
clocks as (
    {{ event_windows._clocks(spec, slices, stream_time) | trim }}
),

doubtful as (
    {{ event_windows._doubtful(spec, slices) | trim }}
),
{% if spec.clock != 'key' %}
{{ event_windows._clocked_rows(spec, width) | trim }},
{% endif %}
suspects as (
    {{ event_windows._suspects(spec, 'doubtful', stream_time) | trim }}
),
{% if reach %}
suspect_windows as (
    select reach.*, -row_number() over (partition by {{ event_windows._names(spec.key, 'reach') }} order by reach.window_start, reach.window_end) as _ew_item
    from reach
    left semi join doubtful on {{ event_windows._equal(spec.key, 'doubtful', 'reach') }}
),
{% endif %}
replayed as (
    {{ ('select * from ' ~ replayed) if replayed else event_windows._of_type('replay', spec, reach) | trim }}
)
{% endmacro %}


{# Steps from pieces to windows, the last CTE is windows. #}
{% macro _window_steps(spec, doubt=false, reach=false) %}
windowed_pieces as (
    {%- set columns %}
    {{- event_windows._piece_columns(spec, 'numbered') }}, numbered._ew_rows{{ ', numbered._ew_stored' if reach }}, numbered._ew_window
    {%- endset %}
    select {{ columns }}{{ ', cast(null as bigint) as _ew_window_last' if doubt }}
    from ({{ event_windows._of_type('numbered', spec, 'pieces') }}) as numbered
    {%- if doubt %}
    union all
    {{ event_windows._replayed_pieces(spec, reach=reach) | trim }}
    {%- endif %}
),

windows as (
    {{ event_windows._windows(spec, reach=reach, replayed=doubt) | trim }}
)
{% endmacro %}
