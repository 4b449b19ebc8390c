{#
    Why a build must not be made in several commits, where it has `more` than one; none if it may. If it were killed
    between two of them, the next run would see other rows as the rest.
#}
{% macro _why_not_cut(spec, more) %}
    {{- return('event_windows__max_rows_per_refresh would cut its build in several commits, and its SQL asks '
        ~ 'is_windowed_run(), so that a refresh does not see all rows that are left: leave the var out of the run '
        ~ 'that builds it' if more and spec.asks else none) -}}
{% endmacro %}
