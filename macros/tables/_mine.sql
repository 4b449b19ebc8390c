{#
    The CTE by which a statement fails where the refresh is not this run's any more: the view of the intent has one
    column, named after the run whose it is, see macros/run/_intent.sql.
#}
{% macro _mine(tables) %}
    {{- return('mine as (\n    select ' ~ event_windows._by_run() ~ ' from ' ~ tables.intent ~ '\n)') -}}
{% endmacro %}


{% macro _by_run() %}
    {{- return('by_' ~ invocation_id | replace('-', '_')) -}}
{% endmacro %}
