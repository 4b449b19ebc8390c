{# What a run of a windowed model checks before it writes anything. #}
{% macro _check_can_be_windowed(spec) %}
    {%- do event_windows._refuse([event_windows._of_format(
        spec.file_format, 'session_problem', spec.home.session_settings, spec.home.catalogue
    )]) -%}
    {%- do event_windows._bring_in_ephemeral(spec) -%}
    {%- if not spec.arrival and not spec.source -%}
        {%- do event_windows._refuse([
            "materialized='windowed' must know which rows are new, and there is no arrival_order: name the column "
                ~ "that says in which order rows came in, or give as relation a table in "
                ~ event_windows._formats() | join(' or ') ~ ' (not a view or a SELECT), whose versions tell it'
        ]) -%}
    {%- endif -%}
    {%- do event_windows._check_is_by_rows(spec) -%}
    {%- if config.get('contract').enforced -%}
        {#-
            not the compiled text, which over an ephemeral model was made before types were known; late rows change no
            type, and a refresh without any calls no function of the session
        -#}
        {%- set asked = dict(spec, window=dict(spec.window, grace=none), retention=none) -%}
        {%- do event_windows._check_registered(asked) -%}
        {%- do get_assert_columns_equivalent(spec.plain.check if spec.plain else event_windows._from_scratch(asked)) -%}
    {%- endif -%}
{% endmacro %}


{# What a call of windowed() makes of rows is by the rows alone; a text in plain SQL has been asked by the planner. #}
{% macro _check_is_by_rows(spec) %}
    {%- set texts = {} -%}
    {%- for aggregate in spec.aggregates if aggregate.given is string -%}
        {%- do texts.update({"aggregate '" ~ aggregate.name ~ "'": aggregate.given}) -%}
    {%- endfor -%}
    {%- if spec.window.gap_by and not spec.plain %}{% do texts.update({'gap_by': spec.window.gap_by}) %}{% endif -%}
    {%- set problems = [] -%}
    {%- for where, text in ({} if spec.plain else dict(texts, relation=spec.relation)).items() -%}
        {%- set put_in = modules.re.search('(?a)[$][{]\\S+?[}]', text | string) -%}
        {%- if put_in -%}
            {%- do problems.append(where ~ ' has ' ~ put_in.group() ~ ', in the place of which Spark puts a setting '
                ~ 'or a variable of the environment, in a string and in a name too: write the value itself; in a '
                ~ 'string the signs themselves are $\\{') -%}
        {%- endif -%}
    {%- endfor -%}
    {%- for where, text in texts.items() -%}
        {%- set why = event_windows._of_the_moment(text, spec.columns) -%}
        {%- if why -%}
            {%- do problems.append(where ~ ' is "' ~ text ~ '": ' ~ why ~ ', so that a refresh would not give what a '
                ~ 'full refresh gives: take a column instead, which the table that is read has stored') -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if problems %}{{ event_windows._raise("windowed(...) in model '" ~ model.name ~ "'", problems) }}{% endif -%}
{% endmacro %}
