{#
    Hopping windows: [start, end) of one size, a new one every `advance_by`, which need not divide the size.
    Aligned to the epoch, or to `origin`, before which no window starts.
#}
{% macro hopping(size=none, advance_by=none, grace=none, origin=none) %}
    {{ return(adapter.dispatch('hopping', 'event_windows')(size=size, advance_by=advance_by, grace=grace, origin=origin, unknown=[kwargs, varargs])) }}
{% endmacro %}


{% macro default__hopping(size, advance_by, grace, origin, unknown) %}
    {{ return(event_windows._panes_window('hopping', {'size': size, 'advance_by': advance_by}, 'advance_by', grace, origin, 'size, advance_by, grace, origin', unknown)) }}
{% endmacro %}
