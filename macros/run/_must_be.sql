{# Why a run builds its table from all rows; none where it refreshes. #}
{% macro _why_full(existing) %}
    {%- if existing is none %}{{- return('there is no table of it yet') -}}{% endif -%}
    {%- if not should_full_refresh() %}{{- return(none) -}}{% endif -%}
    {{- return('full_refresh is true in its config' if config.get('full_refresh') else '--full-refresh was given') -}}
{% endmacro %}


{#
    Why a run that would build must not; none where it may, or would refresh: `--vars '{event_windows__must_be:
    incremental}'` is for runs of a schedule, where reading all rows is never meant.
#}
{% macro _must_not_build(why_full) %}
    {%- set must_be = event_windows._var('must_be') -%}
    {%- if must_be not in (none, 'incremental') -%}
        {{ event_windows._raise('var event_windows__must_be', [
            'it is ' ~ tojson(must_be | string) ~ ", and only 'incremental' is allowed: give that, or leave it out"
        ]) }}
    {%- endif -%}
    {{- return(none if must_be is none or not why_full else (
        "event_windows__must_be is 'incremental', and this run would build the model from all rows, since " ~ why_full
            ~ ': run it without that var to build it'
    )) -}}
{% endmacro %}
