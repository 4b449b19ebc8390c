{#
    Why keys of a model cannot be made anew so that its tables are what a full refresh gives; none if they can. A window
    that was published stays published; and of a clock that keys share, a row of one of them decides what was late in
    another.
#}
{% macro _rebuild_problem(spec) %}
    {%- if spec.emit == 'final' -%}
        {{- return("emit is 'final', and what was published once stays: give emit='updates'") -}}
    {%- elif spec.asks -%}
        {{- return('its SQL asks is_windowed_run(), so that a refresh does not see all rows of a key: take that '
            ~ 'out') -}}
    {%- elif spec.clock != 'key' and spec.window.grace is not none -%}
        {{- return("stream_time is '" ~ spec.clock ~ "' and grace is bounded, so that the rows of one key decide what "
            ~ "is late in others: give stream_time='key', or grace='unbounded'") -}}
    {%- elif event_windows._partition_beside_key(spec) -%}
        {{- return("partition '" ~ spec.partition ~ "' is no key column, and no clock is one key's: add it to key") -}}
    {%- elif spec.clock != 'key' and not event_windows._windows_tell_clocks(spec) -%}
        {{- return("stream_time is '" ~ spec.clock ~ "', and the windows do not tell its clocks: give "
            ~ "stream_time='key'") -}}
    {%- endif -%}
    {{- return(none) -}}
{% endmacro %}


{# What is recorded of keys made anew, and how many rows of `others` were read beside; none where there are none. #}
{% macro _rebuilt_progress(run) %}
    {%- if run.progress %}{{- return(run.progress.rebuilt) -}}{% endif -%}
    {%- if not run.rebuilt %}{{- return(none) -}}{% endif -%}
    {%- set read = run.rebuilt.run.read -%}
    {{- return(dict(
        run.rebuilt.what, rows=read.rows, others=run.read.rows, late=read.late, late_partial=read.late_partial,
        digest=read.digest
    )) -}}
{% endmacro %}


{# How many clocks there are after a refresh. #}
{% macro _scopes_after(run) %}
    {%- if run.progress %}{{- return(run.progress.scopes) -}}{% endif -%}
    {%- if not run.rebuilt %}{{- return(run.read.scopes) -}}{% endif -%}
    {%- set anew = run.rebuilt.run.read.scopes -%}
    {#- where all keys are, and where they share a clock they are, no other has one -#}
    {%- set new = run.read.scopes - run.previous.get('scopes', 0) -%}
    {{- return(anew if run.rebuilt.among.classes is none else run.rebuilt.before.scopes + new + anew) -}}
{% endmacro %}


{# The latest clock after a refresh; where keys are made anew it may be an earlier one than before. #}
{% macro _clock_after(run) %}
    {%- if run.progress %}{{- return(run.progress.clock) -}}{% endif -%}
    {%- if not run.rebuilt %}{{- return(run.read.clock) -}}{% endif -%}
    {#- there may be none left to move -#}
    {%- set moved = run.advance_to if event_windows._scopes_after(run) else none -%}
    {%- set clocks = [
        run.rebuilt.before.clock, run.rebuilt.run.read.latest, run.read.latest, moved
    ] | reject('none') | list -%}
    {{- return(clocks | max if clocks else none) -}}
{% endmacro %}
