{#
    Cumulating windows: from the start of each size to the end of each of its steps, as Flink's CUMULATE.
    Aligned to the epoch, or to `origin`, before which no window starts.
#}
{% macro cumulating(size=none, step=none, grace=none, origin=none) %}
    {{ return(adapter.dispatch('cumulating', 'event_windows')(size=size, step=step, grace=grace, origin=origin, unknown=[kwargs, varargs])) }}
{% endmacro %}


{% macro default__cumulating(size, step, grace, origin, unknown) %}
    {{ return(event_windows._panes_window('cumulating', {'size': size, 'step': step}, 'step', grace, origin, 'size, step, grace, origin', unknown)) }}
{% endmacro %}
