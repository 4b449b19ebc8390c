{#
    The aggregate that counts rows: the one named or, of the model's, the first that is count(*); none where there is
    none, or where counts prove nothing: how many sliding windows there are at a row's time depends on other rows, and
    windows that expired are gone with their counts.
#}
{% macro _counting_column(table, given) %}
    {%- set counts = event_windows._row_counts(table.spec)
        | reject('in', table.shown.hidden if table.shown else []) | list -%}
    {%- if given is not none and given not in counts -%}
        {{ event_windows._raise('test every_row_is_counted', [
            "count is '" ~ given ~ "': give an output that is count(*) (there "
                ~ ('is none' if not counts else 'is ' ~ counts | join(', ')) ~ '), or leave it out'
        ]) }}
    {%- endif -%}
    {%- if event_windows._trait('rows_counted_once', table.spec) and table.spec.expire != 'delete' -%}
        {{- return(given or counts | first | default(none)) -}}
    {%- elif given is not none -%}
        {{ event_windows._raise(
            'test every_row_is_counted',
            ["count is '" ~ given ~ "', but counts prove nothing where windows slide or expire: leave it out"]
        ) }}
    {%- endif -%}
    {{- return(none) -}}
{% endmacro %}


{# In how many windows a row counts if it is not late. #}
{% macro _windows_per_row(spec, time) %}
    {%- set windows = event_windows._of_window('windows_of', spec, time) -%}
    {{- return('size(' ~ windows ~ ')' if windows else '1') -}}
{% endmacro %}


{# How many of its windows a dropped row missed: those that were closed at the stream time of its arrival. #}
{% macro _windows_missed(spec) %}
    {%- set windows = event_windows._of_window(
        'windows_of', spec, event_windows._time_micros(event_windows._name(spec.event_time), spec)
    ) -%}
    {%- if not windows or spec.window.grace is none %}{{- return('1') -}}{% endif -%}
    {%- set clock = event_windows._time_micros('stream_time', spec) -%}
    {{- return('size(filter(' ~ windows ~ ', _ew_held -> ' ~ event_windows._closed(spec, '(_ew_held.ends - 1)', clock)
        ~ '))') -}}
{% endmacro %}
