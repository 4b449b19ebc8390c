{#
    Session windows (KIP-94): rows of a key that follow each other within `gap` belong to one window, from its first
    event to its last, both inclusive; rows exactly one gap apart join. `gap_by` is a SQL interval expression instead,
    one gap per row as in Spark's session_window (SPARK-35861).
#}
{% macro session(gap=none, grace=none, gap_by=none) %}
    {{ return(adapter.dispatch('session', 'event_windows')(
        gap=gap, grace=grace, gap_by=gap_by, unknown=[kwargs, varargs]
    )) }}
{% endmacro %}


{% macro default__session(gap, grace, gap_by, unknown) %}
    {%- set problems = event_windows._unknown_options('gap, grace, gap_by', unknown) -%}
    {%- if (gap is none) == (gap_by is none) -%}
        {%- do problems.append("give either gap (a duration, such as '30 minutes') or gap_by (a SQL interval "
            ~ "expression per row), not both and not neither") -%}
    {%- elif gap_by is not none -%}
        {%- set one = event_windows._one_expression(gap_by) if event_windows._is_text(gap_by)
            else {'problem': 'it is no text'} -%}
        {%- set wrong = one.problem or event_windows._subquery_problem(one.tokens) -%}
        {%- if wrong -%}
            {%- do problems.append("gap_by is '" ~ gap_by ~ "': " ~ wrong ~ '; give a SQL interval expression over the '
                ~ "columns of a row, such as \"if(is_app, interval '1' hour, interval '30' minutes)\"") -%}
        {%- endif -%}
    {%- endif -%}
    {%- set length = event_windows._read_duration('gap', gap, problems, allow_zero=true)
        if gap is not none else none -%}
    {%- set lateness = event_windows._read_grace(grace, problems) -%}
    {{ return(event_windows._window(
        'session', 'session', {'gap': length, 'gap_by': gap_by, 'grace': lateness, 'origin': none},
        problems
    )) }}
{% endmacro %}
