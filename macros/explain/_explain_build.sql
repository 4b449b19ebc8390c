{# A build reads all rows. #}
{% macro _explain_build(spec, why_full, told) %}
    {%- do told.update({'run': 'full', 'why': ['it builds the table from all rows, since ' ~ why_full]}) -%}
    {%- set needed = event_windows._needed_functions(spec) -%}
    {%- set problem = event_windows._unregistered(spec, needed) if needed else none -%}
    {%- set refused = event_windows._must_not_build(why_full) -%}
    {%- set unfollowed = event_windows._followed_problem(spec) -%}
    {%- if problem or refused or unfollowed -%}
        {%- do told.update({'run': 'stops', 'why': [refused, problem, unfollowed] | select | list}) -%}
    {%- endif -%}
    {%- set run = event_windows._new_run(1, 1, full=true) -%}
    {%- do event_windows._explain_rows(spec, run, told) -%}
    {%- if not told.run == 'stops' -%}
        {%- set most = event_windows._count_var('max_rows_per_refresh') if spec.arrival else none -%}
        {%- do told.update({'refreshes': [1, (told.rows / most) | round(0, 'ceil') | int] | max if most else 1}) -%}
    {%- endif -%}
{% endmacro %}
