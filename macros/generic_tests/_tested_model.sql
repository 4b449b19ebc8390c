{#
    _refreshed_model for a test that judges a table by the rows that its last refresh has read. Where that refresh is
    gone from the table, with the rows that bore it, an earlier one would be taken for the last.
#}
{% macro _tested_model(test, windows, problems, source=none) %}
    {%- set asked = event_windows._refreshed_model('test ' ~ test, windows, problems, source) -%}
    {%- if asked.progress and event_windows._is_running() and event_windows._found(asked.tables.runs) -%}
        {%- set told = event_windows._number(run_query(event_windows._last_told(asked.tables)).rows[0]['number']) -%}
        {%- set latest = event_windows._refreshed_model('test ' ~ test, windows, problems, source)
            if told is not none and told > asked.progress.number else asked -%}
        {#- another refresh may have ended meanwhile -#}
        {%- if told is not none and told > latest.progress.number -%}
            {{ event_windows._raise('test ' ~ test, ['the last refresh in the ledger is ' ~ told ~ ', and the last '
                ~ 'that the table records is ' ~ latest.progress.number ~ ': the table has lost what came after it '
                ~ '(rows deleted by hand, restore, rollback): run with --full-refresh']) }}
        {%- endif -%}
        {{- return(latest) -}}
    {%- endif -%}
    {{- return(asked) -}}
{% endmacro %}


{# Why rows of the source cannot be asked for. Below plain SQL that is a SELECT, in whose place no table stands. #}
{% macro _why_unreadable(asked, takes_source=true) %}
    {{- return('the relation that the model was built over cannot be read any more: ' ~ asked.relation
        ~ ('; give source, what it is over now' if takes_source and asked.spec.plain is none
            else '; run with --full-refresh where the model is over another one now')) -}}
{% endmacro %}
