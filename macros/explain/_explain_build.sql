{# A build reads all rows. #}
{% macro _explain_build(spec, why_full, told) %}
    {%- do told.update({'run': 'full', 'why': ['it builds the table from all rows, since ' ~ why_full]}) -%}
    {%- set needed = event_windows._needed_functions(spec) -%}
    {%- set problem = event_windows._unregistered(spec, needed) if needed else none -%}
    {%- set refused = event_windows._must_not_build(why_full) -%}
    {%- set unfollowed = event_windows._followed_problem(spec) -%}
    {%- set run = event_windows._new_run(1, 1, full=true) -%}
    {%- set unordered = event_windows._explain_rows(spec, run, told) -%}
    {%- set most = event_windows._count_var('max_rows_per_refresh') if spec.arrival else none -%}
    {%- set refreshes = [1, (told.rows / most) | round(0, 'ceil') | int] | max if most else 1 -%}
    {%- set stops = [
        refused, problem, unfollowed, event_windows._why_not_cut(spec, refreshes > 1),
        event_windows._about_unordered(spec, unordered)
    ] | select | list -%}
    {%- do told.update({'run': 'stops', 'why': stops} if stops else {'refreshes': refreshes}) -%}
{% endmacro %}
