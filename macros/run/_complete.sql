{#
    What follows from a commit, each a function of the tables as they stand: clocks, closed windows that are published,
    the line of the ledger, windows that leave. Whoever finds it missing does it again (_follow_up).
#}
{% macro _complete(spec, tables, run) %}
    {%- if event_windows._logs_clocks(spec, run) and not run.clocked -%}
        {%- do event_windows._statement(run, 'clocks', event_windows._append_clocks(
            spec, tables, run, told=event_windows._told_lines(tables, run)
        )) -%}
    {%- endif -%}
    {%- do event_windows._forget_rebuilt(spec, tables, run) -%}
    {%- if run.full -%}
        {%- do event_windows._show_clocks(spec, tables, run, run.generation) -%}
        {%- do event_windows._tell_home(spec, tables) -%}
        {%- do event_windows._publish_all(spec, tables, run) -%}
        {%- do event_windows._show(spec, tables, run) -%}
        {%- do event_windows._check_stays(spec, tables, run, beside=true) -%}
    {%- else -%}
        {%- do event_windows._publish(spec, tables, run) -%}
    {%- endif -%}
    {%- do event_windows._statement(run, 'ledger', event_windows._insert_into_ledger(spec, tables, run)) -%}
    {%- do event_windows._expire(spec, tables, run) -%}
    {%- if not run.full and event_windows._logs_clocks(spec, run) and (
        run.number % 20 == 0 or event_windows._windows_tell_clocks(spec)
    ) -%}
        {%- do event_windows._statement(run, 'clocks', event_windows._compact_clocks(spec, tables, run)) -%}
    {%- endif -%}
    {%- do event_windows._forget(run) -%}
{% endmacro %}


{# One line, said by a build, about what is different where there are no views, or m can be none. #}
{% macro _tell_home(spec, tables) %}
    {%- if event_windows._shows_state(spec) and not event_windows._views_keep_settings(spec.home) -%}
        {%- do event_windows._say(tables.model.identifier ~ ' is a table, written anew by each refresh that changes '
            ~ 'windows: with the spark.sql.extensions of this session Spark would read a view of catalogue '
            ~ spec.home.catalogue ~ ' in the time zone of its Java (the package does not need them)') -%}
    {%- endif -%}
    {%- if not event_windows._has_views(spec) -%}
        {%- do event_windows._say('catalogue ' ~ spec.home.catalogue ~ ' holds no views: '
            ~ (tables.model.identifier ~ ' is a table, written anew by each refresh that changes windows; '
                if event_windows._shows_state(spec))
            ~ "stream time is event_windows.stream_time(ref('" ~ tables.model.identifier ~ "')), not a view") -%}
    {%- endif -%}
{% endmacro %}
