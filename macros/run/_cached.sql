{#
    Caches a SELECT in the session, under a name that the run drops in the end. The name is in the SELECT, too: Spark
    takes what any session has cached for the same SELECT, as a killed run of the former rows, and of tables that are no
    Iceberg tables it does not see that another process has written them since.
#}
{% macro _cache(run, step, view, sql) %}
    {%- set of_the_run = 'select * from (\n' ~ sql | trim ~ '\n) as cached\nwhere ' ~ event_windows._literal(view)
        ~ ' is not null' -%}
    {%- do event_windows._statement(run, step, 'cache lazy table ' ~ view ~ ' as\n' ~ of_the_run) -%}
    {%- do run.views.append(view) -%}
{% endmacro %}


{# Drops these, and nothing else: a catalogue without views refuses to be asked for one that is not there. #}
{% macro _forget(run) %}
    {%- for view in run.views -%}
        {%- do event_windows._statement(run, 'end', 'drop view if exists ' ~ view) -%}
    {%- endfor -%}
    {%- do run.update({'views': []}) -%}
{% endmacro %}


{# A problem by which a run ends, if there is one: it leaves nothing cached in a session that may live on. #}
{% macro _ends_by(run, problem) %}
    {%- if problem %}{% do event_windows._forget(run) %}{% endif -%}
    {{- return(problem) -}}
{% endmacro %}
