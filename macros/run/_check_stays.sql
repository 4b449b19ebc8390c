{#
    Of two builds at once the one whose table stays goes on; the other takes away what it has written beside it, and
    stops. Asked when its table is there, and again before the ledger has its line.
#}
{% macro _check_stays(spec, tables, run, beside=false) %}
    {%- if event_windows._read_record(tables.windows, spec.file_format).generation != run.generation -%}
        {%- for relation in [tables.clocks, tables.dropped] if beside -%}
            {%- do event_windows._statement(
                run, 'end', 'delete from ' ~ relation ~ ' where _ew_refresh = ' ~ run.number
            ) -%}
        {%- endfor -%}
        {%- do event_windows._forget(run) -%}
        {{ event_windows._stop('another run has built ' ~ tables.windows ~ ' at the same time, and that table stays') }}
    {%- endif -%}
{% endmacro %}
