{#
    What is known of the windows that a test is on, with their key: from the argument or, in a windowed model's table,
    from the table itself. A `where` in the test's config makes a SELECT of the model, which records nothing. No key is
    left where there is nothing to ask: while dbt parses, and where it compiles before the model was built.
#}
{% macro _tested_windows(test, windows, key) %}
    {%- set problems = [] -%}
    {%- set table = event_windows._windows_table(windows, problems) -%}
    {%- set keys = [key] if key is string else key or (table.spec.key if table.spec else []) -%}
    {%- if execute and not keys and (table.columns or flags.WHICH not in ('compile', 'generate')) -%}
        {%- do problems.append('key is missing: only the table of a windowed model, tested without a where, records '
            ~ 'its key; give a column name or a list of them') -%}
    {%- endif -%}
    {%- do event_windows._check_is_shown(table, keys + ['window_start', 'window_end'], problems) -%}
    {%- if problems %}{{ event_windows._raise('test ' ~ test, problems) }}{% endif -%}
    {%- do table.update({'key': keys}) -%}
    {{- return(table) -}}
{% endmacro %}
