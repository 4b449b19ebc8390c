{#
    The aggregate that counts rows: the one named or, of the model's, the first that is count(*); none where there is none, or
    where counts prove nothing: how many sliding windows there are at a row's time depends on other rows, and
    windows that expired are gone with their counts.
#}
{% macro _counting_column(table, given) %}
    {%- set counts = [] -%}
    {%- for name, sql in table.spec.aggregates.items() if modules.re.fullmatch('count\\((\\*|1)\\)', sql | replace(' ', '') | lower) -%}
        {%- do counts.append(name) -%}
    {%- endfor -%}
    {%- if given is not none and given not in counts -%}
        {{ event_windows._raise('test every_row_is_counted', ["count is '" ~ given ~ "': give an output that is count(*) (there "
            ~ ('is none' if not counts else 'is ' ~ counts | join(', ')) ~ '), or leave it out']) }}
    {%- endif -%}
    {%- if table.spec.window.type in ('session', 'panes') and table.spec.expire != 'delete' -%}
        {{- return(given or counts | first | default(none)) -}}
    {%- elif given is not none -%}
        {{ event_windows._raise('test every_row_is_counted', ["count is '" ~ given ~ "', but counts prove nothing where windows slide or expire: leave it out"]) }}
    {%- endif -%}
    {{- return(none) -}}
{% endmacro %}


{# In how many windows a row counts if it is not late. #}
{% macro _windows_per_row(spec, time) %}
    {{- return('1' if spec.window.type == 'session' else 'size(' ~ event_windows._panes_windows_of(spec, time) ~ ')') -}}
{% endmacro %}


{# How many of its windows a dropped row missed: those that were closed at the stream time of its arrival. #}
{% macro _windows_missed(spec) %}
    {%- if spec.window.type == 'session' or spec.window.grace is none %}{{- return('1') -}}{% endif -%}
    {%- set time = event_windows._micros(event_windows._name(spec.event_time), spec) -%}
    {{- return('size(filter(' ~ event_windows._panes_windows_of(spec, time) ~ ', held -> held.ends <= '
        ~ event_windows._micros('stream_time', spec) ~ ' - ' ~ spec.window.grace ~ '))') -}}
{% endmacro %}
