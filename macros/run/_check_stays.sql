{#
    Of two builds at once the one whose table stays goes on; the other takes away what it has written beside it, and
    stops. Asked when its table is there, and again before the ledger has its line.
#}
{% macro _check_stays(spec, tables, run, beside=false) %}
    {%- if event_windows._read_generation(spec, tables.windows) != run.generation -%}
        {%- for relation in [tables.clocks, tables.dropped] if beside -%}
            {%- do event_windows._statement(
                run, 'end', 'delete from ' ~ relation ~ ' where _ew_refresh = ' ~ run.number
            ) -%}
        {%- endfor -%}
        {%- do event_windows._stop_if(event_windows._ends_by(
            run, 'another run has built ' ~ tables.windows ~ ' at the same time, and that table stays'
        )) -%}
    {%- endif -%}
{% endmacro %}


{# Counts the windows of a build, and returns the last number of the model in the ledger, if that is a later one. #}
{% macro _count_built(tables, run) %}
    {%- set row = event_windows._row(
        run, 'windows', 'select (' ~ event_windows._last_told(tables, '_ew_refresh > ' ~ run.number)
            ~ ') as later, (select count(*) from ' ~ tables.windows ~ ') as made'
    ) -%}
    {%- do run.merged.update({'inserted': row['made'] | int}) -%}
    {{- return(event_windows._number(row['later'])) -}}
{% endmacro %}
