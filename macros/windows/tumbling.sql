{#
    Tumbling windows: [start, end) of one size after the other.
    Aligned to the epoch, or to `origin`, before which no window starts.
#}
{% macro tumbling(size=none, grace=none, origin=none) %}
    {{ return(adapter.dispatch('tumbling', 'event_windows')(size=size, grace=grace, origin=origin, unknown=[kwargs, varargs])) }}
{% endmacro %}


{% macro default__tumbling(size, grace, origin, unknown) %}
    {{ return(event_windows._panes_window('tumbling', {'size': size}, 'size', grace, origin, 'size, grace, origin', unknown)) }}
{% endmacro %}
